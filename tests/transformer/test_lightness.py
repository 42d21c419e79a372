"""Il pianterreno porta con sé NumPy e nient'altro."""

import pkgutil
import subprocess
import sys

import course_lib.transformer

MODULES = [f"course_lib.transformer.{m.name}" for m in pkgutil.iter_modules(course_lib.transformer.__path__)]
PROGRAM = """
import sys
import numpy
before = set(sys.modules)
import course_lib.notation, MODULES
print(sorted({n.split('.')[0] for n in set(sys.modules) - before} - set(sys.stdlib_module_names)))
print(sorted(n for n in set(sys.modules) - before if n.startswith('course_lib')))
"""


def run(program):
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_every_module_imports_numpy_only():
    assert len(MODULES) > 10
    others, own = run(PROGRAM.replace("MODULES", ", ".join(MODULES)))
    assert others == "['course_lib']"
    assert own == str(sorted(["course_lib", "course_lib.notation", "course_lib.transformer", *MODULES]))


def test_the_package_alone_imports_the_attention_only():
    names = ["course_lib.transformer", "course_lib.transformer.arrays", "course_lib.transformer.attention"]
    program = """
import sys, course_lib.transformer
print(sorted(n for n in sys.modules if n.startswith("course_lib.")))
"""
    assert run(program) == [str(names)]


def test_notation_uses_the_standard_library_only():
    assert run("import sys, course_lib.notation; print('numpy' in sys.modules)") == ["False"]
