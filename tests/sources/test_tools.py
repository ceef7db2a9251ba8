"""What a tool call was for, whoever named the tool."""

from __future__ import annotations

from typing import Any

import pytest
from tests.redaction.secrets_made_here import BASE64, drawn, encoded

from quoth.model import FileTouch, Touch
from quoth.sources._bounds import INPUT_LIMIT
from quoth.sources._tools import (
    category_of,
    command_of,
    input_text,
    touches_of,
    touches_of_patch,
    without_base64,
)


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Bash", "shell"),
        ("shell", "shell"),
        ("functions.exec_command", "shell"),
        ("mcp__developer__shell", "shell"),
        ("developer__shell", "shell"),
        ("Read", "read"),
        ("read_file_v2", "read"),
        ("mcp__files__read_file", "read"),
        ("Write", "write"),
        ("MultiEdit", "edit"),
        ("str_replace_based_edit_tool", "edit"),
        ("apply_patch", "edit"),
        ("Grep", "search"),
        ("WebFetch", "web"),
        ("browser_navigate", "web"),
        ("mcp__play__browser_click", "web"),
        ("Task", "task"),
        ("Agent", "task"),
        ("TodoWrite", "plan"),
        ("ExitPlanMode", "plan"),
        ("AskUserQuestion", "question"),
        ("mcp__linear__create", "mcp"),
        ("mcp__linear__list_issues", "mcp"),
        ("Skill", "other"),
        ("", "other"),
    ],
)
def test_a_tool_is_known_by_its_name(name: str, category: str) -> None:
    assert category_of(name) == category


@pytest.mark.parametrize(
    ("arguments", "command"),
    [
        ({"command": "ls -la"}, "ls -la"),
        ({"cmd": "ls"}, "ls"),
        ({"CommandLine": "dir"}, "dir"),
        ({"commandLine": {"original": "make"}}, "make"),
        ({"command": ["bash", "-lc", "make test"]}, "make test"),
        ({"command": ["/bin/sh", "-c", "a | b"]}, "a | b"),
        ({"command": ["powershell.exe", "-NoProfile", "-Command", "dir"]}, "dir"),
        (
            {"command": ["git", "commit", "-m", "two words"]},
            "git commit -m 'two words'",
        ),
        ({"command": ["bash", "run.sh", "now"]}, "bash run.sh now"),
        ({"command": "bash -lc 'make test'"}, "make test"),
        ({"command": 'sh -c "a && b"'}, "a && b"),
        ({"command": "bash -c 'a' b"}, "bash -c 'a' b"),
        ({"command": "bash -c 'a"}, "bash -c 'a"),
        ({"command": "bash run.sh"}, "bash run.sh"),
        ({"command": "  "}, None),
        ({"command": 3}, None),
        ({"command": []}, None),
        ({}, None),
    ],
)
def test_a_command_is_what_the_shell_was_told(
    arguments: dict[str, Any], command: str | None
) -> None:
    assert command_of("Bash", arguments) == command


def test_only_a_shell_has_a_command() -> None:
    assert command_of("SlashCommand", {"command": "/plan"}) is None


def test_a_command_is_bounded() -> None:
    command = command_of("Bash", {"command": "echo " * 9_000})

    assert command is not None
    assert len(command) < INPUT_LIMIT + 100


def touched(action: Touch, *paths: str) -> tuple[FileTouch, ...]:
    return tuple(FileTouch(path=path, action=action) for path in paths)


