"""The forms in which a value stands in a text: quoted, encoded, coloured, cut."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import quote, unquote

__all__ = ["FORMS", "rest_of"]

_ZWSP = "\u200b"
_WINDOW = 8
"""Characters in a row that must not be left of a secret."""


def _in_json(value: str) -> str:
    return f'{{"text": {json.dumps(value)}, "n": 1}}'


def _in_json_twice(value: str) -> str:
    return json.dumps(_in_json(value))


def _with_escaped_slashes(value: str) -> str:
    return _in_json(value).replace("/", "\\/")


def _in_an_address(value: str) -> str:
    return f"https://example.org/cb?x=1&text={quote(value, safe='/:=?&@')}&y=2"


def _with_hidden_characters(value: str) -> str:
    return _ZWSP.join(value[place : place + 5] for place in range(0, len(value), 5))


def _cut(value: str) -> str:
    return f"... {value[: -len(value) // 4]}..."


def _wrapped(value: str) -> str:
    width = max(24, len(value) // 2)
    lines = [value[place : place + width] for place in range(0, len(value), width)]
    return "\n".join(lines)


def _in_base64(value: str) -> str:
    return f"data: {base64.b64encode(value.encode()).decode()}"


FORMS: Mapping[str, Callable[[str], str]] = {
    "plain": "see {} there".format,
    "alone": str,
    "at the start": "{} is what it is".format,
    "at the end": "what it is: {}".format,
    "in JSON": _in_json,
    "in JSON in JSON": _in_json_twice,
    "with escaped slashes": _with_escaped_slashes,
    "in an address": _in_an_address,
    "percent-encoded": lambda value: f"text%3D{quote(value, safe='')}%0A",
    "coloured": "\x1b[1;32m{}\x1b[0m done".format,
    "with hidden characters": _with_hidden_characters,
    "cut": _cut,
    "wrapped": _wrapped,
    "in base64": _in_base64,
    "in upper case": str.upper,
    "in lower case": str.lower,
    "beside CJK": "密钥是{}。请勿外传".format,
}
"""By name: a function from a value to a text that holds it, in this form."""

_CODE = re.compile(r"[A-Za-z0-9+/]{16,}={0,2}")


def rest_of(secret: str, text: str) -> str:
    """Return a piece of *secret* that *text* still gives away, empty for none.

    A piece is eight characters, in either case, in any of the encodings of `FORMS`.
    """
    pieces = [secret[n : n + _WINDOW] for n in range(max(1, len(secret) - _WINDOW + 1))]
    seen = [reading.casefold() for reading in _readings(text)]
    return next((p for p in pieces if any(p.casefold() in s for s in seen)), "")


def _readings(text: str) -> Iterator[str]:
    for reading in (text, unquote(text), text.replace("\\/", "/")):
        yield reading
        yield re.sub(rf"\x1b\[[0-9;]*m|[\n\\{_ZWSP}]", "", reading)
    for code in _CODE.findall(text):
        padded = code.rstrip("=") + "=" * (-len(code.rstrip("=")) % 4)
        try:
            yield base64.b64decode(padded).decode("utf-8", "replace")
        except ValueError:
            continue
