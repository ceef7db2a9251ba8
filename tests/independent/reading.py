"""Records of a transcript, read with nothing but the standard library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import zstandard

__all__ = ["Record", "maybe", "records", "text_in", "things"]

Record = dict[str, Any]


def records(path: Path) -> Iterator[Record]:
    """Yield every object of a file of lines, also where several share one line."""
    content = path.read_bytes()
    if path.suffix == ".zst":
        content = zstandard.ZstdDecompressor().decompressobj().decompress(content)
    for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        yield from _objects(line.strip(b"\0\r ").decode("utf-8", "replace"))


def _objects(line: str) -> Iterator[Record]:
    decoder = json.JSONDecoder()
    while line:
        try:
            value, end = decoder.raw_decode(line)
        except ValueError:
            return
        if isinstance(value, dict):
            yield value
        line = line[end:].lstrip()


def maybe(value: object, *names: str) -> Any:
    """Return what is at the end of a path of names, or None where there is no path."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def things(value: object) -> list[Record]:
    """Return the objects of a list, and nothing of what is no list."""
    listed = value if isinstance(value, list) else []
    return [one for one in listed if isinstance(one, dict)]


def text_in(content: object) -> str:
    """Return the text of a string, of one part, or of a list of parts."""
    if isinstance(content, str):
        return content.strip()
    if isinstance(content, dict):
        return text_in(content.get("text"))
    parts = (text_in(part) for part in content) if isinstance(content, list) else ()
    return "\n".join(filter(None, parts)).strip()
