"""`quoth embed`: what it asks the archive, and what it says of the answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.fakes import Shell, a_report, a_status, an_embed_report

from quoth.cli._embed_text import progress_text
from quoth.cli._terminal import Terminal
from quoth.errors import ServerUnreachableError
from quoth.model import ComingEmbedder, EmbedProgress


def test_it_says_how_many_texts_and_who_serves(shell: Shell) -> None:
    result = shell.run("embed")

    assert (result.exit_code, result.stdout, result.stderr) == (
        0,
        "Embedded 1,204 texts in 1 min 20 s.\nSearches ask minilm-1.\n",
        "",
    )


def test_texts_that_were_refused_are_counted_by_why(shell: Shell) -> None:
    shell.archive.embed_report = an_embed_report(
        refused={"the server failed on it": 1, "its vector is not a number": 2}
    )

    assert shell.run("embed").stdout.splitlines()[1:4] == [
        "3 texts could not be embedded, and are found by words alone:",
        "  2: its vector is not a number",
        "  1: the server failed on it",
    ]


def test_an_interruption_says_how_to_go_on(shell: Shell) -> None:
    shell.archive.embed_report = an_embed_report(
        left=900, serves=False, interrupted=True
    )

    result = shell.run("embed")

    assert result.exit_code == 130
    assert "900 messages left" in result.stdout
    assert "Searches ask the embedder from before" in result.stdout
    assert result.stderr.endswith("quoth: Interrupted. Run it again to go on.\n")


def test_a_server_that_is_down_is_an_error(shell: Shell) -> None:
    shell.archive.embed_report = ServerUnreachableError(
        "http://127.0.0.1:9", why="connection refused"
    )

    result = shell.run("embed")

    assert (result.exit_code, result.stdout) == (1, "")
    assert "No server can be reached at http://127.0.0.1:9" in result.stderr


def test_what_was_pruned_is_told(shell: Shell) -> None:
    shell.archive.embed_report = an_embed_report(pruned=("static-1",))

    result = shell.run("embed", "--prune", "--retry")

    assert result.stdout.splitlines()[-1] == "Removed what static-1 had made."
    assert ("embed", {"retry": True, "prune": True}) in shell.archive.asked


def test_the_document_is_one_line(shell: Shell) -> None:
    found = json.loads(shell.run("embed", "--json").stdout)

    assert (found["schema"], found["embedded"], found["serves"]) == (1, 1204, True)


@pytest.mark.parametrize(
    ("done", "elapsed", "said"),
    [
        (0, 0.0, "0% · 0 of 1,000 messages"),
        (250, 10.0, "25% · 250 of 1,000 messages · 25 a second · 30.0 s left"),
        (5, 10.0, "0% · 5 of 1,000 messages · 0.5 a second · 33 min 10 s left"),
        (1000, 10.0, "100% · 1,000 of 1,000 messages · 100 a second"),
    ],
)
def test_progress_has_a_rate_and_the_time_left(
    done: int, elapsed: float, said: str
) -> None:
    progress = EmbedProgress(done=done, total=1000)

    assert progress_text(progress, elapsed=elapsed, terminal=Terminal()) == said


def test_the_status_tells_who_serves_next(shell: Shell) -> None:
    coming = ComingEmbedder(name="minilm", embedded=1200, lacking=3900)
    shell.archive.status_answer = a_status(coming=coming, refused=2)

    out = " ".join(shell.run("status").stdout.split())

    assert "minilm serves once it is through: 1,200 done, 3,900 left." in out
    assert "2 texts could not be embedded." in out


def test_a_sync_says_what_kept_it_from_embedding(shell: Shell) -> None:
    error = ServerUnreachableError("http://127.0.0.1:9", why="connection refused")
    shell.archive.report = a_report(
        embedded=3, not_embedded=7, meaning_off=str(error), refused={"no number": 1}
    )

    result = shell.run("sync")

    out = " ".join(result.stdout.split())
    assert result.exit_code == 0
    assert "Embedded 3 texts, 7 messages left." in out
    assert "1 text could not be embedded, and is found by words alone:" in out
    assert f"No more could be embedded: {error}" in out


def test_nothing_of_a_file_is_needed(shell: Shell, tmp_path: Path) -> None:
    assert shell.run("embed", str(tmp_path)).exit_code == 2
