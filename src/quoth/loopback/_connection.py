"""Connecting to an address that was looked up before, and to no other."""

from __future__ import annotations

from collections.abc import Iterable
from socket import IPPROTO_TCP, SOCK_STREAM, TCP_NODELAY, socket

from quoth.errors import EndpointError

from ._addresses import SocketAddress
from ._deadline import Deadline
from ._ip import is_loopback

__all__ = ["connect"]


def connect(addresses: Iterable[SocketAddress], *, deadline: Deadline) -> socket:
    """Return a connection to the first of *addresses* where something listens.

    Raises:
        EndpointError: What answered is not on this machine.
        TimeoutError: It took too long.
        OSError: Nothing listens at any of them.
    """
    failures: list[OSError] = []
    for address in addresses:
        try:
            return _connected(address, deadline=deadline)
        except TimeoutError:
            raise
        except OSError as error:
            failures.append(error)
    raise failures[-1]


def check_peer(connection: socket) -> None:
    """Do nothing if the other end is on this machine.

    Raises:
        EndpointError: It is not, whatever address was asked for.
    """
    if not is_loopback(connection.getpeername()[0]):
        raise EndpointError("it leads to another machine")


def _connected(address: SocketAddress, *, deadline: Deadline) -> socket:
    family, place = address
    connection = socket(family, SOCK_STREAM)
    try:
        connection.settimeout(deadline.left())
        connection.connect(place)
        check_peer(connection)
        # Else the rest of a request waits until the server has confirmed its start.
        connection.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    except BaseException:
        connection.close()
        raise
    return connection
