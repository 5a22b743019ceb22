"""`python -m interpreter` is `hoyle`."""

import sys

from interpreter.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
