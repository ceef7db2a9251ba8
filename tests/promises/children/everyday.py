"""What a person does with quoth on an ordinary day, as a process of its own.

Usage: everyday.py HOME PROJECTS. Prints what came back, as one JSON object.
"""

import json
import sys
from pathlib import Path

import quoth
from quoth.model import Mode

QUESTION = "vesting schedule"
NETWORK_MODULES = {
    "aiohttp",
    "asyncio",
    "ftplib",
    "http.client",
    "httpx",
    "requests",
    "smtplib",
    "ssl",
    "urllib.request",
    "urllib3",
    "webbrowser",
    "websockets",
}


def use(home: Path, projects: Path) -> dict[str, object]:
    with quoth.open_archive(home, roots={"claude_code": [projects]}) as archive:
        synced = archive.sync()
        hits = {mode: archive.search(QUESTION, mode=mode).hits for mode in Mode}
        best = hits[Mode.BOTH][0]
        transcript = archive.show(best.conversation)
        verdict = archive.verify(best.citation)
        status = archive.status()
        modes = {
            str(path.relative_to(home)): oct(path.stat().st_mode & 0o7777)
            for path in (home, *home.rglob("*"))
        }
    return {
        "messages_new": synced.messages_new,
        "embedded": synced.embedded,
        "hits": {mode.value: len(found) for mode, found in hits.items()},
        "shown": len(transcript.messages),
        "outcome": verdict.outcome.value,
        "recorded": status.recorded.messages,
        "modes": modes,
        "network_modules": sorted(NETWORK_MODULES & sys.modules.keys()),
    }


if __name__ == "__main__":
    json.dump(use(Path(sys.argv[1]), Path(sys.argv[2])), sys.stdout)
