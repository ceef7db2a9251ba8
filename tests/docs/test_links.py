"""Links lead somewhere, to a heading too."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.docs.documents import MARKDOWN, ROOT, anchors_of, links_of


def leads_nowhere(link: str, document: Path) -> bool:
    name, _, anchor = link.partition("#")
    target = document.parent / name if name else document
    if not target.exists():
        return True
    return bool(anchor) and anchor not in anchors_of(target)


@pytest.mark.parametrize("document", MARKDOWN, ids=lambda path: path.name)
def test_every_link_leads_to_a_file_and_its_heading(document: Path) -> None:
    assert [link for link in links_of(document) if leads_nowhere(link, document)] == []


def test_the_documents_are_found() -> None:
    assert {ROOT / "README.md", ROOT / "docs" / "settings.md"} <= set(MARKDOWN)


@pytest.mark.parametrize(
    ("link", "nowhere"),
    [
        ("#one", False),
        ("#a-b-c", False),
        ("#one-1", False),
        ("#one-2", True),
        ("other.md", True),
        ("#in-code", True),
    ],
)
def test_a_heading_is_linked_to_as_github_names_it(
    tmp_path: Path, link: str, nowhere: bool
) -> None:
    document = tmp_path / "page.md"
    document.write_text("# One\n## `a` b, [c](x)?\n## One\n```\n# In code\n```\n")

    assert leads_nowhere(link, document) is nowhere
