"""What leaves quoth: redacted as a value, and looked at again as finished output."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from quoth.errors import LeakError
from quoth.model import Page

from ._snippets import without_what_was_cut
from ._text import Redactor
from ._walk import Walk

__all__ = ["check_leaving", "leaving"]

T = TypeVar("T")


def leaving(value: T, redactor: Redactor) -> tuple[T, Mapping[str, int]]:
    """Return *value* redacted, and the number of replacements by rule in this output.

    No field is left out: a key may be a path that holds a name. A snippet of a page
    shows no more than its whole text does.
    """
    walk = Walk(redactor)
    redacted: Any = walk.redacted(value)
    if isinstance(value, Page):
        hits = map(without_what_was_cut, redacted.hits, value.hits)
        redacted = replace(redacted, hits=tuple(hits))
    return redacted, dict(walk.counts)


def check_leaving(text: str, redactor: Redactor) -> None:
    """Look at finished output once more, whatever it went through before.

    JSON, or lines of it, is looked at as its reader gets it, string by string: as
    written, `\\n@app.route` reads as an address, and an escape may hide a key.

    Raises:
        LeakError: A rule still finds something, or the text is too much work to tell.
    """
    found: set[str] = set()
    for piece in _as_read(text):
        found |= redactor.redact_counted(piece)[1].keys()
    if found:
        raise LeakError(sorted(found - {"withheld"}))


def _as_read(text: str) -> Iterator[str]:
    documents = _documents(text)
    if documents is None:
        yield text
    else:
        yield from set(_strings(documents))


def _documents(text: str) -> list[Any] | None:
    """Return the JSON documents that *text* is, one or one a line, or None."""
    if text.lstrip()[:1] not in {"{", "[", '"'}:
        return None
    for pieces in ([text], text.splitlines()):
        try:
            return [json.loads(piece) for piece in pieces if piece.strip()]
        except (ValueError, RecursionError):
            continue
    return None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
