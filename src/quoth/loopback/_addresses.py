"""Where an endpoint is, looked up once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from socket import AF_INET, AF_INET6, AI_NUMERICHOST, SOCK_STREAM, getaddrinfo
from typing import Any, TypeAlias

from quoth.errors import EndpointError

from ._ip import is_loopback
from ._url import LoopbackUrl

__all__ = ["Addresses", "SocketAddress"]

SocketAddress: TypeAlias = tuple[int, tuple[Any, ...]]
"""A family, and what a socket of it connects to."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Every address the host had at its one look-up, all of them of this machine.

    Whoever answers for the name can answer otherwise a second time; nobody asks.
    """

    pinned: tuple[SocketAddress, ...]

    @classmethod
    def of(cls, url: LoopbackUrl) -> Addresses:
        """Look up where *url* is; an address written out is looked up nowhere.

        Raises:
            EndpointError: The host has no address, or one that is not this machine's,
                whatever the others are.
        """
        flags = AI_NUMERICHOST if url.host != "localhost" else 0
        try:
            found = getaddrinfo(url.host, url.port, type=SOCK_STREAM, flags=flags)
        except OSError as error:
            raise EndpointError(f"{url.host} has no address here") from error
        addresses = [(int(family), tuple(address)) for family, *_, address in found]
        if not addresses:
            raise EndpointError(f"{url.host} has no address here")
        if not all(_is_ours(*each) for each in addresses):
            raise EndpointError(f"{url.host} is not, or not only, this machine")
        return cls(tuple(dict.fromkeys(addresses)))

    def __iter__(self) -> Iterator[SocketAddress]:
        """Yield the addresses, the system's first choice first."""
        return iter(self.pinned)


def _is_ours(family: int, address: tuple[Any, ...]) -> bool:
    return family in (AF_INET, AF_INET6) and is_loopback(address[0])
