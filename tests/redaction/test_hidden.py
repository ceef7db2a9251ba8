"""When two redactions can be of one text."""

from __future__ import annotations

import pytest

from quoth.redaction import is_same_but_for_the_hidden

OLD, NEW = "[REDACTED:github_token]", "[REDACTED:sensitive_env_vars]"


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("", ""),
        ("as it was", "as it was"),
        (f"log in with {NEW}", f"log in with {OLD}"),
        (f"log in {NEW}!", f"log in with the token {OLD}!"),
        (f"{NEW} it is", f"the {OLD} from then, so it is"),
        (f"a {NEW} b {OLD} c", f"a {OLD} b {OLD} c"),
        (f"a {NEW} c", f"a {OLD} b {OLD} c"),
        ("[WITHHELD: redaction budget]", f"all of it with {OLD}"),
    ],
)
def test_what_hides_more_can_be_the_same(now: str, before: str) -> None:
    assert is_same_but_for_the_hidden(now, before)


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("as it is", "as it was"),
        ("as it was", "as it was then"),
        (f"log in with {NEW}", "log in with a password"),
        (f"log in with {NEW}", f"sign in with {OLD}"),
        (f"{NEW} works", f"{OLD} fails"),
        (f"a {NEW} b {NEW} c", f"a {OLD} c"),
        (f"a {NEW} b {NEW} c", f"a {OLD} b c"),
        (f"a {NEW}, no, b {NEW}", f"a {OLD}, yes, b {OLD}"),
        (f"a {NEW} bb", f"a {OLD}b"),
        (f"log in with {OLD}", "log in with the key"),
        ("log in with the key", f"log in with {OLD}"),
    ],
)
def test_what_says_something_else_is_not(now: str, before: str) -> None:
    assert not is_same_but_for_the_hidden(now, before)
