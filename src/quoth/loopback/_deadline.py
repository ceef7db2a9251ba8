"""One end of time for all the steps of a request."""

from __future__ import annotations

import time

__all__ = ["Deadline"]


class Deadline:
    """The moment by which all has to be done.

    A socket's own timeout is for one call: a server that sends a byte now and then
    outlives any.
    """

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Return how many seconds are left.

        Raises:
            TimeoutError: None are.
        """
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left
