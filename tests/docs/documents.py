"""The project's Markdown, as headings, rows of tables, links and examples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
MARKDOWN = sorted(
    path
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "benchmarks").rglob("*.md"),
        *DOCS.rglob("*.md"),
        *(ROOT / "tests").rglob("*.md"),
    )
    if "out" not in path.parts
)
FOR_PEOPLE = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
"""What tells a person which commands to type."""

_FENCED = re.compile(r"^(```|~~~)[^\n]*\n.*?^\1[ \t]*$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def prose_of(path: Path) -> str:
    """Return a document without its blocks of code."""
    return _FENCED.sub("", text_of(path))


def headings_of(path: Path) -> list[str]:
    return _HEADING.findall(prose_of(path))


def rows_of(path: Path) -> list[list[str]]:
    """Return the cells of every row of every table, heads and rules included."""
    lines = prose_of(path).splitlines()
    return [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]


def section_of(path: Path, heading: str) -> str:
    """Return what stands below the heading that has *heading* in it."""
    parts = re.split(r"^## ", text_of(path), flags=re.MULTILINE)
    (found,) = [part for part in parts if heading in part.partition("\n")[0]]
    return found


def anchors_of(path: Path) -> Iterator[str]:
    """Yield what a link can name in a document, as GitHub makes it from headings."""
    seen: dict[str, int] = {}
    for heading in headings_of(path):
        plain = _LINK.sub(r"\1", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")
        number = seen[anchor] = seen.get(anchor, -1) + 1
        yield f"{anchor}-{number}" if number else anchor


def links_of(path: Path) -> list[str]:
    """Return where a document's links lead within the project."""
    prose = re.sub(r"`[^`\n]*`", "", prose_of(path))
    targets = [target for _, target in _LINK.findall(prose)]
    return [each for each in targets if not re.match(r"[a-z]+:", each)]


def typed_in(path: Path) -> list[str]:
    """Return the lines that a document's console blocks show as typed."""
    return [
        line.removeprefix("$ ")
        for block in _FENCED.finditer(text_of(path))
        if block[0].startswith("```console")
        for line in block[0].splitlines()
        if line.startswith("$ ")
    ]
