"""Keys, hashes and citations: how a quotation is named and checked."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote

from quoth.errors import UsageError
from quoth.model import Message

__all__ = [
    "Citation",
    "citation_hash",
    "conversation_key",
    "fingerprint",
    "normalised",
    "parse_citation",
    "quotation",
    "text_hash",
]

# Some native ids are paths. Only what would break `key#seq@hash` or a command line is
# encoded, so that a key stays readable.
_UNSAFE = re.compile(r"[%#@\s]")
_CITATION = re.compile(r"(?P<key>[^#@\s]+)#(?P<seq>[0-9]+)(?:@(?P<hash>[0-9a-f]{12}))?")


def conversation_key(source: str, native_id: str) -> str:
    """Return `source:native_id` with `%`, `#`, `@` and white space percent-encoded."""
    return f"{source}:{_UNSAFE.sub(lambda match: quote(match[0], safe=''), native_id)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """A place in a conversation and, when it is a whole citation, what stood there."""

    key: str
    seq: int
    hash12: str | None = None


def parse_citation(text: str) -> Citation | None:
    """Read `key#seq` or `key#seq@hash12`; None when *text* is only a key.

    Raises:
        UsageError: There is a `#` or `@` in it and it is neither of the two.
    """
    match = _CITATION.fullmatch(text)
    if match:
        return Citation(
            key=match["key"], seq=int(match["seq"]), hash12=match["hash"] or None
        )
    if "#" in text or "@" in text:
        raise UsageError(
            f"{text!r} is no citation.",
            hint="A citation looks like key#12@0123456789ab.",
        )
    return None


def normalised(text: str) -> str:
    """Return *text* as citations hash it: line ends as `\\n`, no blanks around it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def quotation(
    text: str, *, reasoning: str | None, calls: Iterable[tuple[str, str]]
) -> str:
    """Return all of a redacted message that its citation vouches for.

    Beside its words what it thought and which tools it called (name and input): a step
    that only runs a command says nothing else.
    """
    thought = [f"\0thought\n{reasoning}"] if reasoning else []
    called = [f"\0called {name}\n{given}" for name, given in calls if name]
    return "\n".join([text, *thought, *called])


def citation_hash(quoted: str, *, rules_version: int) -> str:
    """Return the first 12 hex digits of SHA-256 over a quotation and the rules.

    48 bits: enough to tell that it changed, not meant to withstand forgery.
    """
    content = f"quoth/{rules_version}\n{normalised(quoted)}"
    return hashlib.sha256(content.encode()).hexdigest()[:12]


def text_hash(text: str) -> bytes:
    """Return 16 bytes that stand for *text* wherever it occurs."""
    return hashlib.sha256(text.encode()).digest()[:16]


def fingerprint(source: str, message: Message) -> bytes:
    """Return 16 bytes that differ when the same native id says something else."""
    digest = hashlib.sha256()
    for part in (
        source,
        message.role,
        message.text,
        message.reasoning,
        message.noise or "",
        *(f"{call.call_id}\0{call.name}\0{call.input}" for call in message.calls),
        *(f"{result.call_id}\0{result.output}" for result in message.results),
    ):
        digest.update(part.encode())
        digest.update(b"\0\0")
    return digest.digest()[:16]
