"""A connection whose steps share one end of time and one of size."""

from __future__ import annotations

import io
from socket import socket

from ._answer import BadAnswerError
from ._deadline import Deadline

__all__ = ["Wire"]

_SLICE = 1 << 18
"""Bytes handed to the system at once, so that the time is looked at in between."""

_BUFFER = 1 << 16


class Wire(io.RawIOBase):
    """What `HTTPResponse` takes for a socket.

    `HTTPResponse` believes a chunk that says its length is -1 and reads without end,
    and skips any number of interim answers; so bytes are counted here, below it. It
    also takes headers that break off for all of them: `is_over` tells.
    """

    def __init__(
        self, connection: socket, *, deadline: Deadline, most_bytes: int
    ) -> None:
        self._connection = connection
        self._deadline = deadline
        self._room = most_bytes
        self.is_over = False

    def send(self, content: bytes) -> None:
        """Send all of it.

        Raises:
            TimeoutError: The other side didn't take it in time.
            OSError: The connection broke.
        """
        rest = memoryview(content)
        while rest:
            self._connection.settimeout(self._deadline.left())
            rest = rest[self._connection.send(rest[:_SLICE]) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return what comes in, as a file."""
        return io.BufferedReader(self, _BUFFER)

    def readable(self) -> bool:
        """Return that it is."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # `Buffer` is Python 3.12's
        """Take what is there, at least a byte unless the other side is done.

        Raises:
            BadAnswerError: With this, more came than may.
            TimeoutError: Nothing came in time.
            OSError: The connection broke.
        """
        self._connection.settimeout(self._deadline.left())
        count = self._connection.recv_into(buffer)
        self.is_over = not count
        self._room -= count
        if self._room < 0:
            raise BadAnswerError("its answer has no end in sight")
        return count
