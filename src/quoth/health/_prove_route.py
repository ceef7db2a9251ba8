"""A network whose only way out ends in a listener, and attempts that must be counted.

All of this happens in a network namespace of its own: nothing it sends can leave.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from ._proof import Control, Obstacle, Packet

__all__ = ["NoRouteError", "Route"]

_LINK, _FAR_END = "quoth0", "quoth1"
# Addresses that are kept for documentation: nobody has them (RFC 5737, RFC 3849).
_NOBODY, _MARK = "192.0.2.1", "192.0.2.99"
_NOBODY_V6 = "2001:db8::99"
_RESOLVER = "203.0.113.53"
_V4: Final = f"""\
link set lo up
link add {_LINK} type veth peer name {_FAR_END}
link set {_FAR_END} up
link set {_LINK} up
addr add 198.51.100.1/32 dev {_LINK}
route add default via 198.51.100.2 dev {_LINK} onlink
neigh add 198.51.100.2 lladdr 02:00:00:00:00:02 dev {_LINK} nud permanent
"""
_V6: Final = f"""\
addr add 2001:db8::1/128 dev {_LINK} nodad
route add default via 2001:db8::2 dev {_LINK} onlink
neigh add 2001:db8::2 lladdr 02:00:00:00:00:02 dev {_LINK} nud permanent
"""
_SERVICES: Final = (
    "/run/dbus",
    "/run/nscd",
    "/run/systemd/resolve",
    "/run/avahi-daemon",
)
"""Where services listen that could carry a look-up out for a process."""
_PATIENCE_S: Final = 10.0

_SEND: Final = """\
import socket, sys
family = socket.AF_INET6 if ":" in sys.argv[1] else socket.AF_INET
socket.socket(family, socket.SOCK_DGRAM).sendto(b"", (sys.argv[1], int(sys.argv[2])))
"""
_CONNECT: Final = """\
import socket, sys
caller = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
caller.setblocking(False)
caller.connect_ex((sys.argv[1], int(sys.argv[2])))
"""
_LOOK_UP: Final = """\
import socket
socket.getaddrinfo("control.example", 80)
"""
_CONNECT_NATIVELY: Final = """\
import ctypes, os, sys
libc = ctypes.CDLL(None)
caller = libc.socket(2, 1 | 0o4000, 0)
parts = [int(part) for part in sys.argv[1].split(".")]
address = (2).to_bytes(2, sys.byteorder) + int(sys.argv[2]).to_bytes(2, "big")
libc.connect(caller, address + bytes(parts) + bytes(8), 16)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attempt:
    code: str
    sends: Packet


_ATTEMPTS: Final[Mapping[str, _Attempt]] = {
    "a datagram": _Attempt(
        code=_SEND, sends=Packet(protocol="udp", to=_NOBODY, port=9)
    ),
    "a connection": _Attempt(
        code=_CONNECT, sends=Packet(protocol="tcp", to=_NOBODY, port=80)
    ),
    "a connection made by the C library": _Attempt(
        code=_CONNECT_NATIVELY, sends=Packet(protocol="tcp", to=_NOBODY, port=81)
    ),
    "the look-up of a name": _Attempt(
        code=_LOOK_UP,
        sends=Packet(protocol="udp", to=_RESOLVER, port=53, about="control.example"),
    ),
}
_ATTEMPT_V6: Final = _Attempt(
    code=_SEND, sends=Packet(protocol="udp", to=_NOBODY_V6, port=9)
)


class NoRouteError(Exception):
    """The network can't be made here."""

    def __init__(self, obstacle: Obstacle) -> None:
        super().__init__(obstacle.says)
        self.obstacle = obstacle


