"""Which embedder has vectors of what, and which of them searches ask."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from tests.builders import (
    a_transcript,
    an_archive,
    archive_in,
    assert_consistent,
    claude_file,
    put,
    synced,
)

from quoth.archive import Archive
from quoth.embedding import HashEmbedder, Quantised, QueryVector, Refused
from quoth.errors import (
    ArchiveBusyError,
    ArchiveNotFoundError,
    EmbeddingError,
    QuothError,
    ServerUnreachableError,
)
from quoth.model import EmbedderChoice, EmbedderKind, EmbedProgress, Mode
from quoth.store import DATABASE, flat_path
from quoth.store._lock import hold

POISON = "lighthouse"


@dataclass
class Server(HashEmbedder):
    """An embedder that is slow, may be down, and can't take one word."""

    name: str = "server"
    down: QuothError | None = None
    dies_after: int | None = None
    asked: list[list[str]] = field(default_factory=list)

    is_quick = False

    @property
    def identity(self) -> str:  # type: ignore[override]  # a constant for its parent
        self._answer()
        return f"hash-{self.name}"

    @property
    def choice(self) -> EmbedderChoice:  # type: ignore[override]  # as above
        return EmbedderChoice(kind=EmbedderKind.HASH, model=self.name)

    def embed_messages(  # type: ignore[override]  # it refuses, which its parent doesn't
        self, texts: Sequence[str]
    ) -> list[Quantised | Refused]:
        self._answer()
        if self.dies_after is not None and len(self.asked) >= self.dies_after:
            raise down()
        self.asked.append([*texts])
        rows = super().embed_messages(texts)
        return [
            Refused("its vector is not a number") if POISON in text else vectors
            for text, vectors in zip(texts, rows, strict=True)
        ]

    def embed_query(self, text: str) -> QueryVector | None:
        self._answer()
        return super().embed_query(text)

    def _answer(self) -> None:
        if self.down is not None:
            raise self.down


def down() -> ServerUnreachableError:
    return ServerUnreachableError("http://127.0.0.1:9", why="connection refused")


def served(archive: Archive) -> str | None:
    return archive.status().identity


def with_server(folder: Path, **changes: object) -> tuple[Archive, Server]:
    server = Server(**changes)  # type: ignore[arg-type]
    return an_archive(folder, embedder=server), server


def say(folder: Path, *texts: str) -> None:
    put(claude_file(folder), a_transcript(*texts))


WORDS = [f"the harbour question number {n} of many" for n in range(100)]


# The one before serves until the new one has everything


