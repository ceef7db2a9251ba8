"""What the documents show as typed can be typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable

import pytest
from click.testing import Result
from tests.docs.documents import FOR_PEOPLE, ROOT, typed_in
from tools.command_reference import every_command

Quoth = Callable[..., Result]

TYPED = [
    (path.name, line)
    for path in FOR_PEOPLE
    for line in typed_in(path)
    if line.startswith("quoth ")
]
EXAMPLES = [
    (f"{context.command_path} --help", line)
    for context in every_command()
    for line in re.findall(r"^  (quoth .+)$", context.command.epilog or "", re.M)
]


LACKING = (
    "does not exist.",
    "No server can be reached at http://127.0.0.1:",
    "quoth models add PATH",
    "there is no terminal to ask on.",
)


def is_right(result: Result) -> bool:
    """Say whether it worked, or lacked only what a person would have.

    That is a file, a server, a model, or a terminal.
    """
    said = " ".join(result.output.split())
    return result.exit_code == 0 or any(lacking in said for lacking in LACKING)


@pytest.mark.parametrize(
    ("where", "line"),
    [*TYPED, *EXAMPLES],
    ids=[": ".join(each) for each in (*TYPED, *EXAMPLES)],
)
def test_what_is_shown_as_typed_works(quoth: Quoth, where: str, line: str) -> None:
    # Not by shlex, which takes the # inside a word for a comment too.
    command, *_ = line.split(" # ")
    quoth("search", "keyset cursor")  # `show 1` is the first hit of the last page

    result = quoth(*shlex.split(command)[1:])

    assert is_right(result), f"{where}: {line}\n{result.output}"


def test_the_readme_shows_commands() -> None:
    typed = typed_in(ROOT / "README.md")

    assert any(line.startswith("quoth sync ") for line in typed)


@pytest.mark.parametrize(
    "line", ["sync --nonsense", "nonsense", "verify nonsense", "show 99"]
)
def test_what_does_not_work_is_noticed(quoth: Quoth, line: str) -> None:
    assert not is_right(quoth(*line.split()))
