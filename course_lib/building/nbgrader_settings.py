"""Le impostazioni di nbgrader per questo corso, in un posto solo.

Le usano `nbgrader_config.py` (formgrader e i comandi `nbgrader …`), la costruzione degli esercizi e la
correzione. Qui c'è tutto l'inglese fisso di nbgrader che si può configurare. Non si può configurare, e chi
corregge lo sostituisce con sottoclassi: «No response.» (SaveAutoGrades), «... Output truncated ...» e
«... Traceback truncated ...» (LimitOutput), la pagina di feedback.
"""

from __future__ import annotations

import os
import sqlite3
import sysconfig
from contextlib import closing
from pathlib import Path

from traitlets.config import Config

REGISTER = "registro"
SOURCE, RELEASE = "solutions", "exercises"
SUBMITTED, AUTOGRADED, FEEDBACK = (f"{REGISTER}/{step}" for step in ("consegne", "corretti", "feedback"))
DATABASE = f"{REGISTER}/gradebook.db"

CODE_STUB = """\
# SCRIVI QUI IL TUO CODICE al posto della riga che segue
raise NotImplementedError("qui manca ancora il tuo codice")"""
TEXT_STUB = "SCRIVI QUI LA TUA RISPOSTA"
MISSING_CELL = "Nella consegna mancava questa cella (id: {cell_id}): è stata rimessa al suo posto.\n\n"
TIME_OUT = {
    "ename": "TempoScaduto",
    "evalue": "",
    "traceback": ["Tempo scaduto: la cella non ha finito entro il limite."],
}


def own_programs_first() -> None:
    """Mette i programmi di questo Python in testa a PATH: nbgrader chiama `alembic` per nome.

    Senza, `.venv/bin/corso` lanciato da fuori dell'ambiente non troverebbe `alembic` (o troverebbe un altro).
    """
    programs = sysconfig.get_path("scripts")
    path = os.environ.get("PATH", os.defpath)
    if path.split(os.pathsep)[0] != programs:
        os.environ["PATH"] = programs + os.pathsep + path


def prepare_database(path: Path) -> None:
    """Avvia un registro dei voti nuovo con la versione del suo schema; se c'è già, non lo tocca.

    È ciò che nbgrader farebbe aprendolo, ma lui per saperla avvia `alembic` come programma (secondi);
    qui la si legge in questo stesso processo. Le tabelle le crea poi nbgrader.
    """
    import nbgrader
    from alembic.script import ScriptDirectory

    if path.exists():
        return
    head = ScriptDirectory(str(Path(nbgrader.__file__).parent / "alembic")).get_current_head()
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version (version_num) VALUES (?)", (head,))


def nbgrader_settings(root: Path | str) -> Config:
    """Le impostazioni per il corso che sta in `root`; non tocca nulla sul disco.

    solutions/ e exercises/ stanno nel corso; tutto ciò che riguarda una classe sta in registro/.
    """
    root = Path(root).resolve()
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.source_directory = SOURCE
    config.CourseDirectory.release_directory = RELEASE
    config.CourseDirectory.submitted_directory = SUBMITTED
    config.CourseDirectory.autograded_directory = AUTOGRADED
    config.CourseDirectory.feedback_directory = FEEDBACK
    config.CourseDirectory.solution_directory = f"{REGISTER}/soluzioni"
    config.CourseDirectory.source_with_tests_directory = f"{REGISTER}/prove"
    config.CourseDirectory.db_url = f"sqlite:///{(root / DATABASE).as_posix()}"

    config.ClearSolutions.code_stub = {"python": CODE_STUB}
    config.ClearSolutions.text_stub = TEXT_STUB
    config.OverwriteCells.missing_cell_notification = MISSING_CELL
    config.Execute.error_on_timeout = TIME_OUT

    config.NbGraderAPI.timestamp_format = "%d/%m/%Y %H:%M:%S %Z"
    speak_italian(config)
    return config


def speak_italian(config: Config) -> None:
    """I messaggi del pulsante «Validate» di nbgrader, per chi lo usa al posto di `corso controlla`."""
    config.Validator.type_changed_warning = (
        "È CAMBIATO IL TIPO DI {num_changed} CELLE: anche se qui le prove passano, "
        "nella correzione possono non passare.\n"
    )
    config.Validator.changed_warning = (
        "È CAMBIATO IL TESTO DI {num_changed} CELLE DI PROVA: anche se qui le prove passano, "
        "nella correzione possono non passare.\n"
    )
    config.Validator.failed_warning = (
        "{num_failed} CELLE NON PASSANO: se consegni così non avrai tutti i punti.\n"
    )
    config.Validator.passed_warning = "{num_passed} CELLE PASSANO.\n"
