"""python -m kernex: the same as the command `kernex`."""

import sys

from kernex.command import main

sys.exit(main())
