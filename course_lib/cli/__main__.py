"""`python -m course_lib.cli` è lo stesso comando di `corso`."""

import sys

from course_lib.cli import main

sys.exit(main())
