"""A person who presses Ctrl-C when Python is about to do one certain thing.

CTRL_C_AT names it: an audit event, a colon, and what its first argument ends with.
CTRL_C_TIMES says how often it has to come to that; the first time by default.
"""

import os
import signal
import sys

_event, _, _ending = os.environ["CTRL_C_AT"].partition(":")
_left = [int(os.environ.get("CTRL_C_TIMES", "1"))]


def _press(event: str, arguments: tuple[object, ...]) -> None:
    if event == _event and str(arguments[0]).endswith(_ending):
        _left[0] -= 1
        if _left[0] == 0:
            signal.raise_signal(signal.SIGINT)


# A test run that was started in the background hands on that SIGINT is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.addaudithook(_press)
