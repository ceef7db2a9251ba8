"""Refusing to connect where Python is asked to: on every platform, and not below it."""

from __future__ import annotations

import sys

__all__ = ["allow_only_loopback", "forbid_connections"]

_AF_UNIX = 1

_REACHING = frozenset(
    {"socket.connect", "socket.sendto", "socket.sendmsg", "socket.bind"}
)
_LOOKING_UP = frozenset(
    {
        "socket.getaddrinfo",
        "socket.gethostbyname",
        "socket.gethostbyaddr",
        "socket.getnameinfo",
    }
)
_WATCHED = _REACHING | _LOOKING_UP
_HANDING_ON = "webbrowser.open"
"""A browser that runs already is asked by a file's socket, and connects for us."""


def forbid_connections() -> None:
    """Refuse every connection and look-up but to the file of a socket."""
    sys.addaudithook(_refuse_all)


def allow_only_loopback() -> None:
    """Refuse every connection and look-up but to this machine."""
    sys.addaudithook(_refuse_others)


def _refuse_all(event: str, arguments: tuple[object, ...]) -> None:
    if event == _HANDING_ON or (event in _WATCHED and not _is_of_a_file(arguments)):
        raise PermissionError(f"{event} is refused: this process is sealed")


def _refuse_others(event: str, arguments: tuple[object, ...]) -> None:
    if event == _HANDING_ON:
        raise PermissionError(f"{event} is refused: it leads to another machine")
    if event not in _WATCHED or _is_of_a_file(arguments):
        return
    address = arguments[1] if event in _REACHING else arguments[0]
    host = address[0] if isinstance(address, tuple) and address else address
    if not _is_loopback(host):
        raise PermissionError(f"{event} is refused: it leads to another machine")


def _is_of_a_file(arguments: tuple[object, ...]) -> bool:
    return getattr(arguments[0], "family", None) == _AF_UNIX


def _is_loopback(host: object) -> bool:
    if isinstance(host, bytes | bytearray):
        host = bytes(host).decode("ascii", "replace")
    if host == "localhost":
        return True
    from ipaddress import ip_address  # 5 ms, which a process without a server saves

    try:
        address = ip_address(str(host))
    except ValueError:
        return False
    if address.version == 6:
        address = address.ipv4_mapped or address
    return address.is_loopback
