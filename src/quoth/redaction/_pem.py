"""Private keys in armour: whole, cut at either end, escaped, numbered or encoded."""

from __future__ import annotations

import base64
import re

from ._rule import FAILED, Found, Rule, anchored, around
from ._values import is_syntax

__all__ = ["PEM"]

_REACH = 20_000
"""Characters. An RSA key of 8,192 bits takes 6,500, and more when it is escaped."""

_NEAR = 400
"""Characters within which a key begins, after its encryption headers if it has any."""

_SPACE = r"(?:[ +]|%20)"
_NAME = rf"{_SPACE}(?:[A-Z0-9]{{1,12}}{_SPACE}){{0,4}}PRIVATE{_SPACE}KEY"
_LABEL = rf"{_NAME}(?:{_SPACE}BLOCK)?[ ]?(?:-{{4,5}})?"
_BEGIN = re.compile(rf"- ?BEGIN{_LABEL}")
_END = re.compile(rf"- ?END{_LABEL}")
_DASHES = re.compile(r"-{3,4}\Z")
_CODE_RUN = re.compile(r"(?=[A-Za-z+/]{0,32}[0-9])[A-Za-z0-9+/]{32}")

_GAP = r"(?>(?:\\+[nrt]|%0[AaDd]|%20|[^A-Za-z0-9+/=%\\-]|[0-9]{1,6}(?=[\t→:| ])){0,64})"
_INFO = r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash):[^\n\\]{0,160}+"
_CODE = r"(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd])"
_LAST = r"(?![A-Z]?[a-z]+\b)[A-Za-z0-9+/=]{3,76}+(?![^\s\"'`\\])"
_LINES = re.compile(
    rf"(?>(?:{_GAP}{_INFO}){{0,6}})"
    rf"(?>(?:{_GAP}{_CODE}{{20,8192}}+){{1,500}})(?:{_GAP}{_LAST})?"
)
_CUT_OFF = re.compile(r"(?:\\+[nr]|[\s\"'`+;,)]){0,16}\Z")
"""What may stand behind a line of armour that is the last of a text."""
_MARGIN_WIDTH = 40
"""Characters of a time or a number before a line."""
_LINE_BREAK = re.compile(r"\r?\n|\\+r\\+n|\\+n|%0A")
_MARGIN = r"[^A-Za-z0-9+/=]{0,8}(?:[0-9]{1,6}[\t→:| ]{1,4})?"
_CODE_LINE = re.compile(rf"{_MARGIN}[A-Za-z0-9+/]{{16,8192}}={{0,2}}[\"',+ ]{{0,6}}")
_LAST_LINE = re.compile(rf"{_MARGIN}=?[A-Za-z0-9+/]{{1,76}}={{0,2}}[\"',+ ]{{0,6}}")
_PUTTY_LINES = re.compile(rf"Private-Lines: ?[0-9]{{0,4}}{_LINES.pattern}")
_PUTTY_END = re.compile(r"Private-(?:MAC|Hash): ?[0-9a-fA-F]{40,64}")


def _whole(text: str, start: int) -> Found:
    """Find a key from its first line to its last, or to the last line that is there."""
    label = _BEGIN.match(text, start)
    dashes = _DASHES.search(text, max(0, start - 6), start)
    if label is None or dashes is None:
        return Found(0, 0, FAILED)
    body = label.end()
    limit = min(len(text), body + _REACH)
    following = text.find("BEGIN", body, limit)
    limit = limit if following < 0 else following
    if end := _END.search(text, body, limit):
        found = end.end() if _holds_key(text, body, end.start()) else 0
        return Found(dashes.start(), found, FAILED + end.end() - start)
    if lines := _LINES.match(text, body):
        found = lines.end()
    else:
        found = body if _CUT_OFF.match(text, body) else 0
    return Found(dashes.start(), found, FAILED + max(found, limit) - start)


def _holds_key(text: str, body: int, end: int) -> bool:
    """Whether code stands between the two lines, not `...` or a program about keys."""
    if end - body < _NEAR:
        inside = text[body:end].replace("\\n", "\n").strip("\n -")
        return bool(_CODE_RUN.search(inside)) or (
            any(char.isalnum() for char in inside) and not is_syntax(inside)
        )
    return bool(
        _LINES.match(text, body, end) or _CODE_RUN.search(text, body, body + _NEAR)
    )


