"""Come si avvia un box: quando si rifiuta, e che cosa si copre prima di mostrarlo."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from course_lib.grading import sandbox
from course_lib.grading.box import Box
from course_lib.grading.limits import Limits
from course_lib.project import CorsoError, project_root
from tests.grading.test_box import text_of


def test_without_bubblewrap_grading_refuses_with_the_remedy(monkeypatch):
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    with pytest.raises(CorsoError, match="apt install bubblewrap"):
        sandbox.find_isolation.__wrapped__()


def test_a_bwrap_that_cannot_isolate_is_not_trusted(monkeypatch):
    monkeypatch.setattr(sandbox, "_inside_command", lambda *a: ["--", "/usr/bin/false"])
    monkeypatch.setattr(sandbox, "_bwrap", lambda *a, **k: ["/usr/bin/env"])
    with pytest.raises(CorsoError, match="non riesce a isolare"):
        sandbox.find_isolation.__wrapped__()


def test_a_course_inside_a_folder_the_box_sees_is_covered(isolation, monkeypatch, tmp_path):
    """Il corso sotto /usr, o installato accanto a NumPy: soluzioni e riferimento non si vedono."""
    seen = tmp_path / "prefisso"
    for name in ("corso/solutions/es02.txt", "lib/course_lib/transformer.py", "lib/altro.txt"):
        (seen / name).parent.mkdir(parents=True, exist_ok=True)
        (seen / name).write_text("x", encoding="utf-8")
    before = sandbox._system_folders()
    monkeypatch.setattr(sandbox, "_system_folders", lambda: [*before, seen])
    monkeypatch.setattr(sandbox, "_course_folders", lambda: [seen / "corso", seen / "lib" / "course_lib"])
    probe = f"import os\nroot = {str(seen)!r}\n"
    probe += "for top, _, files in os.walk(root): print(os.path.relpath(top, root), files)"
    with Box(isolation, Limits()) as box:
        box.begin(silent=False)
        text = text_of(box.ask({"kind": "cell", "source": probe}, [], 20)[0])
    assert sorted(text.splitlines()) == [". []", "corso []", "lib ['altro.txt']", "lib/course_lib []"]


def test_the_course_and_its_installed_library_are_what_is_covered(monkeypatch, tmp_path):
    (tmp_path / "course_lib").mkdir()
    monkeypatch.setattr(sandbox.sysconfig, "get_path", lambda name: str(tmp_path))
    assert sandbox._course_folders() == [project_root(), tmp_path / "course_lib"]


@pytest.mark.parametrize("end", ["", "os.kill(os.getpid(), 9)"], ids=["finita", "uccisa"])
def test_without_isolation_no_folder_is_left(tmp_path, end):
    """I lavoratori finiscono sempre uccisi: neanche allora resta qualcosa fra i file temporanei."""
    code = f"""if True:
        import os
        from course_lib.grading.box import Box
        from course_lib.grading.limits import Limits
        from course_lib.grading.sandbox import Isolation
        with Box(Isolation("none"), Limits()) as box:
            box.begin(silent=False)
            write = "import os; os.mkdir('chiusa', 0); print(os.getcwd())"
            print(box.ask({{"kind": "cell", "source": write}}, [], 30)[0], flush=True)
            {end}
    """
    env = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": str(project_root())}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert str(tmp_path / "corso-nudo-") in done.stdout, done.stderr
    until = time.monotonic() + 30
    while list(tmp_path.iterdir()) and time.monotonic() < until:
        time.sleep(0.05)
    assert list(tmp_path.iterdir()) == []
