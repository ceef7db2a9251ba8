"""Private keys in armour: whole, cut at either end, escaped, numbered or encoded."""

from __future__ import annotations

import base64
import re

from ._rule import FAILED, Found, Rule, anchored

__all__ = ["PEM"]

_REACH = 20_000
"""Characters. An RSA key of 8,192 bits takes 6,500, escaped and numbered a half more."""

_SPACE = r"(?:[ +]|%20)"
_NAME = rf"{_SPACE}(?:[A-Z0-9]{{1,12}}{_SPACE}){{0,4}}PRIVATE{_SPACE}KEY"
_LABEL = rf"{_NAME}(?:{_SPACE}BLOCK)?[ ]?(?:-{{4,5}})?"
_BEGIN = re.compile(rf"BEGIN{_LABEL}")
_END = re.compile(rf"END{_LABEL}")
_DASHES = re.compile(r"-{4,5} ?\Z")

_GAP = r"(?:\\+[nrt]|%0[AaDd]|%20|[^A-Za-z0-9+/=%\\-]|[0-9]{1,6}(?=[\t→:| ])){0,32}+"
_INFO = r"(?:Proc-Type|DEK-Info|Version|Comment|Charset|Hash):[^\n\\]{0,160}+"
_CODE = r"(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd])"
_LAST = r"(?![A-Z]?[a-z]+\b)[A-Za-z0-9+/=]{1,76}+(?![^\s\"'`\\])"
_LINES = re.compile(
    rf"(?:{_GAP}{_INFO}){{0,6}}+(?:{_GAP}{_CODE}{{16,8192}}+){{1,500}}+(?:{_GAP}{_LAST})?"
)
_LINE_BREAK = re.compile(r"\r?\n|\\+r\\+n|\\+n|%0A")
_CODE_LINE = re.compile(
    r"[^A-Za-z0-9+/=]{0,8}(?:[0-9]{1,6}[\t→:| ]{1,4})?"
    r"[A-Za-z0-9+/]{16,8192}={0,2}[\"',+ ]{0,6}"
)
_PUTTY_END = re.compile(r"Private-(?:MAC|Hash): ?[0-9a-fA-F]{40,64}")


def _whole(text: str, start: int) -> Found:
    """Find a key from its first line to its last, or to the last line that is there."""
    label = _BEGIN.match(text, start)
    dashes = _DASHES.search(text, max(0, start - 6), start)
    if label is None or dashes is None:
        return Found(0, 0, FAILED)
    body = label.end()
    reach = text.find("BEGIN", body, body + _REACH)
    reach = body + _REACH if reach < 0 else reach
    end = _last_line(text, body, reach)
    lines = _LINES.match(text, body, end or len(text))
    work = FAILED + (end or (lines.end() if lines else reach)) - start
    if lines is None:
        return Found(0, 0, work)
    return Found(dashes.start(), end or lines.end(), work)


def _last_line(text: str, body: int, reach: int) -> int | None:
    """Return where the END line ends, unless it is out of reach."""
    at = text.find("END", body, reach)
    while at >= 0:
        if label := _END.match(text, at):
            return label.end()
        at = text.find("END", at + 1, reach)
    return None


def _beheaded(text: str, start: int) -> Found:
    """Find the lines of code before an END line whose BEGIN was cut off."""
    label = _END.match(text, start)
    dashes = _DASHES.search(text, max(0, start - 6), start)
    if label is None or dashes is None:
        return Found(0, 0, FAILED)
    first = max(0, start - _REACH, text.rfind("END", max(0, start - _REACH), start))
    begin = dashes.start()
    for line in reversed(_pieces(text, first, begin)):
        if line[0] < line[1] and not _CODE_LINE.fullmatch(text, *line):
            break
        begin = line[0]
    if not _LINES.match(text, begin, dashes.start()):
        return Found(0, 0, start - first + FAILED)
    return Found(begin, label.end(), start - first + FAILED)


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the lines between two places; a line may end in an escaped break."""
    pieces = []
    for line_break in _LINE_BREAK.finditer(text, start, end):
        pieces.append((start, line_break.start()))
        start = line_break.end()
    return [*pieces, (start, end)]


def _putty(text: str, start: int) -> Found:
    """Find a PuTTY key from its first line to its checksum or its last line."""
    if end := _PUTTY_END.search(text, start, start + _REACH):
        return Found(start, end.end(), end.end() - start)
    private = text.find("Private-Lines:", start, start + _REACH)
    lines = _LINES.match(text, private + 14) if private >= 0 else None
    if lines is None:
        return Found(0, 0, _REACH)
    return Found(start, lines.end(), _REACH + lines.end() - start)


def _is_private(match: re.Match[str]) -> bool:
    """Whether the first line in base64 says so: certificates are encoded alike."""
    return b"PRIVATE KEY" in base64.b64decode(match.group()[:80] + "==")


PEM = (
    Rule(name="pem_private_key", keys=("BEGIN",), edge=False, find=_whole),
    Rule(name="pem_private_key", keys=("END",), edge=False, find=_beheaded),
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
)
