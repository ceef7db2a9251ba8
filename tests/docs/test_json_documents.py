"""Every command with --json has its section, with the schema it prints."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.docs.documents import DOCS, section_of
from tools.command_reference import every_command

from quoth.demo import roots

Quoth = Callable[..., Result]

PAGE = DOCS / "json.md"
COMMANDS = {
    context.command_path: context.command
    for context in every_command()
    if any("--json" in option.opts for option in context.command.params)
}


def example_of(path: str) -> list[str]:
    """Return the arguments of the first example in the command's help."""
    if path == "quoth import":  # its example is a file of the person's own
        (file, *_) = sorted(Path(roots()["codex"]).rglob("*.jsonl"))
        return ["import", str(file)]
    found = re.search(r"^  quoth (.+)$", COMMANDS[path].epilog or "", re.MULTILINE)
    assert found
    return shlex.split(found[1])


@pytest.mark.parametrize("path", COMMANDS)
def test_its_schema_is_the_documented_one(quoth: Quoth, path: str) -> None:
    quoth("search", "keyset cursor")  # `show 1` is the first hit of the last page

    result = quoth(*example_of(path), "--json")

    section = section_of(PAGE, f"`{path} --json`")
    documented = re.search(r"^\| `schema` \| (\d+) \|$", section, re.MULTILINE)
    assert documented
    assert json.loads(result.stdout)["schema"] == int(documented[1])


def test_every_section_is_of_a_command_that_has_it() -> None:
    headings = re.findall(r"^## (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    named = {name for line in headings for name in re.findall(r"`(.+?) --json`", line)}

    assert named == set(COMMANDS)
