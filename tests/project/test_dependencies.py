"""Le librerie: tutte dichiarate, nessuna di troppo, tutte fissate; l'ambiente di conda installa le stesse."""

from __future__ import annotations

import ast
import importlib.metadata
import re
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.conftest import ROOT

# Dichiarate e mai importate: chi le usa e come.
USED_WITHOUT_IMPORT = {
    "ipykernel": "il kernel dei notebook",
    "jupyterlab-language-pack-it-it": "la lingua di JupyterLab",
    "anywidget": "i widget, dal 4/8",
    "nbconvert": "nbgrader ci fa passare ogni notebook",
    "tzdata": "zoneinfo, dove il sistema non ha i fusi orari (Windows)",
    "import-linter": "comando",
    "nbval": "plugin di pytest",
    "pytest-xdist": "plugin di pytest: -n 2",
    "ruff": "comando",
    "pip": "installa",
    "jupyterhub-idle-culler": "servizio dell'hub: python -m jupyterhub_idle_culler",
    "setuptools": "installa",
    "sphinx": "comando: `corso sito`",
    "myst-nb": "estensione di Sphinx",
    "pydata-sphinx-theme": "tema di Sphinx",
    "sphinx-mathjax-offline": "porta MathJax, che `corso sito` copia",
}
MORE = {"sito": "requirements-sito.lock", "hub": "requirements-hub.lock"}  # ciò che non serve a chi studia
LOCKS = ("requirements.lock", *MORE.values())


def pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def declared() -> dict[str, Requirement]:
    """Le librerie dichiarate in pyproject.toml, extra compresi."""
    project = pyproject()["project"]
    lines = project["dependencies"] + [
        line for group in project["optional-dependencies"].values() for line in group
    ]
    return {canonicalize_name(Requirement(line).name): Requirement(line) for line in lines}


def locked(*names: str) -> list[Requirement]:
    """Le righe di requirements.lock, o dei file dati."""
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in names or LOCKS[:1]]
    return [Requirement(line) for text in texts for line in text.splitlines()]


def imported() -> set[str]:
    """Le librerie importate da course_lib e da tests, con il nome con cui si installano."""
    modules = set()
    for path in [*(ROOT / "course_lib").rglob("*.py"), *(ROOT / "tests").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                modules |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
                modules.add(node.module.partition(".")[0])
    modules -= set(sys.stdlib_module_names) | {
        "course_lib",
        "tests",
        "benchmarks",
        "corso",
        "torch",
    }  # corso: il file corso.py; torch: solo in CI, vedi .ci/run
    owners = importlib.metadata.packages_distributions()
    return {canonicalize_name(owners[module][0]) if module in owners else module for module in modules}


def test_what_is_imported_is_declared():
    assert imported() - set(declared()) == set()


def test_what_is_declared_is_used():
    assert set(declared()) - imported() - set(USED_WITHOUT_IMPORT) == set()


@pytest.mark.parametrize("name", LOCKS)
def test_lock_holds_names_and_versions_only(name):
    for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
        assert re.fullmatch(r"[a-z0-9.-]+==[^\s;@/]+( ; [\w\s.'<>=!()]+)?", line), line


def test_lock_satisfies_what_is_declared():
    versions: dict[str, list[str]] = {}
    for item in locked(*LOCKS):
        versions.setdefault(canonicalize_name(item.name), []).append(str(item.specifier).removeprefix("=="))
    for name, requirement in declared().items():
        assert name in versions, name
        assert all(requirement.specifier.contains(version) for version in versions[name]), name


@pytest.mark.parametrize("name", MORE.values())
def test_a_lock_of_more_adds_and_never_changes(name):
    """Chi studia non installa né Sphinx né JupyterHub; chi li installa non cambia le altre versioni."""
    others = [item for lock in LOCKS if lock != name for item in locked(lock)]
    assert {canonicalize_name(item.name) for item in others} & {
        canonicalize_name(item.name) for item in locked(name)
    } == set()


@pytest.mark.parametrize(("extra", "name"), MORE.items())
def test_a_lock_of_more_holds_what_its_extra_declares(extra, name):
    declares = pyproject()["project"]["optional-dependencies"][extra]
    assert {canonicalize_name(Requirement(line).name) for line in declares} <= {
        canonicalize_name(item.name) for item in locked(name)
    }


def test_one_numpy_for_every_python():
    assert [str(item) for item in locked() if item.name == "numpy"] == ["numpy==2.4.6"]


def test_build_backend_is_pinned_like_the_lock():
    (backend,) = pyproject()["build-system"]["requires"]
    assert backend in [str(item) for item in locked()]


ENVIRONMENT_SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "channels", "dependencies"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-z0-9-]+$"},
        "channels": {"type": "array", "items": {"type": "string"}, "minItems": 1},
        "dependencies": {
            "type": "array",
            "items": {
                "oneOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "additionalProperties": False,
                        "required": ["pip"],
                        "properties": {"pip": {"type": "array", "items": {"type": "string"}}},
                    },
                ]
            },
        },
    },
}


def environment() -> dict:
    import yaml

    return yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))


def test_conda_environment_has_the_right_shape():
    import jsonschema

    jsonschema.validate(environment(), ENVIRONMENT_SCHEMA)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**environment(), "dependencies": [{"pip": "numpy"}]}, ENVIRONMENT_SCHEMA)


def test_conda_specs_are_understood_by_a_conda_library():
    import rattler
    from rattler.exceptions import InvalidMatchSpecError

    specs = [
        rattler.MatchSpec(text, strict=True)
        for text in environment()["dependencies"]
        if isinstance(text, str)
    ]
    by_name = {spec.name.normalized: spec for spec in specs}
    assert set(by_name) == {"python", "pip"}
    assert by_name["python"].version == "3.11.*"
    with pytest.raises(InvalidMatchSpecError):
        rattler.MatchSpec("python=>3.11", strict=True)


def test_conda_environment_installs_the_lock():
    (section,) = [item["pip"] for item in environment()["dependencies"] if isinstance(item, dict)]
    assert section == ["-r requirements.lock", "-e ."]
