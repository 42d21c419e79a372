"""I piani della biblioteca: chi può importare chi, e quanto poco pesa il piano terra."""

from __future__ import annotations

import pkgutil
import subprocess
import sys
import tomllib

import course_lib
from tests.conftest import ROOT

# Come in architecture.md, scritto qui una seconda volta: i contratti di pyproject.toml devono dire lo stesso.
MAY_IMPORT = {
    "transformer": set(),
    "learning": {"transformer"},
    "figures": {"transformer", "learning"},
    "widgets": {"transformer", "learning", "figures"},
    "checks": {"transformer", "learning"},
    "building": {"checks"},
    "grading": {"checks", "building"},  # building: le impostazioni di nbgrader, scritte una volta sola
    "hub": {"building", "checks", "cli", "grading"},  # cli: JupyterLab in italiano, come lo apre `corso apri`
    "publishing": {"transformer", "learning", "figures", "widgets"},
    "cli": None,  # tutto
}
FROM_ANYWHERE = {"notation", "glossary", "project"}


def floors() -> set[str]:
    """I pacchetti e i moduli che stanno direttamente in course_lib."""
    return {module.name for module in pkgutil.iter_modules(course_lib.__path__)}


def contracts() -> dict[str, set[str]]:
    """Piano -> piani che i contratti gli vietano."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    forbidden = {}
    for contract in config["contracts"]:
        assert contract["type"] == "forbidden"
        for source in contract["source_modules"]:
            banned = {name.removeprefix("course_lib.") for name in contract["forbidden_modules"]}
            forbidden[source.removeprefix("course_lib.")] = banned
    return forbidden


def test_every_package_is_known():
    assert floors() <= set(MAY_IMPORT) | FROM_ANYWHERE


def test_contracts_forbid_exactly_what_the_design_does_not_allow():
    packages = floors() - FROM_ANYWHERE
    expected = {
        name: packages - MAY_IMPORT[name] - {name} for name in packages if MAY_IMPORT[name] is not None
    } | {name: packages for name in FROM_ANYWHERE}
    assert contracts() == expected


def test_contracts_are_kept():
    command = [
        sys.executable,
        "-c",
        "from importlinter.cli import lint_imports_command as c; c()",
        "--no-cache",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout


def test_a_back_stair_is_caught(course_copy):
    module = course_copy / "course_lib" / "transformer" / "scala_sul_retro.py"
    module.write_text("from course_lib.checks import verifica\n", encoding="utf-8")
    try:
        command = [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command as c; c()",
            "--no-cache",
        ]
        done = subprocess.run(command, cwd=course_copy, capture_output=True, encoding="utf-8")
    finally:
        module.unlink()
    assert done.returncode != 0
    assert "course_lib.transformer.scala_sul_retro" in done.stdout


def test_the_ground_floor_needs_numpy_only():
    code = """
import importlib, pkgutil, sys
before = {name.partition('.')[0] for name in sys.modules}  # il Python di Debian carica sitecustomize da sé
import course_lib.transformer as ground
for module in pkgutil.walk_packages(ground.__path__, ground.__name__ + '.'):
    importlib.import_module(module.name)
packages = {name.partition('.')[0] for name in sys.modules} - set(sys.stdlib_module_names) - before
print(sorted(name for name in packages if not name.startswith('_')))
print(sorted({'.'.join(n.split('.')[:2]) for n in sys.modules if n.startswith('course_lib.')}))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True
    )
    packages, floors_loaded = done.stdout.splitlines()
    assert packages == "['course_lib', 'numpy']"
    assert set(eval(floors_loaded)) <= {"course_lib.transformer", "course_lib.notation"}
