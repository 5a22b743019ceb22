"""`python -m hoyle` is `hoyle`: the command line, once it is there."""

import sys


def main() -> int:
    """Runs the command line of this process; the exit code. Ctrl-C while it is still being imported ends it as quietly as later."""
    try:
        from hoyle.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
