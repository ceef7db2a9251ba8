"""Archives over histories that a test writes, and what must hold of any archive."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.sources import claude_records as claude

from quoth import Archive
from quoth.embedding import Embedder
from quoth.embedding._hash import HashEmbedder
from quoth.model import Include, Mode, RankingChoice, SearchUnit, ShownMessage
from quoth.passages import is_worth_embedding
from quoth.sources import Source
from quoth.store import DATABASE, ArchiveReader, canonical_dump

__all__ = [
    "KEY",
    "SESSION",
    "a_transcript",
    "an_archive",
    "archive_in",
    "assert_consistent",
    "citations",
    "claude_file",
    "codex_file",
    "dump",
    "found",
    "later",
    "plain_file",
    "put",
    "rows",
    "synced",
    "texts",
]

SESSION = "00000000-0000-4000-8000-0000000000aa"
KEY = f"claude_code:{SESSION}"
PROJECT = "-home-dev-harbor"
EVERYTHING = frozenset({Include.SUPERSEDED})


def later() -> datetime:
    """Return a time at which no file was changed a moment ago."""
    return datetime.now(UTC) + timedelta(hours=1)


def archive_in(folder: Path) -> Path:
    """Return where `an_archive` keeps its data."""
    return folder / "archive"


def an_archive(
    folder: Path,
    *,
    clock: Callable[[], datetime] = later,
    embedder: Embedder | None = None,
    sources: tuple[Source, ...] | None = None,
    home: Path | None = None,
    patterns: Mapping[str, str] | None = None,
    ranking: RankingChoice | None = None,
) -> Archive:
    """Return an archive of what lies in *folder*, where `claude_file` and others are.

    By default every file counts as changed long ago, so that a sync trusts its stamp.
    """
    return Archive(
        home or archive_in(folder),
        roots={
            "claude_code": [folder / "projects"],
            "codex": [folder / "sessions"],
            "generic": [folder / "plain"],
        },
        sources=sources,
        embedder=embedder or HashEmbedder(),
        clock=clock,
        patterns=patterns,
        ranking=ranking,
    )


def synced(folder: Path, *, home: Path | None = None) -> Archive:
    """Return the archive of *folder* after a sync."""
    archive = an_archive(folder, home=home)
    archive.sync()
    return archive


# What is done with an archive

USES: dict[str, Callable[[Archive], object]] = {
    "sync": lambda archive: archive.sync(),
    "search": lambda archive: archive.search("question"),
    "show": lambda archive: archive.show(KEY),
    "status": lambda archive: archive.status(),
    "verify": lambda archive: archive.verify(f"{KEY}#1@0123456789ab"),
}
"""Every way to use one, by its name."""


# Histories


def put(path: Path, content: bytes) -> Path:
    """Write *content* into the file at *path*, in place if it is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def claude_file(folder: Path, name: str = SESSION) -> Path:
    """Return where Claude Code would keep a session."""
    return folder / "projects" / PROJECT / f"{name}.jsonl"


def codex_file(folder: Path, name: str) -> Path:
    """Return where Codex would keep a rollout."""
    return folder / "sessions" / "2026" / "05" / "01" / name


def plain_file(folder: Path, name: str = "talk.jsonl") -> Path:
    """Return where a file of no particular program is put."""
    return folder / "plain" / name


def a_transcript(*turns: str, ids: str = "m") -> bytes:
    """Return a Claude Code session of *turns*, the person's first, with ids `m1` on."""
    return claude.lines(
        *(
            claude.said(f"{ids}{number}", text, parentUuid=parent)
            if number % 2
            else claude.answered(f"{ids}{number}", text, parentUuid=parent)
            for number, text in enumerate(turns, start=1)
            for parent in [f"{ids}{number - 1}" if number > 1 else None]
        )
    )


# Questions


def texts(archive: Archive, key: str = KEY, *, everything: bool = False) -> list[str]:
    """Return what a conversation shows, in order."""
    include = EVERYTHING if everything else frozenset()
    return [message.text for message in archive.show(key, include=include).messages]


