"""`python -m reportgen`: the same as the `reportgen` command."""

from __future__ import annotations

import sys

from reportgen.cli import main

if __name__ == "__main__":
    sys.exit(main())
