"""Secrets that nothing gives away but that no person would write what they hold."""

from __future__ import annotations

import base64
import re

from ._drawn import entropy, is_drawn
from ._rule import FAILED, Found, Rule
from ._values import is_joined
from ._wraps import unwrapped

__all__ = ["DRAWN"]

_LEAST, _MOST = 24, 200
"""Characters. Shorter ones are as often names, longer ones are files in base64."""
_MOST_URLSAFE = 700
"""Characters, where neither `+` nor `/` is among them, as it would be in a file.

The private exponent of an RSA key of 4,096 bits has 683, in a JSON web key.
"""

_REACH = 20_000
"""Characters of armour, at most."""

_LONG = 40
"""Characters from which letters of both cases are enough, without a digit."""

_ANY = r"[A-Za-z0-9+/_-]"
_RUN = re.compile(
    rf"(?<!{_ANY})(?=[A-Z0-9+/_-]*+[a-z])(?=[a-z0-9+/_-]*+[A-Z]){_ANY}{{{_LEAST},}}"
)
"""A run of both cases: one look at its start tells, not one at each character."""
_VALUE = re.compile(
    r"(?:(?<=\\)(?:[nrtbf]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2})|(?<=%)[0-9A-Fa-f]{2}"
    r"|(?<=[\[;])[0-9]{1,3}m)?"
    r"(?P<value>[A-Za-z0-9+/_-]{1,65536}+={0,2})"
)
"""The rest of an escape or of a colour code before it is no part of it."""
_FOLDERS = re.compile(r"(?>(?:/[a-z][a-z_-]{4,64}+){1,16})\Z")
"""What follows a secret that is the name of a folder: `.../conversations`."""

_CASES = re.compile(r"(?=[^a-z]{0,200}[a-z])(?=[^A-Z]{0,200}[A-Z])")
_TWO_DIGITS = re.compile(r"(?:[^0-9]{0,200}[0-9]){2}")
_LEAST_BITS = 3.7
_MOST_LIKE, _MOST_LIKE_IN_LETTERS = 0.4, 0.2

_KNOWN = re.compile(
    r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T_-][0-9_-]{2,16}Z?)?"
    r"|(?<![A-Za-z0-9])(?:[0-9a-f]{7,512}|[0-9A-F]{7,512})(?![A-Za-z0-9])"
    r"|(?:abcdefgh|ABCDEFGH)[A-Za-z]{8,}"
)
"""UUIDs, dates, numbers in hex, alphabets: they tell nothing."""

_DIGEST_BEFORE = re.compile(
    r"(?i:(?:sha|md)-?[0-9]{1,3}|sha|integrity|etag|digest|checksum|hash|fingerprint"
    r"|commit|base64|signature|nonce|public[_-]?key|ssh-[a-z0-9]{2,10}|h1|narhash"
    r"|uuid|crc|ecdsa-sha2-nistp[0-9]{3}|\?b)"
    r"(?:[\"']?[ \t]{0,2}[-:=,/ ?][ \t]{0,2}[\"']?|[-:=/,]{1,2})\Z"
)
_FILE = re.compile(
    r"iVBORw0KGgo|/9j/|R0lGOD|UklGR|Qk[0-9A-Za-z+/]{6}AAAA|PHN2Zy|LS0tLS1CRUdJTi|PD94bWwg|JVBERi0|UEsDB|H4sI"
    r"|d09GM|d09GR|AAEAAAA|AAAAB3NzaC1|AAAAE2VjZHNh|AAAAC3NzaC1|T2dnUw|SUkqA|AGFzbQ|AAAA"
)
"""Pictures, fonts, archives, programs and public keys, by how they begin in base64."""
_SPEAKS = re.compile(
    r"(?i:passw|secret|token|_key|authoriz|private key)|sk-[A-Za-z0-9]|gh[pousr]_|AKIA"
    r"|xox[a-z]-|eyJ|://[^/\s:@]{0,64}:[^/\s@]{1,64}@"
)
_ID = re.compile(
    r"(?:[a-z]{2,12}_)?(?:toolu|msg|req|call|chatcmpl|resp|fc|rs|run|thread|asst|file|item|gen|srvtoolu"
    r"|session|conv|ws|ig|ctc|task|part|prt|ses|fp|step|tool|chat|evt)[_-][A-Za-z0-9]"
    r"|(?:acct|ch|cus|evt|in|pi|pm|price|prod|seti|si|sub|txn)_[A-Za-z0-9]{14,32}(?![A-Za-z0-9_])"
)
"""Ids that assistants give to messages and calls, and Stripe to what it sells."""


