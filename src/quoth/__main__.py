"""`python -m quoth` is `quoth`."""

# Nothing else until the current folder is left out: it may hold any other module.
import os
import sys


def _leave_out_current_folder() -> None:
    """Import nothing more from the current folder: it may be anybody's repository.

    Python puts it first for `-m`. Only where quoth itself lies there is it needed.
    """
    first = sys.path[0] if sys.path else ""
    try:
        current = os.getcwd()  # noqa: PTH109
    except OSError:  # it was deleted, and nothing can be imported from it
        return
    if sys.flags.safe_path or first != current:
        return
    own = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))  # noqa: PTH120
    if os.path.realpath(first) != own:
        del sys.path[0]


if __name__ == "__main__":
    _leave_out_current_folder()
    from quoth.cli import main

    main()