class Route:
    """The network of this process and its children, and what was sent in it.

    Raises:
        NoRouteError: this is no namespace of its own, or a step failed.
    """

    def __init__(self, environ: Mapping[str, str], *, scratch: Path) -> None:
        self._environ = environ
        self._marks = 0
        _refuse_where_a_route_leads_out()
        self._with_v6 = Path("/proc/self/net/if_inet6").exists()
        self._step("ip", "-batch", "-", reads=_V4)
        if self._with_v6:
            # Refused where IPv6 is off for new interfaces. Its control tells.
            with suppress(NoRouteError):
                self._step("ip", "-6", "-batch", "-", reads=_V6)
        self._hide_services(scratch)
        self._seen: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._listener = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-P", "-m", "quoth.health._sniffer", _FAR_END],
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self) -> Self:
        if self._next() != "listening":
            raise NoRouteError(
                Obstacle(says="Nothing can listen on an interface here.")
            )
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._listener.kill()
        self._listener.wait()

    def controls(self) -> tuple[Control, ...]:
        """Make every attempt, and say of each whether it was counted."""
        attempts = dict(_ATTEMPTS)
        if self._with_v6:
            attempts["a datagram over IPv6"] = _ATTEMPT_V6
        return tuple(
            Control(name=name, counted=self._is_counted(attempt))
            for name, attempt in attempts.items()
        )

    def packets(self) -> tuple[Packet, ...] | None:
        """Return what was sent since this was last asked, None if that can't be told.

        A datagram is sent behind it: when that is counted, all before it was, and the
        listener still counts.
        """
        self._marks += 1
        mark = Packet(protocol="udp", to=_MARK, port=1024 + self._marks)
        with self._attempted(_Attempt(code=_SEND, sends=mark)):
            return self._until(mark)

    def _is_counted(self, attempt: _Attempt) -> bool:
        with self._attempted(attempt):
            return self._until(attempt.sends) is not None

    def _until(self, last: Packet) -> tuple[Packet, ...] | None:
        before: list[Packet] = []
        while line := self._next():
            protocol, to, port, about = json.loads(line)
            packet = Packet(protocol=protocol, to=to, port=port, about=about)
            if packet == last:
                return tuple(before)
            before.append(packet)
        return None

    def _next(self) -> str | None:
        try:
            return self._seen.get(timeout=_PATIENCE_S).rstrip("\n") or None
        except queue.Empty:
            return None

    def _read(self) -> None:
        output = self._listener.stdout
        assert output is not None  # noqa: S101 - it was asked for
        for line in output:
            self._seen.put(line)
        self._seen.put("")

    @contextmanager
    def _attempted(self, attempt: _Attempt) -> Iterator[None]:
        sends = attempt.sends
        with subprocess.Popen(  # noqa: S603 - this Python and fixed code
            [sys.executable, "-I", "-c", attempt.code, sends.to, str(sends.port)],
            env=self._environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as process:
            try:
                yield
            finally:  # a look-up would wait for its answer
                process.kill()

    def _hide_services(self, scratch: Path) -> None:
        for service in _SERVICES:
            if Path(service).is_dir():
                self._step("mount", "-t", "tmpfs", "quoth", service)
        resolvers = Path("/etc/resolv.conf").resolve()
        text = f"nameserver {_RESOLVER}\noptions timeout:1 attempts:1\n"
        if not resolvers.exists():  # it led into what was just hidden
            with suppress(OSError):
                resolvers.write_text(text, encoding="ascii")
            return
        ours = scratch / "resolv.conf"
        ours.write_text(text, encoding="ascii")
        self._step("mount", "--bind", str(ours), str(resolvers))

    def _step(self, *command: str, reads: str = "") -> None:
        ended = subprocess.run(  # noqa: S603 - fixed words, and paths of ours
            command,
            check=False,
            capture_output=True,
            env=self._environ,
            input=reads,
            text=True,
        )
        if ended.returncode:
            said = " ".join(ended.stderr.split())
            raise NoRouteError(
                Obstacle(says=f"A network can't be made here: `{command[0]}`: {said}")
            )


def _refuse_where_a_route_leads_out() -> None:
    routes = Path("/proc/self/net/route").read_text(encoding="ascii").splitlines()[1:]
    if routes:
        raise NoRouteError(Obstacle(says="This is no network namespace of its own."))