def test_until_it_has_everything_the_one_before_serves(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, _server = with_server(tmp_path, dies_after=1)

    with pytest.raises(ServerUnreachableError):
        archive.embed()

    status = archive.status()
    assert status.identity == HashEmbedder.identity
    assert status.coming is not None
    assert (status.coming.name, status.coming.embedded, status.coming.lacking) == (
        "hash server",
        32,
        68,
    )


def test_what_was_made_is_not_made_again(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, server = with_server(tmp_path, dies_after=1)
    with pytest.raises(ServerUnreachableError):
        archive.embed()
    server.dies_after = None

    report = archive.embed()

    texts = [text for batch in server.asked for text in batch]
    assert sorted(texts) == sorted(WORDS)
    assert (report.embedded, report.left, report.serves) == (68, 0, True)
    assert served(archive) == "hash-server"


def test_the_newest_come_first(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, server = with_server(tmp_path)

    archive.embed()

    assert set(server.asked[0]) == set(WORDS[-32:])


def test_switching_back_makes_nothing_again(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, _ = with_server(tmp_path)
    archive.embed()
    archive.close()
    back = an_archive(tmp_path)

    report = back.embed()

    assert (report.embedded, report.serves) == (0, True)
    assert served(back) == HashEmbedder.identity
    assert_consistent(archive_in(tmp_path))


def test_each_archive_says_how_far_it_is(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, _ = with_server(tmp_path)
    told: list[EmbedProgress] = []

    archive.embed(progress=told.append)

    assert told[-1] == EmbedProgress(done=100, total=100)


def test_two_at_once_would_make_the_same(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, _ = with_server(tmp_path)

    with (
        hold(archive_in(tmp_path) / "embed.lock", wait_s=0),
        pytest.raises(ArchiveBusyError),
    ):
        archive.embed()

    assert archive.sync().embedded == 100


def test_before_there_is_an_archive_nothing_is_made(tmp_path: Path) -> None:
    archive, _ = with_server(tmp_path)

    with pytest.raises(ArchiveNotFoundError):
        archive.embed()

    assert not archive_in(tmp_path).exists()


# A sync


def test_a_sync_gives_new_messages_to_both(tmp_path: Path) -> None:
    say(tmp_path, *WORDS[:50])
    synced(tmp_path)
    say(tmp_path, *WORDS)
    archive, _server = with_server(tmp_path, dies_after=0)

    report = archive.sync()

    assert (report.embedded, report.not_embedded) == (50, 0)
    assert report.meaning_off == str(down())
    assert served(archive) == HashEmbedder.identity


def test_a_sync_that_gets_through_lets_the_new_one_serve(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, _ = with_server(tmp_path)

    archive.sync()

    assert (served(archive), archive.status().coming) == ("hash-server", None)


def test_a_sync_reads_all_the_same_when_the_server_is_down(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    archive, _ = with_server(tmp_path, down=down())

    report = archive.sync()

    assert (report.messages_new, report.meaning_off) == (100, str(down()))
    assert len(archive.search("harbour").hits) == 1


def test_a_short_look_before_a_search_asks_no_server(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    archive, server = with_server(tmp_path)

    archive.refresh(budget_s=60)

    assert server.asked == []


# Searches


def test_words_are_found_when_the_server_is_down(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    archive, server = with_server(tmp_path)
    archive.sync()
    server.down = down()

    page = archive.search("harbour")

    assert len(page.hits) == 1
    assert page.meaning_off == "server-unreachable"
    assert page.notices == (f"Search by meaning is off: {down()} {down().hint}",)
    with pytest.raises(ServerUnreachableError):
        archive.search("harbour", mode=Mode.MEANING)


def test_words_alone_ask_no_server(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    archive, server = with_server(tmp_path)
    archive.sync()
    server.down = down()

    page = archive.search("harbour", mode=Mode.WORDS)

    assert (page.meaning_off, page.notices) == (None, ())


def test_a_model_that_became_another_is_not_compared(tmp_path: Path) -> None:
    """A server may hold another model under the name of the old one."""
    say(tmp_path, *WORDS)
    archive, _server = with_server(tmp_path)
    archive.sync()

    class Renewed(Server):
        @property
        def identity(self) -> str:  # type: ignore[override]
            return "hash-server-renewed"

    renewed = an_archive(tmp_path, embedder=Renewed())

    page = renewed.search("harbour")

    assert (len(page.hits), page.meaning_off) == (1, "other-model")


class Untold(Server):
    """A server that tells nothing of its model; `turn` is another one."""

    turn = 0.0

    @property
    def probe(self) -> QueryVector:  # type: ignore[override]  # none for its parent
        vector = np.zeros(64, np.float32)
        vector[0], vector[1] = math.cos(self.turn), math.sin(self.turn)
        return vector


def test_another_model_of_the_same_name_is_told_by_a_word(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    archive = an_archive(tmp_path, embedder=Untold())
    archive.sync()
    archive.close()
    nearly, other = Untold(), Untold()
    nearly.turn, other.turn = 0.05, 1.0

    assert an_archive(tmp_path, embedder=nearly).search("harbour").meaning_off is None
    page = an_archive(tmp_path, embedder=other).search("harbour")

    assert (len(page.hits), page.meaning_off) == (1, "other-model")


def test_what_the_other_model_made_is_made_anew(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    archive = an_archive(tmp_path, embedder=Untold())
    archive.sync()
    archive.close()
    other = Untold()
    other.turn = 1.0
    archive = an_archive(tmp_path, embedder=other)

    report = archive.embed()

    assert (report.embedded, report.serves) == (100, True)
    assert archive.search("harbour").meaning_off is None
    assert_consistent(archive_in(tmp_path))


# Texts that an embedder can't take


@pytest.fixture
def poisoned(tmp_path: Path) -> tuple[Archive, Server]:
    say(tmp_path, *WORDS[:9], f"the {POISON} stands in the harbour")
    archive, server = with_server(tmp_path)
    report = archive.sync()
    assert report.refused == {"its vector is not a number": 1}
    return archive, server


def test_one_bad_text_costs_that_text(poisoned: tuple[Archive, Server]) -> None:
    archive, _ = poisoned

    status = archive.status()

    assert (status.embedded, status.embeddable, status.refused) == (9, 10, 1)
    assert status.identity == "hash-server"


def test_a_bad_text_is_found_by_its_words(poisoned: tuple[Archive, Server]) -> None:
    archive, _ = poisoned

    page = archive.search(POISON)

    assert (len(page.hits), page.embedded) == (1, 9)
    assert page.notices == (
        "1 message has no vectors: the embedder could not take the text.",
    )


def test_a_bad_text_is_not_tried_each_time(poisoned: tuple[Archive, Server]) -> None:
    archive, server = poisoned
    before = len(server.asked)

    archive.sync()
    archive.embed()

    assert len(server.asked) == before


def test_where_nothing_lacks_a_sync_asks_nobody(
    poisoned: tuple[Archive, Server],
) -> None:
    archive, server = poisoned
    server.down = down()

    report = archive.sync()

    assert (report.embedded, report.meaning_off) == (0, None)


def test_a_bad_text_is_tried_again_when_asked(
    poisoned: tuple[Archive, Server],
) -> None:
    archive, server = poisoned

    report = archive.embed(retry=True)

    assert server.asked[-1] == [f"the {POISON} stands in the harbour"]
    assert report.refused == {"its vector is not a number": 1}


# What others have made


def identities(home: Path) -> list[str]:
    connection = sqlite3.connect(home / DATABASE)
    found = connection.execute("SELECT identity FROM embedder ORDER BY id").fetchall()
    connection.close()
    return [identity for (identity,) in found]


def test_pruning_leaves_the_one_that_serves(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    home = archive_in(tmp_path)
    archive, _ = with_server(tmp_path)

    report = archive.embed(prune=True)

    assert report.pruned == (HashEmbedder.identity,)
    assert identities(home) == ["hash-server"]
    assert not flat_path(home, HashEmbedder.identity).parent.exists()
    assert flat_path(home, "hash-server").exists()
    assert_consistent(home)


def test_nothing_is_pruned_before_the_new_one_serves(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    home = archive_in(tmp_path)
    archive, _ = with_server(tmp_path, dies_after=1)

    with pytest.raises(ServerUnreachableError):
        archive.embed(prune=True)

    assert identities(home) == [HashEmbedder.identity, "hash-server"]


def test_a_model_that_is_missing_is_an_error_of_its_own(tmp_path: Path) -> None:
    say(tmp_path, *WORDS)
    synced(tmp_path)
    archive, _ = with_server(tmp_path, down=EmbeddingError("It isn't there."))

    with pytest.raises(EmbeddingError):
        archive.embed()

    assert identities(archive_in(tmp_path)) == [HashEmbedder.identity]