def _is_public(text: str, start: int, value: str) -> bool:
    """Whether it is the content, the hash or the address of a thing, by its place."""
    if _FILE.match(value) or _ID.match(value):
        return True
    before = text[max(0, start - 32) : start]
    return (
        bool(_DIGEST_BEFORE.search(before))
        or text.startswith("@", start + len(value))
        or _is_in_path(text, start)
        or _is_in_armour(text, start)
    )


def _is_in_armour(text: str, start: int) -> bool:
    """Whether it is a line of a certificate, of a public key, of a signed message."""
    begin = text.rfind("-----BEGIN ", max(0, start - _REACH), start)
    if begin < 0 or "PRIVATE" in text[begin : begin + 64]:
        return False
    return text.find("-----END ", begin, start) < 0


def _is_in_path(text: str, start: int) -> bool:
    """Whether it stands in the path of an address, not in its parameters."""
    before = text[max(0, start - 160) : start].split()
    if not before or text[start - 1].isspace():
        return False
    _, found, rest = before[-1].rpartition("://")
    return bool(found) and not any(mark in rest for mark in "?#=\"'")


def _is_drawn(value: str) -> bool:
    core = value.rstrip("=")
    most = _MOST if "+" in core or "/" in core else _MOST_URLSAFE
    if len(core) > most or not _CASES.match(core):
        return False
    if is_joined(core):
        return False
    core = _KNOWN.sub("", core)
    return (
        len(core) >= _LEAST
        and bool(_CASES.match(core))
        and is_drawn(core, most=_most_like(core))
        and entropy(core) >= _LEAST_BITS
    )


def _most_like(core: str) -> float:
    """Return how like to text it may be: less where it is short and has no figures."""
    if len(core) >= _LONG or _TWO_DIGITS.match(core):
        return _MOST_LIKE
    return _MOST_LIKE_IN_LETTERS


def _encodes_secret(value: str) -> bool:
    """Whether it is a text in base64 that speaks of a secret."""
    if "-" in value or "_" in value:
        return False
    decoded = base64.b64decode(value[: len(value) // 4 * 4])
    if not decoded[:64].isascii():
        return False
    text = decoded.decode("ascii", "replace")
    return bool(_SPEAKS.search(text)) or any(
        _is_drawn(run) for run in _RUN.findall(text)
    )


def _end(text: str, start: int, end: int) -> int:
    """Return the end of the line's rest, where a rest too short for itself follows."""
    view = unwrapped(text, start)
    if view is None or len(view.starts) != 2 or view.ends[0] != end:
        return end
    return view.ends[1] if view.ends[1] - view.origins[1] < _LEAST else end


def _find(text: str, start: int) -> Found:
    match = _VALUE.match(text, start)
    work = FAILED // 4 + (match.end() - start if match else 0)
    if match is None or not _is_secret(match):
        return Found(0, 0, work)
    place, end = match.span("value")
    if folders := _FOLDERS.search(match["value"], max(0, len(match["value"]) - _MOST)):
        end = place + folders.start()
    return Found(place, _end(text, place, end), work)


def _is_secret(match: re.Match[str]) -> bool:
    value, place = match["value"], match.start("value")
    return (_is_drawn(value) or _encodes_secret(value)) and not _is_public(
        match.string, place, value
    )


DRAWN = (Rule(name="high_entropy_secret", keys=(), scan=_RUN, edge=False, find=_find),)
