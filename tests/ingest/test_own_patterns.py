"""A person's own patterns hold in every text, also in one that a source cuts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.builders import an_archive, archive_in, claude_file, put
from tests.sources import claude_records as claude

OWN = {"acme": "acme pass [a-z0-9]{20,40}"}
SECRET = "harborkey" + "wxyz" * 6


@pytest.mark.parametrize("shift", range(22))
def test_no_cut_leaves_a_part_of_what_a_pattern_of_ones_own_hides(
    tmp_path: Path, shift: int
) -> None:
    """Where the kept tail of an output begins behind the words that tell it."""
    output = "w " * 800 + "v " * shift + f"acme pass {SECRET} " * 300 + "q " * shift
    asked = claude.answered("m1", claude.tool_use("Bash", command="ls"))
    put(claude_file(tmp_path), claude.lines(asked, claude.returned("m2", output)))

    with an_archive(tmp_path, patterns=OWN) as archive:
        report = archive.sync()

    kept = [path for path in archive_in(tmp_path).rglob("*") if path.is_file()]
    assert report.messages_new > 0
    assert not [path for path in kept if SECRET.encode() in path.read_bytes()]
