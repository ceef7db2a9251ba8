"""Where a server is: as it was chosen, as Ollama's own variable says, or as usual."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from quoth.errors import EndpointError
from quoth.loopback import LoopbackUrl
from quoth.model import EmbedderChoice, EmbedderKind

__all__ = ["OLLAMA_HOST", "endpoint_of"]

OLLAMA_HOST = "OLLAMA_HOST"

_USUAL = "http://127.0.0.1:11434"

# As Ollama itself reads it: everything may be left out, and quotes may be around it.
_LENIENT = re.compile(
    r"(?:(?P<scheme>https?)://)?"
    r"(?P<host>\[[^\]/]*\]|[^:/\[\]]*)"
    r"(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>/.*)?"
)
_PORTS = {None: "11434", "http": "80", "https": "443"}
_EVERYWHERE = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}  # noqa: S104 - never bound

_API = re.compile(r"/(?:v1|api)\Z")


def endpoint_of(choice: EmbedderChoice, environ: Mapping[str, str]) -> LoopbackUrl:
    """Return where the server of *choice* is, without the `/v1` that may end it.

    Raises:
        EndpointError: It is none, or not on this machine, or none was given.
    """
    url = _url_of(choice, environ)
    return replace(url, path=_API.sub("", url.path))


def _url_of(choice: EmbedderChoice, environ: Mapping[str, str]) -> LoopbackUrl:
    if choice.endpoint:
        return LoopbackUrl.parse(choice.endpoint)
    if choice.kind is not EmbedderKind.OLLAMA:
        raise EndpointError("none was given")
    said = environ.get(OLLAMA_HOST, "").strip().strip("\"'").strip()
    return LoopbackUrl.parse(_spelled_out(said) if said else _USUAL)


def _spelled_out(said: str) -> str:
    """Return what Ollama's variable says as an address that a client can ask.

    What a server listens at, all addresses, is for a client this machine's own.
    """
    found = _LENIENT.fullmatch(said)
    if found is None:
        return said
    scheme = found["scheme"]
    host = _EVERYWHERE.get(found["host"], found["host"])
    port = found["port"] or _PORTS[scheme]
    path = (found["path"] or "").rstrip("/")
    return f"{scheme or 'http'}://{host}:{port}{path}"
