"""Forgetting in one line, and a look for what is left of a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.builders import (
    KEY,
    a_transcript,
    archive_in,
    assert_consistent,
    claude_file,
    put,
    rows,
    synced,
)
from tests.ingest.scripted import Scripted

from quoth import Archive
from quoth.embedding._hash import HashEmbedder
from quoth.model import (
    Conversation,
    ForgetReport,
    Message,
    Role,
    Selection,
    TitleOrigin,
)

__all__ = [
    "CANARY",
    "OTHER",
    "SAID",
    "a_forgetful_archive",
    "a_secret",
    "another",
    "assert_gone",
    "forget",
    "left_of",
    "of_source",
    "recorded",
    "said",
    "titled",
]

CANARY = "zanzibarquokka"
"""A word that is nowhere else. Its first eight letters survive being stemmed."""


OTHER = "00000000-0000-4000-8000-0000000000ee"
SAID = f"please forget this {CANARY}, it was never meant to be written down"


def forget(archive: Archive, *keys: str, **chosen: Any) -> ForgetReport:
    """Forget what is chosen, as a person does who has seen the plan."""
    return archive.forget(archive.plan_forget(Selection(keys=keys, **chosen)))


def left_of(home: Path, word: str = CANARY[:8]) -> list[str]:
    """Return the files below *home* in a byte of whose content or name *word* is."""
    return [
        str(path.relative_to(home))
        for path in sorted(home.rglob("*"))
        if word in path.name.lower()
        or (path.is_file() and word.encode() in path.read_bytes().lower())
    ]


def recorded(archive: Archive) -> list[str]:
    """Return the keys of all conversations, in order."""
    found = rows(archive.home, "SELECT key FROM conversation ORDER BY key")
    return [key for (key,) in found]


def of_source(folder: Path, source: Scripted) -> Archive:
    """Return the archive of what is laid down in *folder* for *source*."""
    (folder / source.name).mkdir(exist_ok=True)
    return Archive(
        archive_in(folder),
        roots={source.name: [folder / source.name]},
        sources=[source],
        embedder=HashEmbedder(),
    )


def said(native_id: str, text: str, conversation: str = "c", **more: Any) -> Message:
    """Return a prompt."""
    return Message(
        conversation=conversation,
        native_id=native_id,
        role=Role.USER,
        text=text,
        **more,
    )


def titled(native_id: str, title: str = "", **more: Any) -> Conversation:
    """Return a conversation, with a title that was made from a prompt."""
    return Conversation(
        native_id=native_id,
        title=title or None,
        title_origin=TitleOrigin.PROMPT,
        **more,
    )


def a_secret(folder: Path, *more: str) -> Path:
    """Write a session that is to be forgotten; *more* is said in it later."""
    return put(claude_file(folder), a_transcript(SAID, f"{CANARY} it is then.", *more))


def another(folder: Path, *turns: str, name: str = OTHER) -> Path:
    """Write a session that stays."""
    return put(
        claude_file(folder, name),
        a_transcript(*(turns or ("other work stays", "so it does")), ids=name[-3:]),
    )


def assert_gone(archive: Archive) -> None:
    """Look for the canary in every byte, and count everything anew."""
    archive.close()
    assert left_of(archive.home) == []
    assert_consistent(archive.home)


def a_forgetful_archive(folder: Path) -> Archive:
    """Return an archive in which one conversation of two was forgotten."""
    a_secret(folder)
    another(folder)
    archive = synced(folder)
    forget(archive, KEY)
    return archive
