"""Il pianterreno porta con sé NumPy e nient'altro."""

import subprocess
import sys

PROGRAM = """
import sys
import numpy
before = set(sys.modules)
import course_lib.transformer.attention, course_lib.transformer.examples, course_lib.transformer.arrays
import course_lib.notation
print(sorted({n.split('.')[0] for n in set(sys.modules) - before} - set(sys.stdlib_module_names)))
print(sorted(n for n in set(sys.modules) - before if n.startswith('course_lib')))
"""


def test_transformer_imports_numpy_only():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    others, own = done.stdout.splitlines()
    assert others == "['course_lib']"
    assert own == str(
        [
            "course_lib",
            "course_lib.notation",
            "course_lib.transformer",
            "course_lib.transformer.arrays",
            "course_lib.transformer.attention",
            "course_lib.transformer.examples",
        ]
    )


def test_notation_uses_the_standard_library_only():
    program = "import sys, course_lib.notation; print('numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
