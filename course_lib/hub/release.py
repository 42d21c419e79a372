"""Il «Release» di formgrader, e `nbgrader release_assignment`: la classe riceve il testo delle sorgenti."""

from __future__ import annotations

from pathlib import Path

from nbgrader.exchange.default import ExchangeReleaseAssignment

from course_lib.building.for_class import exercise_text
from course_lib.project import CorsoError


class ReleaseFromSources(ExchangeReleaseAssignment):
    """Di exercises/ non prende nulla: lì chi insegna risponde per provare i controlli."""

    def init_src(self) -> None:
        """Rifà il testo; se non si può, l'errore che formgrader mostra."""
        name, root = self.coursedir.assignment_id, Path(self.coursedir.root)
        try:
            self.text = exercise_text(root, name)
        except CorsoError as error:
            self.fail(f"Esercizio non consegnato alla classe: {error}")
        self.src_path = str(root / "sources" / "exercises" / f"{name}.md")

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Scrive il notebook, da solo: i file che gli stanno accanto sono di chi insegna."""
        folder = Path(dest)
        folder.mkdir(parents=True)
        (folder / f"{self.coursedir.assignment_id}.ipynb").write_text(self.text, encoding="utf-8")
