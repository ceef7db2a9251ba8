"""Listens on one interface and prints what arrives: the only part of quoth that does.

A process of its own, in a network namespace that leads nowhere: `quoth doctor --prove`
starts it there. It receives and never sends.
"""

from __future__ import annotations

import json
import socket
import sys
from ipaddress import ip_address

from ._proof import Packet

__all__ = ["packet_in"]

_EVERYTHING = 0x0003  # ETH_P_ALL
_ARP, _IPV4, _IPV6 = 0x0806, 0x0800, 0x86DD
_NAMES = {1: "icmp", 6: "tcp", 17: "udp", 58: "icmpv6"}
_WITH_PORTS = frozenset({"tcp", "udp"})
_DNS = 53
_OUTGOING = 4  # PACKET_OUTGOING: sent from this end, so by the kernel
_ROOM = 8 << 20


def packet_in(ethernet_type: int, payload: bytes) -> Packet | None:
    """Return what was sent where, or None for what the kernel says by itself.

    That is neighbour discovery and group membership, which stay on their link.
    """
    if ethernet_type == _IPV4 and len(payload) >= 20:
        length = (payload[0] & 15) * 4
        return _packet(payload[9], payload[16:20], payload[length:])
    if ethernet_type == _IPV6 and len(payload) >= 40:
        if payload[6] in (0, 58) and payload[24:26] == b"\xff\x02":
            return None
        return _packet(payload[6], payload[24:40], payload[40:])
    if ethernet_type == _ARP and len(payload) >= 28:
        return Packet(protocol="arp", to=str(ip_address(payload[24:28])))
    return Packet(protocol=f"ethernet type {ethernet_type:#06x}", to="the link")


def _packet(number: int, to: bytes, rest: bytes) -> Packet:
    protocol = _NAMES.get(number, f"protocol {number}")
    has_port = protocol in _WITH_PORTS and len(rest) >= 4
    port = int.from_bytes(rest[2:4], "big") if has_port else None
    asks = protocol == "udp" and port == _DNS
    about = _name_asked_for(rest[8 + 12 :]) if asks else None
    return Packet(protocol=protocol, to=str(ip_address(to)), port=port, about=about)


def _name_asked_for(question: bytes) -> str | None:
    labels = []
    while question and 0 < question[0] < 64:
        labels.append(question[1 : 1 + question[0]].decode("ascii", "replace"))
        question = question[1 + question[0] :]
    return ".".join(labels) or None


def _listen(interface: str) -> None:
    with socket.socket(
        socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(_EVERYTHING)
    ) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _ROOM)
        listener.bind((interface, _EVERYTHING))
        _say("listening")
        while True:
            payload, (_, ethernet_type, kind, *_) = listener.recvfrom(1 << 16)
            found = packet_in(ethernet_type, payload) if kind != _OUTGOING else None
            if found is not None:
                said = [found.protocol, found.to, found.port, found.about]
                _say(json.dumps(said))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _listen(sys.argv[1])
