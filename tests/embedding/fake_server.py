"""A server on this machine that speaks both protocols, and fails as it is told to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

__all__ = ["FakeServer", "Reply", "running"]

Reply = tuple[int, object]
"""A status, and what is sent as JSON; bytes are sent as they are."""

DIMENSIONS = 32
POISON = "lighthouse"


def vector_of(text: str) -> list[float]:
    """Return a vector of hashed words, not of unit length."""
    found = [0.0] * DIMENSIONS
    for word in re.findall(r"\w+", text.lower()):
        digest = sha256(word.encode("utf-8", "replace")).digest()
        found[digest[0] % DIMENSIONS] += 1.0
        found[digest[1] % DIMENSIONS] -= 0.5
    found[0] += 0.01
    return found


@dataclass
class FakeServer:
    """What the server has and does; and what it was asked.

    Attributes:
        models: As Ollama lists them.
        shown: What Ollama says of each, by its name.
        vector: Gives what stands where a text's vector should.
        reply: Changes an answer, or gives another, by path and request.
        most: Characters; a longer text is refused.
        asked: The path of each request and what came with it.
    """

    models: list[dict[str, Any]] = field(
        default_factory=lambda: [
            {"name": "tiny:latest", "size": 1_000, "digest": "ab" * 32}
        ]
    )
    shown: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    vector: Callable[[str], object] = vector_of
    reply: Callable[[str, Any, Reply], Reply] = lambda path, asked, reply: reply  # noqa: ARG005
    most: int = 100_000
    is_old: bool = False
    asked: list[tuple[str, Any]] = field(default_factory=list)
    port: int = 0
    held: Event = field(default_factory=Event)

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def texts(self) -> list[str]:
        """Return every text that came, in the order of the requests."""
        return [text for _, asked in self.asked for text in _texts_in(asked)]

    def requests(self, path: str) -> list[Any]:
        """Return what came with each request of a path."""
        return [asked for each, asked in self.asked if each == path]

    def answer(self, path: str, asked: Any) -> Reply:
        self.asked.append((path, asked))
        return self.reply(path, asked, self._answer(path, asked))

    def _answer(self, path: str, asked: Any) -> Reply:
        match path:
            case "/api/tags":
                return 200, {"models": self.models}
            case "/api/show":
                return self._show(asked["model"])
            case "/api/pull":
                self.models.append({"name": asked["model"], "size": 274_000_000})
                return 200, {"status": "success"}
            case "/v1/models":
                ids = [{"id": each["name"], **each} for each in self.models]
                return 200, {"object": "list", "data": ids}
            case "/api/embed" if not self.is_old:
                return self._embed(asked, lambda rows: {"embeddings": rows})
            case "/api/embeddings":
                return self._embed(asked, lambda rows: {"embedding": rows[0]})
            case "/v1/embeddings":
                return self._embed(asked, lambda rows: _as_data(asked["model"], rows))
            case _:
                return 404, b"404 page not found"

    def _show(self, name: str) -> Reply:
        if name not in self.shown:
            return 404, {"error": f"model '{name}' not found"}
        return 200, self.shown[name]

    def _embed(self, asked: Any, form: Callable[[list[object]], object]) -> Reply:
        texts = _texts_in(asked)
        if any(len(text) > self.most for text in texts):
            return 400, {"error": "the input length exceeds the context length"}
        return 200, form([self.vector(text) for text in texts])


def _texts_in(asked: Any) -> list[str]:
    if not isinstance(asked, dict):
        return []
    given: Any = asked.get("input", asked.get("prompt", []))
    return [given] if isinstance(given, str) else list(given)


def _as_data(model: str, rows: list[object]) -> dict[str, object]:
    data = [{"index": index, "embedding": row} for index, row in enumerate(rows)]
    return {"object": "list", "model": model, "data": data}


@contextmanager
def running(fake: FakeServer) -> Iterator[FakeServer]:
    """Let the server answer at a port of its own, until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(*fake.answer(self.path, None))

        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            self._send(*fake.answer(self.path, json.loads(self.rfile.read(length))))

        def log_message(self, *_: object) -> None:
            pass

        def _send(self, status: int, content: object) -> None:
            body = (
                content if isinstance(content, bytes) else json.dumps(content).encode()
            )
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    fake.port = server.server_port
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield fake
    finally:
        fake.held.set()
        server.shutdown()
        server.server_close()
        thread.join()