def _beheaded(text: str, start: int) -> Found:
    """Find the lines of code before an END line whose BEGIN was cut off."""
    label = _END.match(text, start)
    dashes = _DASHES.search(text, max(0, start - 6), start)
    if label is None or dashes is None:
        return Found(0, 0, FAILED)
    last = dashes.start()
    if _is_alone(text, last, label.end()):
        return Found(last, label.end(), FAILED)
    first = max(0, last - _REACH)
    first = max(first, text.rfind("---", first, last) + 3)
    begin = _first_line(text, _pieces(text, first, last))
    lines = _LINES.match(text, begin, last)
    return Found(begin, label.end() if lines else 0, FAILED + start - first)


def _is_alone(text: str, start: int, end: int) -> bool:
    """Whether the last line of a key is all that a cut left: the text ends with it."""
    if not _CUT_OFF.match(text, end):
        return False
    line = text.rfind("\n", 0, start) + 1
    before = text[max(0, start - _REACH) : start]
    return start - line <= _MARGIN_WIDTH and "BEGIN" not in before


def _first_line(text: str, pieces: list[tuple[int, int]]) -> int:
    """Return where the lines of code begin that end with the last of *pieces*."""
    begin, allowed = pieces[-1][1], 2
    for start, end in reversed(pieces):
        if start < end and not _CODE_LINE.fullmatch(text, start, end):
            if not allowed or not _LAST_LINE.fullmatch(text, start, end):
                break
            allowed -= 1
        begin = start
    return begin


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the lines between two places; a line may end in an escaped break."""
    pieces = []
    for line_break in _LINE_BREAK.finditer(text, start, end):
        pieces.append((start, line_break.start()))
        start = line_break.end()
    return [*pieces, (start, end)]


def _putty(text: str, start: int) -> Found:
    """Find a PuTTY key from its first line to its checksum or its last line."""
    limit = min(len(text), start + _REACH)
    following = text.find("PuTTY", start + 1, limit)
    limit = limit if following < 0 else following
    if end := _PUTTY_END.search(text, start, limit):
        return Found(start, end.end(), end.end() - start)
    private = text.find("Private-Lines:", start, limit)
    lines = _PUTTY_LINES.match(text, private) if private >= 0 else None
    found = lines.end() if lines else 0
    return Found(start, found, FAILED + max(limit, found) - start)


def _is_private(match: re.Match[str]) -> bool:
    """Whether the first line in base64 says so: certificates are encoded alike."""
    return b"PRIVATE KEY" in base64.b64decode(match.group()[:80] + "==")


# The last two rules: how keys begin in base64, for lines whose armour was lost.
PEM = (
    Rule(name="pem_private_key", keys=("-BEGIN", "- BEGIN"), edge=False, find=_whole),
    Rule(name="pem_private_key", keys=("-END", "- END"), edge=False, find=_beheaded),
    Rule(name="pem_private_key", keys=("PuTTY-User-Key-File-",), find=_putty),
    Rule(
        name="pem_private_key",
        keys=("AGE-SECRET-KEY-1",),
        find=anchored(r"AGE-SECRET-KEY-1[0-9A-Z]{50,64}+"),
    ),
    Rule(
        name="pem_private_key",
        keys=("LS0tLS1CRUdJTi",),
        edge=False,
        find=anchored(r"LS0tLS1CRUdJTi[A-Za-z0-9+/]{66,20000}+={0,2}", _is_private),
    ),
    Rule(
        name="pem_private_key",
        keys=("IBADANBgkqhkiG9w0BAQEFAASC", "IBAAKBg", "IBAAKCA"),
        edge=False,
        find=around(
            r"(?<![A-Za-z0-9+/])MI[IJ][A-Za-z0-9]{3,6}",
            r"[A-Za-z0-9+/]{16,20000}+={0,2}",
            reach=12,
        ),
    ),
    Rule(
        name="pem_private_key",
        keys=("MHcCAQEEI", "MIGHAgEAMBM", "MC4CAQAwBQYDK2V", "b3BlbnNzaC1rZXkt"),
        find=anchored(r"[A-Za-z0-9+/]{32,20000}+={0,2}"),
    ),
)