@pytest.mark.parametrize(
    ("name", "arguments", "touches"),
    [
        ("Read", {"file_path": "/a"}, touched(Touch.READ, "/a")),
        ("Edit", {"file_path": "/a", "path": "/b"}, touched(Touch.WRITE, "/a")),
        ("Write", {"path": "a.py"}, touched(Touch.WRITE, "a.py")),
        ("NotebookEdit", {"notebook_path": "n"}, touched(Touch.WRITE, "n")),
        ("edit_file", {"uri": {"fsPath": "/u"}}, touched(Touch.WRITE, "/u")),
        ("read_file", {"uri": "file:///u"}, touched(Touch.READ, "/u")),
        (
            "read_many_files",
            {"paths": ["a", "b", "a", 3]},
            touched(Touch.READ, "a", "b"),
        ),
        ("read_file", {"files": [{"path": "a"}]}, touched(Touch.READ, "a")),
        ("create_file", {"filePath": "a"}, touched(Touch.CREATE, "a")),
        ("delete_file", {"target_file": "a"}, touched(Touch.DELETE, "a")),
        (
            "mcp__files__move_file",
            {"source": "a", "destination": "b"},
            touched(Touch.MOVE, "a", "b"),
        ),
        ("text_editor", {"command": "view", "path": "a"}, touched(Touch.READ, "a")),
        ("text_editor", {"command": "create", "path": "a"}, touched(Touch.CREATE, "a")),
        ("text_editor", {"command": "insert", "path": "a"}, touched(Touch.WRITE, "a")),
        ("text_editor", {"command": ["x"], "path": "a"}, touched(Touch.WRITE, "a")),
        ("Grep", {"path": "/a", "pattern": "x"}, ()),
        ("Bash", {"command": "cat /a"}, ()),
        ("mcp__x__frob", {"path": "/a"}, ()),
        ("Read", {"file_path": "two\nlines"}, ()),
        ("Read", {"file_path": ""}, ()),
        ("Read", {"file_path": "x" * 5_000}, ()),
        ("Read", {}, ()),
    ],
)
def test_a_call_touches_the_files_it_names(
    name: str, arguments: dict[str, Any], touches: tuple[FileTouch, ...]
) -> None:
    assert touches_of(name, arguments) == touches


PATCH = """*** Begin Patch
*** Add File: new.py
+*** Add File: not this one
*** Update File: old name.py\r
*** Move to: moved.py
@@
*** Update File: kept.py
*** Delete File: gone.py
*** End Patch"""

PATCHED = (
    FileTouch(path="new.py", action=Touch.CREATE),
    FileTouch(path="old name.py", action=Touch.MOVE),
    FileTouch(path="moved.py", action=Touch.MOVE),
    FileTouch(path="kept.py", action=Touch.WRITE),
    FileTouch(path="gone.py", action=Touch.DELETE),
)


def test_a_patch_says_what_it_does_to_each_file() -> None:
    assert touches_of_patch(PATCH) == PATCHED


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("apply_patch", {"input": PATCH}),
        ("apply_patch", {"patch": "\n" + PATCH, "path": "/elsewhere"}),
        ("shell", {"command": ["apply_patch", PATCH]}),
        ("shell", {"command": ["bash", "-lc", f"apply_patch <<'EOF'\n{PATCH}\nEOF"]}),
    ],
)
def test_a_patch_is_found_wherever_it_is_handed_over(
    name: str, arguments: dict[str, Any]
) -> None:
    assert touches_of(name, arguments) == PATCHED


def test_text_without_a_patch_touches_nothing() -> None:
    assert touches_of_patch("*** Move to: x is a line of prose") == touched(
        Touch.MOVE, "x is a line of prose"
    )
    assert touches_of_patch("plain") == ()


def test_input_is_its_values_one_a_line() -> None:
    arguments = {
        "file_path": "/a.py",
        "edits": [{"old_string": "x", "new_string": "y", "replace_all": True}],
        "limit": 20,
        "nothing": None,
        "empty": " ",
        "list": [1, 2.5],
    }

    assert input_text(arguments) == "/a.py\nx\ny\nlimit=20\nlist=1\nlist=2.5"


def test_input_is_bounded_at_both_ends() -> None:
    text = input_text({"content": "first " + "word " * 9_000 + "last"})

    assert (text[:5], text[-4:], len(text) < INPUT_LIMIT + 100) == (
        "first",
        "last",
        True,
    )


