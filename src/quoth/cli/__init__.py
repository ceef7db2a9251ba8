"""The command line: parse, call the archive, print. It decides nothing."""

import sys

from ._exits import INTERRUPTED

__all__ = ["main"]


def main() -> None:
    """Run the command line of this process."""
    try:
        # Imported here: whoever presses Ctrl-C that early gets no traceback either.
        from ._app import main as run

        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
