"""What came back from Claude Code's tools: output, exit code, files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from quoth.model import FileTouch, ToolResult, Touch

from ._bounds import OUTPUT_LIMIT, bounded
from ._claude_text import texts_of, without_reminders
from ._tools import without_base64

__all__ = ["answers_in", "results_of"]

_EXIT_CODE = re.compile(r"(?:Error: )?Exit code (\d{1,3})\b")
_TOOL_ERROR = re.compile(r"<tool_use_error>(.*)</tool_use_error>", re.DOTALL)

_MEANS_ONE = frozenset(
    (
        "Condition is false",
        "Files differ",
        "No matches found",
        "Some directories were inaccessible",
    )
)
"""`returnCodeInterpretation` of grep, diff, find and test when they exit with 1."""


def results_of(
    blocks: Sequence[Mapping[str, Any]], parsed: Any
) -> tuple[ToolResult, ...]:
    """Return the results in a user record.

    Args:
        blocks: The record's `tool_result` blocks.
        parsed: Its `toolUseResult`, which belongs to a record of one result.
    """
    if len(blocks) != 1:
        parsed = None
    return tuple(_result(block, parsed) for block in blocks)


def _result(block: Mapping[str, Any], parsed: Any) -> ToolResult:
    call_id = block.get("tool_use_id")
    flag = block.get("is_error")
    is_error = flag if isinstance(flag, bool) else None
    output = "\n".join(texts_of(block.get("content")))
    size = len(output)
    if error := _TOOL_ERROR.fullmatch(output):
        output = error[1]
    output = without_reminders(output).strip("\n")
    return ToolResult(
        call_id=call_id if isinstance(call_id, str) else "",
        output=without_base64(bounded(output, OUTPUT_LIMIT)),
        size=size,
        exit_code=_exit_code(output, parsed, is_error=is_error),
        is_error=is_error,
        touches=_touches(parsed) if isinstance(parsed, Mapping) else (),
    )


def _exit_code(output: str, parsed: Any, *, is_error: bool | None) -> int | None:
    if is_error:
        failed = _EXIT_CODE.match(output)
        return int(failed[1]) if failed else None
    if not isinstance(parsed, Mapping):
        return None
    task = parsed.get("task")  # what a command in the background came to
    for place in (parsed, task if isinstance(task, Mapping) else {}):
        if "exitCode" in place:
            code = place["exitCode"]
            return code if type(code) is int else None
    return _code_of_shell(parsed)


def _code_of_shell(parsed: Mapping[str, Any]) -> int | None:
    """Read the exit code of a finished `Bash` call that is not flagged as an error.

    Claude Code flags every exit code but 0 as an error, except those of commands that
    use 1 for an answer; these it marks with an interpretation. So 0 is captured here,
    not guessed.
    """
    if "stdout" not in parsed or "stderr" not in parsed:
        return None
    if any(parsed.get(key) for key in ("interrupted", "backgroundTaskId", "is_error")):
        return None
    meaning = parsed.get("returnCodeInterpretation")
    if meaning:
        return 1 if meaning in _MEANS_ONE else None
    return 0


def _touches(parsed: Mapping[str, Any]) -> tuple[FileTouch, ...]:
    path = parsed.get("filePath") or parsed.get("notebook_path")
    if not isinstance(path, str) or not path:
        return ()
    created = parsed.get("type") == "create"
    return (FileTouch(path=path, action=Touch.CREATE if created else Touch.WRITE),)


def answers_in(parsed: Any) -> str:
    """Return what a person answered to `AskUserQuestion`, one answer a line."""
    answers = parsed.get("answers") if isinstance(parsed, Mapping) else None
    if not isinstance(answers, Mapping):
        return ""
    lines: list[str] = []
    for answer in answers.values():
        chosen = answer if isinstance(answer, list) else [answer]
        lines += [text for text in chosen if isinstance(text, str) and text.strip()]
    return "\n".join(lines)