def test_input_nested_without_end_is_followed_only_so_far() -> None:
    value: Any = "deep"
    for _ in range(500):
        value = [value]

    assert input_text({"shallow": "here", "value": value}) == "here"


RANDOM = "iVBORw0KGgoAAAANSUhEUgAABZgAAAIECAYAAACUrktyAAAA" * 8


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"image": f"data:image/png;base64,{RANDOM}=="}, "[image/png]"),
        ({"data": RANDOM}, f"[base64, {len(RANDOM)} characters]"),
        (
            {"source": {"type": "base64", "media_type": "image/gif", "data": RANDOM}},
            "[image/gif]",
        ),
        ({"source": {"type": "base64", "data": "x"}}, "[base64]"),
    ],
)
def test_base64_is_named_and_never_kept(arguments: dict[str, Any], text: str) -> None:
    assert input_text(arguments) == text


@pytest.mark.parametrize(
    "text",
    [
        "short",
        "-" * 400,
        "x" * 400,
        "many words " * 100,
        "/".join(f"Folder{n}/some-file_name" for n in range(40)),
    ],
)
def test_what_only_looks_like_base64_is_text(text: str) -> None:
    assert without_base64(text) == text


# A value without its key is known by no rule.

SECRET = drawn(40, BASE64)
TOKEN = drawn(32)


@pytest.mark.parametrize(
    "arguments",
    [
        {"headers": {"Authorization": TOKEN}},
        {"headers": {"Authorization": [TOKEN]}},
        {"headers": {"X-Api-Key": TOKEN, "Accept": "*/*"}},
        {"headers": {"Cookie": "session=" + TOKEN}},
        {"headers": [{"name": "Authorization", "value": TOKEN}]},
        {"aws_secret_access_key": SECRET},
        {"aws_session_token": SECRET + SECRET},
        {"command": ["curl", "-u", "someone:" + TOKEN]},
        {"args": ["--header", "Authorization:", TOKEN]},
    ],
)
def test_a_value_that_its_key_gives_away_is_not_kept(arguments: dict[str, Any]) -> None:
    text = input_text(arguments)

    assert "[REDACTED:" in text
    assert TOKEN not in text
    assert SECRET not in text


def test_what_follows_the_key_is_kept_as_it_was() -> None:
    arguments = {"note": "see below", "Authorization": f"Bearer {TOKEN}", "a": ["b"]}

    assert input_text(arguments) == "see below\nBearer [REDACTED:bearer_token]\nb"


def test_a_long_token_at_the_end_of_a_long_command_is_not_kept() -> None:
    token = ".".join((encoded({"alg": "HS256"}), drawn(1_850), drawn(43)))
    command = "echo " * 1_000 + "-H " + token

    kept = command_of("Bash", {"command": command})

    assert kept is not None
    assert kept.endswith("-H [REDACTED:jwt_token]")


def test_a_name_for_base64_leaves_no_rest_of_a_secret() -> None:
    token = ".".join((encoded({"alg": "HS256"}), RANDOM, drawn(43)))

    assert without_base64(f"{token} {RANDOM}") == (
        f"[REDACTED:jwt_token] [base64, {len(RANDOM)} characters]"
    )


def test_long_quoted_commands_are_unwrapped_where_that_is_cheap() -> None:
    plain, escaped = "x " * 15_000, "x\\" + '"y ' * 10_000

    unwrapped = command_of("Bash", {"command": f"bash -lc '{plain}'"})
    left = command_of("Bash", {"command": f'bash -lc "{escaped}"'})

    assert (unwrapped or "").startswith("x x")
    assert (left or "").startswith("bash -lc")


@pytest.mark.parametrize("path", ["", " ", "  \t\r", "x" * 5_000])
def test_a_patch_touches_no_file_without_a_name(path: str) -> None:
    assert touches_of_patch(f"*** Add File: {path}") == ()
