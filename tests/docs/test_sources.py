"""Every source has its section, and no other has one."""

from __future__ import annotations

from tests.docs.documents import DOCS, ROOT, headings_of, rows_of

from quoth.sources import BUILTIN_SOURCES

NAMES = {source.name for source in BUILTIN_SOURCES}


def test_every_source_has_its_section() -> None:
    sections = {
        name.strip("`") for name in headings_of(DOCS / "sources.md") if name[0] == "`"
    }

    assert sections == NAMES


def test_the_readme_lists_every_source() -> None:
    rows = {row[0].strip("`") for row in rows_of(ROOT / "README.md")}

    assert rows >= NAMES
