"""Which addresses are of this machine alone."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address

__all__ = ["is_loopback", "plain"]


def is_loopback(text: str) -> bool:
    """Return whether *text* is 127/8, also mapped into IPv6, or ::1, without a scope.

    Not `is_loopback` of Python: it depends on the version what that says of
    `::ffff:127.0.0.1`, and it takes the scope of `::1%lo` for a part of the address.
    """
    try:
        address = plain(text)
    except ValueError:
        return False
    if isinstance(address, IPv6Address):
        return address.scope_id is None and int(address) == 1
    return int(address) >> 24 == 127


def plain(text: str) -> IPv4Address | IPv6Address:
    """Return an address, an IPv4 one that is mapped into IPv6 as what it stands for.

    Raises:
        ValueError: *text* is none.
    """
    address = ip_address(text)
    if isinstance(address, IPv6Address) and address.scope_id is None:
        return address.ipv4_mapped or address
    return address
