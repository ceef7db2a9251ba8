"""Every error is in docs/errors.md, and in the tree that errors.py begins with."""

from __future__ import annotations

import inspect
import re

import pytest
from tests.docs.documents import DOCS, rows_of

from quoth import errors
from quoth.cli import _exits as exits
from quoth.errors import QuothError, UsageError

ERRORS = [
    each
    for each in vars(errors).values()
    if inspect.isclass(each) and issubclass(each, QuothError)
]
GROUPS = [each for each in ERRORS if each.__subclasses__() and each is not QuothError]
ROWS = [row for row in rows_of(DOCS / "errors.md") if re.match(r"`\w+Error`", row[1])]
EXPLAINED = {row[0].strip("`"): row for row in ROWS if len(row) == 5}
COVERED = {row[0].strip("`"): row for row in ROWS if len(row) == 3}


def tree() -> dict[str, str]:
    """Return each class in the docstring with the class it hangs from."""
    parents: dict[str, str] = {}
    above: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        if found := re.match(r"([│ ├└─]*)(\w+Error)\b", line):
            depth = len(found[1]) // 4
            above[depth:] = [found[2]]
            parents[found[2]] = above[depth - 1] if depth else "Exception"
    return parents


def test_the_tree_is_that_of_the_classes() -> None:
    assert tree() == {each.__name__: each.__bases__[0].__name__ for each in ERRORS}


def test_every_error_is_public_and_has_a_code_of_its_own() -> None:
    assert {each.__name__ for each in ERRORS} == set(errors.__all__)
    assert len({each.code for each in ERRORS}) == len(ERRORS)


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: error.code)
def test_every_error_says_what_it_means_what_to_do_and_the_status(
    error: type[QuothError],
) -> None:
    if error.code not in EXPLAINED:
        assert error.__subclasses__(), "only a group may do without"
        return

    _, name, means, to_do, status = EXPLAINED[error.code]

    wrong_usage = issubclass(error, UsageError)
    assert name == f"`{error.__name__}`"
    assert means
    assert to_do
    assert int(status) == (exits.WRONG_USAGE if wrong_usage else exits.FAILED)


@pytest.mark.parametrize("group", GROUPS, ids=lambda error: error.code)
def test_every_group_says_what_it_covers(group: type[QuothError]) -> None:
    _, name, covers = COVERED[group.code]

    assert name == f"`{group.__name__}`"
    assert re.findall(r"`(.+?)`", covers) == [
        each.code for each in ERRORS if issubclass(each, group) and each is not group
    ]


def test_no_code_is_documented_that_is_not_there() -> None:
    assert {*EXPLAINED, *COVERED} == {each.code for each in ERRORS}
