"""Run another script with sockets forbidden, and processes the hook cannot see into.

Usage: sealed.py SCRIPT ARGUMENTS... Exits with 9 when something was attempted, even
if the script caught the refusal. An audit hook cannot be removed again.
"""

import runpy
import sys

FORBIDDEN = (
    "socket.",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.system",
    "subprocess.Popen",
    "webbrowser.open",
)

attempts: list[str] = []


def refuse(event: str, _arguments: tuple[object, ...]) -> None:
    if event.startswith(FORBIDDEN):
        attempts.append(event)
        raise PermissionError(f"{event} is forbidden here")


def run(script: str) -> None:
    sys.addaudithook(refuse)
    try:
        runpy.run_path(script, run_name="__main__")
    finally:
        if attempts:
            sys.stderr.write(f"attempted: {' '.join(attempts)}\n")
            sys.exit(9)


if __name__ == "__main__":
    del sys.argv[0]
    run(sys.argv[0])
