"""A model server on this machine that is none, for the commands that ask one.

It answers as Ollama and as llama.cpp do, with vectors of words' digests.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

__all__ = ["model_server"]

_CODE: Final = """\
import hashlib, json, math, socketserver
from http.server import BaseHTTPRequestHandler

WIDTH = 64
NAME = "proof:latest"
GOT = {
    "/api/version": {"version": "0.12.0"},
    "/api/tags": {"models": [{
        "name": NAME, "model": NAME, "size": 1, "digest": "0" * 64,
        "details": {"family": "bert", "format": "gguf"},
    }]},
    "/v1/models": {"object": "list", "data": [{"id": "proof", "object": "model"}]},
}
SHOWN = {
    "details": {"family": "bert", "format": "gguf"},
    "capabilities": ["embedding"],
    "model_info": {
        "general.architecture": "bert",
        "bert.context_length": 512,
        "bert.embedding_length": WIDTH,
    },
}

def vector(text):
    sums = [1e-3] * WIDTH
    for word in text.lower().split():
        digest = hashlib.sha256(word.encode()).digest()
        sums[digest[0] % WIDTH] += 1
        sums[digest[1] % WIDTH] -= 1
    length = math.sqrt(sum(each * each for each in sums))
    return [each / length for each in sums]

class Handler(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, found):
        body = json.dumps(found or {"error": "not found"}).encode()
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(GOT.get(self.path))

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        texts = asked.get("input", asked.get("prompt", []))
        texts = [texts] if isinstance(texts, str) else texts
        vectors = [vector(text) for text in texts]
        listed = [
            {"object": "embedding", "index": index, "embedding": each}
            for index, each in enumerate(vectors)
        ]
        self.answer({
            "/api/show": SHOWN,
            "/api/pull": {"status": "success"},
            "/api/embed": {"model": NAME, "embeddings": vectors},
            "/v1/embeddings": {"object": "list", "model": "proof", "data": listed},
        }.get(self.path))

class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

with Server(("127.0.0.1", 0), Handler) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
"""


@contextmanager
def model_server(environ: Mapping[str, str]) -> Iterator[str]:
    """Give the address of a server that ends with this."""
    with subprocess.Popen(  # noqa: S603 - this Python and fixed code
        [sys.executable, "-I", "-c", _CODE],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            output = process.stdout
            assert output is not None  # noqa: S101 - it was asked for
            yield f"http://127.0.0.1:{output.readline().strip()}"
        finally:
            process.kill()
