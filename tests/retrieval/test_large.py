"""The only message a filter leaves is found though 50,000 others rank before it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.builders import plain_file, synced
from tests.retrieval.builders import at

from quoth.model import Filters, Mode

MANY = 50_000
LAST = "the harbour question, asked once more beside every other thing there was"


def a_large_file(folder: Path) -> None:
    path = plain_file(folder)
    path.parent.mkdir(parents=True)
    with path.open("w", encoding="utf-8") as file:
        for number in range(MANY + 1):
            is_last = number == MANY
            record = {
                "session_id": "last" if is_last else f"s{number // 100}",
                "id": f"m{number}",
                "role": "user",
                "content": LAST if is_last else f"the harbour question no{number}",
                "timestamp": at(9 if is_last else 0).isoformat(),
            }
            file.write(json.dumps(record) + "\n")


@pytest.mark.slow
def test_the_only_allowed_message_is_found_though_it_ranks_last(
    tmp_path: Path,
) -> None:
    a_large_file(tmp_path)
    archive = synced(tmp_path)
    filters = Filters(since=at(9))

    found = {
        mode: [
            hit.text
            for hit in archive.search(
                "the harbour question", mode=mode, filters=filters
            ).hits
        ]
        for mode in Mode
    }

    assert found == {mode: [LAST] for mode in Mode}
