"""Messages between two processes of ours: a small object, and bytes."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Mapping
from select import select
from struct import Struct
from typing import Any

__all__ = ["Frame", "FrameReader", "write_frame"]

Frame = tuple[Mapping[str, Any], bytes]

_HEAD = Struct("<II")
_PIECE = 1 << 16


def write_frame(to: int, about: Mapping[str, Any], body: bytes = b"") -> None:
    """Write a message to a pipe.

    Raises:
        OSError: Nobody reads there any more.
    """
    head = json.dumps(about).encode()
    rest = memoryview(_HEAD.pack(len(head), len(body)) + head + body)
    while rest:
        rest = rest[os.write(to, rest) :]


class FrameReader:
    """Reads messages from a pipe, one by one, in whatever parts they come."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._read = bytearray()

    def next(self, *, within_s: float | None = None) -> Frame | None:
        """Return the next message; None when the other side has ended.

        Raises:
            TimeoutError: There was none in time. What had come of it is kept.
        """
        deadline = None if within_s is None else time.monotonic() + within_s
        while (frame := self._taken()) is None:
            self._wait(deadline)
            piece = os.read(self._source, _PIECE)
            if not piece:
                return None
            self._read += piece
        return frame

    def _taken(self) -> Frame | None:
        if len(self._read) < _HEAD.size:
            return None
        head, body = _HEAD.unpack_from(self._read)
        middle = _HEAD.size + head
        if len(self._read) < middle + body:
            return None
        about = json.loads(self._read[_HEAD.size : middle])
        content = bytes(self._read[middle : middle + body])
        del self._read[: middle + body]
        return about, content

    def _wait(self, deadline: float | None) -> None:
        if deadline is None:
            return
        left = max(deadline - time.monotonic(), 0.0)
        if not select([self._source], [], [], left)[0]:
            raise TimeoutError
