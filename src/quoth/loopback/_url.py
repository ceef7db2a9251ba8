"""The one way to write an endpoint: a grammar that has nothing but what is allowed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from quoth.errors import EndpointError

from ._ip import is_loopback, plain

__all__ = ["PATH", "LoopbackUrl"]

PATH = r"(?:/(?!\.\.?(?:/|\Z))[A-Za-z0-9._~-]+)"
"""A slash and a segment, which is neither `.` nor `..`."""

# Matched whole, against the raw text: whoever splits first and looks at the parts then
# disagrees with somebody else's splitting about where the host ends.
_URL = (
    r"(?P<scheme>https?)://"
    r"(?P<host>localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3}"
    r"|\[(?P<v6>(?=[^\]]*:)[0-9A-Fa-f:.]{2,45})\])"
    r"(?::(?P<port>[1-9][0-9]{0,4}))?"
    rf"(?P<path>{PATH}*)/?"
)
_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopbackUrl:
    """An endpoint on this machine. Equal ones are spelled alike by `str`."""

    scheme: str
    host: str
    port: int
    path: str = ""

    def __post_init__(self) -> None:
        """Refuse parts that were put together without `parse` and are no endpoint."""
        if not re.fullmatch(_URL, str(self)):
            raise EndpointError("it is not written as one of this machine")

    @classmethod
    def parse(cls, text: object) -> LoopbackUrl:
        """Return the endpoint that *text* is.

        Raises:
            EndpointError: It is no text, is not written as an endpoint, or names
                another machine.
        """
        found = re.fullmatch(_URL, text) if isinstance(text, str) else None
        if found is None:
            raise EndpointError("it is not written as one of this machine")
        port = int(found["port"] or _DEFAULT_PORTS[found["scheme"]])
        if port > 65535:
            raise EndpointError("there is no such port")
        return cls(
            scheme=found["scheme"],
            host=_host(found["v6"] or found["host"]),
            port=port,
            path=found["path"],
        )

    @property
    def authority(self) -> str:
        """Host and port, as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """What tells a person which server is meant; a path might be a secret."""
        return f"{self.scheme}://{self.authority}"

    def __str__(self) -> str:
        """Return the endpoint, with its port and without a slash at its end."""
        return f"{self.origin}{self.path}"


def _host(text: str) -> str:
    if text == "localhost":
        return text
    if not is_loopback(text):
        raise EndpointError("its host is not this machine")
    return plain(text).compressed
