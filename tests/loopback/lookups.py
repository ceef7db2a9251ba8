"""Look-ups that answer what a test tells them to."""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import Any

__all__ = ["LookUps", "answering"]

Found = list[tuple[Any, ...]]


def answering(*hosts: str, port: int = 1) -> Found:
    """Return what `getaddrinfo` returns for a name with these addresses."""
    return [
        (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (host, port, 0, 0))
        if ":" in host
        else (socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, port))
        for host in hosts
    ]


@dataclass(kw_only=True)
class LookUps:
    """Stands in for `getaddrinfo`: each call gets the next answer, none comes twice."""

    answers: list[Found | Exception] = field(default_factory=list)
    asked: list[tuple[str, int, int]] = field(default_factory=list)

    def __call__(self, host: str, port: int, **options: int) -> Found:
        """Answer; a call beyond the answers is a failure of the test."""
        self.asked.append((host, port, options.get("flags", 0)))
        found = self.answers.pop(0)
        if isinstance(found, Exception):
            raise found
        return found
