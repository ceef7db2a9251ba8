"""Text of a megabyte made to keep a pattern busy is read in about the time it takes.

Anything a tool printed or a page said may be such a text. Each reading runs in a
process of its own, for a pattern that hangs cannot be stopped from inside.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

SIZE = 1_000_000
PATIENCE = 30
"""Seconds. What these guard against took minutes to days."""

OPENINGS = [
    *(
        "<system-reminder>",
        "<ide_selection>",
        "<task>",
        "<user_query>",
        "<command-name>",
    ),
    *("<command-args>", "<bash-input>", "<local-command-stdout>", "<cwd>", "<skill"),
    *("<user_shell_command><command>", "<skill></skill>", "<skill x></skill>", "<a"),
    *("[image", "[document", "*** Add File: a ", "data:a/a;", "A1b" * 80 + " "),
]
STARTS = [
    "<system-reminder>",
    "<user_query>",
    "<command-name>",
    "<command-name>/a</command-name><command-args>",
    "<local-command-stdout>Session renamed to: ",
    "<user_shell_command> <command> ",
    "*** Begin Patch\n*** Add File: a",
    "bash -lc 'a",
    'bash -lc "a',
    "The user doesn't want to ",
]

READERS = {
    "what a person said to Claude Code": "_claude_text.speech_of([text])",
    "a title": "_claude_text.title_of(text)",
    "reminders": "_claude_text.without_reminders(text)",
    "a new name": "_claude_text.new_name_in(text)",
    "feedback": "_claude_text.feedback_in(text)",
    "what a person said to Codex": "_codex_text.typed_in([text], mirrored=False)",
    "Codex's own shell": "_codex_text.shell_command(text)",
    "a patch": "_tools.touches_of_patch(text)",
    "base64": "_tools.without_base64(text)",
    "input": "_tools.input_text({'a': text})",
    "a command": "_tools.command_of('Bash', {'command': text})",
    "what SpecStory wrote of a person": "_specstory_speech.speech_of(text)",
    "a tool in SpecStory": "_specstory_blocks.use_of(['Tool use: **Bash**',"
    " *text.splitlines()], call_id='')",
    "a tool's name": "_tools.category_of(text)",
}


def runs(code: str) -> bool:
    """Say whether *code* comes to its end in time."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], timeout=PATIENCE, check=True
        )
    except subprocess.TimeoutExpired:  # pragma: no cover - only when it fails
        return False
    return done.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_a_text_made_to_keep_a_pattern_busy_does_not(reader: str) -> None:
    texts = f"[s * ({SIZE} // len(s)) for s in {OPENINGS}]"
    spaced = f"[s + ' ' * {SIZE} for s in {STARTS}]"

    assert runs(
        "from quoth.sources import _claude_text, _codex_text, _specstory_blocks,"
        " _specstory_speech, _tools\n"
        f"for text in {texts} + {spaced}: {READERS[reader]}"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        '{"type":x',
        '{"type":1} x',
        '{"type":"',
        '{"type":"a\\n',
    ],
)
def test_looking_for_whole_objects_on_a_torn_line_has_an_end(line: str) -> None:
    assert runs(
        "from quoth.sources._decoding import objects_in\n"
        f"objects_in({line!r} * 400_000)"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "lines",
    [
        'b\'{"a":"\\n\' * 100_000',
        "(b'{\"a\":\"\\n' + b'y\\n' * 19) * 5_000",
        "(b'{\"a\":\"' + b'x' * 50_000 + b'\\n') * 400",
    ],
)
def test_strings_left_open_on_every_line_are_read_in_time(lines: str) -> None:
    assert runs(
        "from io import BytesIO\n"
        "from quoth.sources import _jsonl, _lines\n"
        f"lines = _lines.RawLines(BytesIO({lines}), 0)\n"
        "for line in _jsonl._lines(lines, lambda head: None): pass"
    )
