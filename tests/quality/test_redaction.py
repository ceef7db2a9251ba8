"""How many labelled secrets the rules find, and how often they find one in none.

The labelled secrets lie outside the repository. What was measured last is in
docs/redaction.md; the floors here are what redaction must not fall under.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from benchmarks.redaction import labelled, texts_in

from quoth.redaction import redact_counted

SHARED = Path(os.environ.get("QUOTH_SHARED") or Path(__file__).parents[3] / "shared")
LABELLED = SHARED / "eval" / "redaction"
SAMPLES = SHARED / "samples"

FLOORS = {"generic": 0.85, "other": 0.5}
"""By group; 0.97 for those of tokens with a name of their own."""
_MOST_HITS = 20
"""A megabyte of histories, in which there is hardly a secret."""


def test_labelled_secrets_are_found() -> None:
    if not (LABELLED / "cases.jsonl").is_file():
        pytest.skip("the labelled secrets are not there: set QUOTH_SHARED")

    scores, _ = labelled(LABELLED)

    found = {name: score.found / score.total for name, score in scores.items()}
    low = {
        name: share for name, share in found.items() if share < FLOORS.get(name, 0.97)
    }
    assert len(found) > 10
    assert low == {}


def test_histories_without_secrets_stay_as_they_are() -> None:
    if not SAMPLES.is_dir():
        pytest.skip("the samples are not there: set QUOTH_SHARED")
    text = texts_in(SAMPLES, ["*.jsonl", "*.json", "*.md"])

    _, counts = redact_counted(text)

    assert "withheld" not in counts
    assert sum(counts.values()) < _MOST_HITS * len(text) / 1e6
