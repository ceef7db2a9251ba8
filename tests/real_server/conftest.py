"""llama.cpp's own server, with MiniLM, where a folder has been made for it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

Serve = Callable[[str], str]
"""Starts a server with the model of that name, and returns its endpoint."""

VARIABLE = "QUOTH_REAL_SERVER"


@pytest.fixture(scope="session")
def serve() -> Iterator[Serve]:
    given = os.environ.get(VARIABLE)
    if not given:
        pytest.skip("no real server here: tools/real_server.py makes one")
    folder = Path(given)
    with ExitStack() as running:
        yield lambda model: _started(folder, model, running)


def _started(folder: Path, model: str, running: ExitStack) -> str:
    process = running.enter_context(
        subprocess.Popen(
            [
                folder / "venv" / "bin" / "python",
                Path(__file__).with_name("serve.py"),
                folder / f"{model}.gguf",
                model,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    )
    assert process.stdin is not None
    assert process.stdout is not None
    running.callback(process.stdin.close)
    return process.stdout.readline().strip()