def found(archive: Archive, question: str) -> list[str]:
    """Return the texts of the messages that hold words of the question."""
    page = archive.search(question, mode=Mode.WORDS, unit=SearchUnit.MESSAGE, limit=100)
    return sorted(hit.text for hit in page.hits)


def citations(archive: Archive, *, everything: bool = False) -> list[str]:
    """Return the citation of every message that can be shown."""
    return [
        message.citation for message in _all_messages(archive, everything=everything)
    ]


def _all_messages(archive: Archive, *, everything: bool) -> Iterable[ShownMessage]:
    home = archive.status().home
    for (key,) in rows(home, "SELECT key FROM conversation ORDER BY key"):
        include = EVERYTHING if everything else frozenset()
        yield from archive.show(key, include=include).messages


# What is in the database


def rows(home: Path, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return what a statement finds in the archive in *home*."""
    connection = sqlite3.connect(home / DATABASE)
    try:
        return connection.execute(statement, values).fetchall()
    finally:
        connection.close()


def change(home: Path, *statements: str) -> None:
    """Do to the archive in *home* what quoth wouldn't."""
    connection = sqlite3.connect(home / DATABASE)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def dump(home: Path) -> list[tuple[Any, ...]]:
    """Return all that is live in the archive in *home*, whatever way it got there."""
    reader = ArchiveReader(home)
    try:
        return [*canonical_dump(reader)]
    finally:
        reader.close()


_NEVER = {
    "a message without a body": "SELECT id FROM message EXCEPT SELECT id FROM body",
    "a body without a message": "SELECT id FROM body EXCEPT SELECT id FROM message",
    "a message nobody holds": (
        "SELECT id FROM message EXCEPT SELECT message FROM member"
    ),
    "a message at home where it is no member": (
        "SELECT id, home FROM message EXCEPT SELECT message, conversation FROM member"
    ),
    "a message whose life differs from its members'": (
        "SELECT id, live FROM message EXCEPT"
        " SELECT message, max(live) FROM member GROUP BY message"
    ),
    "a live message at home where it is superseded": (
        "SELECT m.id FROM message m JOIN member ON message = m.id"
        " AND conversation = home WHERE m.live = 1 AND member.live = 0"
    ),
    "a message that is not at its best home": (
        "SELECT m.id FROM message m WHERE home <> ("
        "  SELECT c.id FROM member JOIN conversation c ON c.id = conversation"
        "   WHERE message = m.id ORDER BY live DESC, kind = 'fork',"
        "   ended_at IS NULL, ended_at, key LIMIT 1)"
    ),
    "a wrong count of messages": (
        "SELECT c.key, c.messages, c.texts,"
        " count(m.id) AS counted, count(m.text_hash) AS embeddable"
        " FROM conversation c"
        " LEFT JOIN message m ON m.home = c.id AND m.live = 1 AND m.noise IS NULL"
        " GROUP BY c.id HAVING c.messages <> counted OR c.texts <> embeddable"
    ),
    "a number that was given away again": (
        "SELECT c.key FROM conversation c JOIN member ON conversation = c.id"
        " JOIN source_file f ON f.id = member.file GROUP BY c.id"
        " HAVING max(seq) >= next_seq OR (max(f.thinned) = 0"
        "  AND (max(seq) <> next_seq - 1 OR count(*) <> max(seq)))"
    ),
    "two members at one place": (
        "SELECT conversation, file, reading, position FROM member"
        " GROUP BY 1, 2, 3, 4 HAVING count(*) > 1"
    ),
    "a conversation that doesn't know it shares": (
        "SELECT c.key FROM conversation c WHERE shares = 0 AND EXISTS ("
        "  SELECT 1 FROM member one JOIN member other USING (message)"
        "   WHERE one.conversation = c.id AND other.conversation <> c.id)"
    ),
    "a conversation under the wrong root": (
        "SELECT c.key FROM conversation c LEFT JOIN conversation p"
        " ON p.key = c.parent_key AND c.kind = 'subagent'"
        " WHERE c.root <> coalesce(p.root, c.id)"
    ),
    "a noisy message in the word index": (
        "SELECT m.id FROM message m JOIN words_docsize w ON w.id = m.id"
        " WHERE noise IS NOT NULL"
    ),
    "a message missing from the word index": (
        "SELECT id FROM message WHERE noise IS NULL EXCEPT SELECT id FROM words_docsize"
    ),
    "an entry of the word index without a message": (
        "SELECT id FROM words_docsize EXCEPT SELECT id FROM message"
    ),
    "a title missing from the title index": (
        "SELECT id FROM conversation WHERE title IS NOT NULL"
        " EXCEPT SELECT id FROM titles_docsize"
    ),
    "an entry of the title index without a title": (
        "SELECT id FROM titles_docsize"
        " EXCEPT SELECT id FROM conversation WHERE title IS NOT NULL"
    ),
    "a tool call that is neither asked nor answered": (
        "SELECT id FROM tool_call WHERE name = '' AND result_message IS NULL"
    ),
    "two orphaned answers of one message": (
        "SELECT message, call_id FROM tool_call WHERE name = ''"
        " GROUP BY 1, 2 HAVING count(*) > 1"
    ),
    "a mark of a source gone that is wrong": (
        "SELECT c.key FROM conversation c JOIN told ON told.conversation = c.id"
        " JOIN source_file f ON f.id = told.file GROUP BY c.id"
        " HAVING (c.source_gone_at IS NULL) <> (min(f.gone_at IS NOT NULL) = 0)"
    ),
    "a conversation that no file tells of": (
        "SELECT id, file FROM conversation EXCEPT SELECT conversation, file FROM told"
    ),
    "a call counted in another conversation than its message": (
        "SELECT call_id FROM usage JOIN message m ON m.id = message"
        " WHERE m.home <> usage.conversation"
    ),
    "a message of a file that tells nothing of its conversation": (
        "SELECT conversation, file FROM member WHERE live = 1"
        " EXCEPT SELECT conversation, file FROM told"
    ),
    "a skip in a unit that was never read": (
        "SELECT file FROM skipped_record JOIN source_file ON source_file.id = file"
        " WHERE checkpoint IS NULL"
    ),
}


def assert_consistent(home: Path, *, embedded: bool = True) -> None:
    """Count everything in the archive anew and compare.

    Args:
        embedded: Every text that is to have vectors has to have them.
    """
    met = {claim: rows(home, query) for claim, query in _NEVER.items()}
    met["a text that should have vectors or should not"] = _misjudged(home)
    met["a text without its vectors"] = _lacking(home) if embedded else []

    broken = {claim: bad for claim, bad in met.items() if bad}
    assert broken == {}, broken
    assert rows(home, "PRAGMA integrity_check") == [("ok",)]
    assert rows(home, "PRAGMA foreign_key_check") == []
    _check_word_indexes(home)


def _lacking(home: Path) -> list[tuple[Any, ...]]:
    return rows(
        home,
        "SELECT id FROM message WHERE text_hash IS NOT NULL AND text_hash NOT IN"
        " (SELECT text_hash FROM embedding)",
    )


def _misjudged(home: Path) -> list[tuple[Any, ...]]:
    """Return the messages that get vectors and should not, or the other way round."""
    kept = rows(
        home,
        "SELECT id, text, noise IS NULL AND role IN ('user', 'assistant'),"
        " text_hash IS NOT NULL FROM message JOIN body USING (id)",
    )
    return [
        row for row in kept if (bool(row[2]) and is_worth_embedding(row[1])) != row[3]
    ]


def _check_word_indexes(home: Path) -> None:
    """Ask FTS5 whether its index is whole, and whether it says what the text says."""
    connection = sqlite3.connect(home / DATABASE)
    try:
        for table in ("words", "titles"):
            for columns, values in ((table, "?"), (f"{table}, rank", "?, 1")):
                statement = f"INSERT INTO {table} ({columns}) VALUES ({values})"  # noqa: S608
                connection.execute(statement, ("integrity-check",))
        connection.rollback()
    finally:
        connection.close()


def interrupted_at(place: int) -> Callable[[object], None]:
    """Return a progress callback that presses Ctrl-C at the *place*-th batch."""
    left = [place]

    def press(_: object) -> None:
        left[0] -= 1
        if left[0] == 0:
            raise KeyboardInterrupt

    return press
