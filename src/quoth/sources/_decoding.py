"""Decoding JSON as other programs leave it: glued together, torn, not quite Unicode."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any

__all__ = [
    "OPEN_STRING",
    "decoded",
    "decoded_from",
    "end_of_first",
    "is_object",
    "objects_in",
]

OPEN_STRING = "a string is not closed"
"""The problem that a line may have because it goes on in the next one."""

_MOST_RESTARTS = 200
_MOST_READ = 256 * 1024 * 1024
"""How often, and over how many characters, a whole object is looked for on a line."""

_DECODER = json.JSONDecoder(strict=False)  # raw control characters occur in strings
_ANY_NUMBER = json.JSONDecoder(strict=False, parse_int=float)
_UNBINDABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_RESTART = re.compile(
    r'\{"(?:type|timestamp|parentUuid|isSidechain|uuid|id|record_type|role)":'
)


def objects_in(text: str) -> tuple[list[dict[str, Any]], str | None]:
    """Return the objects on a line, and what was wrong with it."""
    try:
        value = decoded(text)
    except json.JSONDecodeError as exc:
        return _recovered(text, exc)
    except RecursionError:
        return [], "nested too deeply"
    if not isinstance(value, dict):
        return [], "not an object"
    return [value], None


def is_object(text: str) -> bool:
    """Say whether *text* is one JSON object and nothing else."""
    if not (text.startswith("{") and text.endswith("}")):
        return False
    try:
        return isinstance(_DECODER.decode(text), dict)
    except (ValueError, RecursionError):
        return False


def end_of_first(text: str) -> int | None:
    """Return where the first value of *text* ends: past *text*, if it goes on there.

    None means that no text behind this one could make a value of it.
    """
    try:
        return _ANY_NUMBER.raw_decode(text)[1]
    except json.JSONDecodeError as exc:
        is_open = exc.msg.startswith("Unterminated") or exc.pos >= len(text) - 1
        return len(text) + 1 if is_open else None
    except RecursionError:
        return None


def decoded(text: str) -> Any:
    """Return a JSON value, without the lone surrogates and NULs escaped in it.

    Raises:
        ValueError: It is not valid JSON.
        RecursionError: It is nested too deeply.
    """
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer of more digits than Python will convert
        value = _ANY_NUMBER.decode(text)
    dirty = "\\u" in text and _UNBINDABLE.search(text)
    return _clean(value) if dirty else value


def decoded_from(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value that begins at *start* and where it ends, as `decoded`.

    Raises:
        ValueError: It is not valid JSON, or not all of it.
        RecursionError: It is nested too deeply.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError:
        raise
    except ValueError:
        value, end = _ANY_NUMBER.raw_decode(text, start)
    dirty = _UNBINDABLE.search(text, start, end) or text.find("\0", start, end) >= 0
    if dirty or _SURROGATE.search(text, start, end):
        value = _clean(value)
    return value, end


def _recovered(
    text: str, exc: json.JSONDecodeError
) -> tuple[list[dict[str, Any]], str | None]:
    """Take glued objects apart; after a torn one go on at the next that is whole."""
    values, end = _glued(text, 0)
    if values and end == len(text):
        return values, None
    unread = _MOST_READ
    for restart in islice(_RESTART.finditer(text, end + 1), _MOST_RESTARTS):
        rest = text[restart.start() :]  # to raise, the decoder counts from the start
        more, after = _glued(rest, 0)
        if more and after == len(rest):
            return values + more, f"cut short; {len(more)} glued to it recovered"
        unread -= len(rest)
        if unread < 0:
            break
    if values:
        return values, f"cut short after {len(values)} whole"
    if exc.msg.startswith("Unterminated string") and text.startswith("{"):
        return [], OPEN_STRING
    return [], "not valid JSON"


def _glued(text: str, start: int) -> tuple[list[dict[str, Any]], int]:
    """Return the objects that stand one after another from *start*, and their end."""
    values: list[dict[str, Any]] = []
    end = start
    # The look at the brace matters: to raise an error the decoder counts all lines.
    while text.startswith("{", end):
        try:
            value, after = _DECODER.raw_decode(text, end)
            values.append(_clean(value))
        except (ValueError, RecursionError):
            break
        while after < len(text) and text[after] in " \t\r\0":
            after += 1
        end = after
    return values, end


def _clean(value: Any) -> Any:
    """Replace what neither SQLite nor a terminal takes: lone surrogates and NUL."""
    if isinstance(value, str):
        value = value.replace("\0", " ")
        if _SURROGATE.search(value):
            value = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return value
    if isinstance(value, list):
        return [_clean(item) for item in value]
    if isinstance(value, dict):
        return {_clean(key): _clean(item) for key, item in value.items()}
    return value
