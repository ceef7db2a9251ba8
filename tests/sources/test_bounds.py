"""What is kept of a long text, and that no half of a key is."""

from __future__ import annotations

import pytest

from quoth.redaction import redact_text
from quoth.sources._bounds import bounded

LIMIT = 300
KEY = "ghp" + "_" + "Ab3" * 12


def test_a_short_text_is_kept_as_it_is() -> None:
    assert bounded("all of it", LIMIT) == "all of it"


def test_a_long_text_keeps_its_head_and_its_tail() -> None:
    text = "first " + "middle " * 100 + "last"

    kept = bounded(text, LIMIT)

    assert kept.startswith("first middle")
    assert kept.endswith("middle last")
    assert len(kept) < LIMIT + 40


def test_it_says_how_much_was_left_out() -> None:
    text = "a " * 500

    head, said, tail = bounded(text, LIMIT).split("\n")

    assert said == f"[... {len(text) - len(head) - len(tail)} characters ...]"


@pytest.mark.parametrize("before", range(150, 320))
def test_no_cut_leaves_half_a_key(before: int) -> None:
    filler = ("x " * 400)[:before]
    text = f"{filler} {KEY} " + "y " * 60

    kept = redact_text(bounded(text, LIMIT))

    assert "Ab3Ab3" not in kept


def test_a_blob_without_any_break_is_still_cut() -> None:
    assert len(bounded("A" * 100_000, LIMIT)) < LIMIT + 40
