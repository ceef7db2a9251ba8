"""Try to open one connection: the proof that a proof can fail.

Usage: connect.py ADDRESS PORT. Anything but loopback is tried only where no route
leads out.
"""

import socket
import sys
from pathlib import Path


def routes() -> list[str]:
    return Path("/proc/net/route").read_text(encoding="ascii").splitlines()[1:]


if __name__ == "__main__":
    address, port = sys.argv[1], int(sys.argv[2])
    if address != "127.0.0.1" and routes():
        sys.exit("a route leads out of here: refusing to try")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as caller:
        caller.settimeout(5)
        caller.connect((address, port))
