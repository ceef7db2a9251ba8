"""Ways to reach a port, run in a process of its own. Prints those that got there.

    python ways_out.py PORT LAYER...

The layers, of `audit` and `kernel`, are put on first.
"""

from __future__ import annotations

import asyncio
import ctypes
import json
import socket
import struct
import subprocess
import sys
import urllib.request
import webbrowser
from collections.abc import Callable

HOST, PORT = "127.0.0.1", int(sys.argv[1])
LAYERS = set(sys.argv[2:])


def connect() -> None:
    with socket.create_connection((HOST, PORT), timeout=2):
        pass


def connect_ex() -> None:
    with socket.socket() as one:
        one.settimeout(2)
        if one.connect_ex((HOST, PORT)):
            raise OSError


def datagram() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as one:
        one.sendto(b"x", (HOST, PORT))


def bind() -> None:
    with socket.socket() as one:
        one.bind((HOST, 0))


def look_up() -> None:
    socket.getaddrinfo("localhost", PORT)


def with_urllib() -> None:
    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
        f"http://{HOST}:{PORT}/", timeout=2
    )


def with_asyncio() -> None:
    async def reach() -> None:
        _, writer = await asyncio.open_connection(HOST, PORT)
        writer.close()

    asyncio.run(reach())


def with_c() -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    number = libc.socket(2, 1, 0)
    address = struct.pack("=H", 2) + struct.pack("!H4s8x", PORT, socket.inet_aton(HOST))
    if number < 0 or libc.connect(number, address, len(address)):
        raise OSError(ctypes.get_errno(), "refused")


def child() -> None:
    code = f"import socket; socket.create_connection(({HOST!r}, {PORT}), timeout=2)"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def browser() -> None:
    """A browser that runs already connects for whoever asks it."""
    webbrowser.register("none", None, webbrowser.GenericBrowser("true"), preferred=True)
    webbrowser.open(f"http://{HOST}:{PORT}/")


def file_socket() -> None:
    one, other = socket.socketpair()
    with one, other:
        one.send(b"x")


WAYS: dict[str, Callable[[], None]] = {
    "connect": connect,
    "connect_ex": connect_ex,
    "datagram": datagram,
    "bind": bind,
    "look-up": look_up,
    "urllib": with_urllib,
    "asyncio": with_asyncio,
    "C": with_c,
    "child": child,
    "browser": browser,
    "file socket": file_socket,
}


def main() -> None:
    if "audit" in LAYERS:
        from quoth.seal._audit import forbid_connections

        forbid_connections()
    if "kernel" in LAYERS:
        from quoth.seal._bpf import sealed_program
        from quoth.seal._kernel import filter_system_calls

        filter_system_calls(sealed_program)
    worked = []
    for name, way in WAYS.items():
        try:
            way()
        except Exception:  # noqa: S112 - however it was refused
            continue
        worked.append(name)
    print(json.dumps(worked))  # noqa: T201 - for the test


if __name__ == "__main__":
    main()
