"""The block SpecStory writes of a tool's use: what it was given, what came back.

Every assistant's tools are laid out in their own way, input and output one after the
other without a name for either. Told apart are: a line that announces the output; the
fence that is the last, or plain; commands in a shell's fence or alone in backticks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from quoth.model import FileTouch, ToolCall, ToolResult, Touch

from ._bounds import INPUT_LIMIT, OUTPUT_LIMIT, bounded
from ._specstory_fences import Fence, Step, closing_mark
from ._tools import (
    category_of,
    command_of,
    touches_of,
    touches_of_patch,
    without_base64,
)

__all__ = ["Use", "use_of"]

_OPENING = re.compile(
    r'<tool-use data-tool-type="(?P<type>[^"<>]*)" data-tool-name="(?P<name>[^"<>]*)">'
    r"(?P<rest>.*)"
)
_LEGACY = re.compile(r"Tool use: \*\*(?P<name>[^*]{1,200})\*\*(?P<rest>.*)")
_TAGS = re.compile(r"</?(?:details|tool-use|summary)(?: [^<>]*)?>")
_NAMED = re.compile(r"Tool use: \*\*[^*]{1,200}\*\*(?: •)?")

_RESULT = re.compile(
    r"(?:\*\*(?P<bold>Result|Output|Error|Answer):\*\*|(?:Result|Output):$)"
    r" ?(?P<rest>.*)"
)
_PLAIN = ("", "text")
_FIRST_LINES = 5
_SHELLS = ("bash", "sh", "shell", "zsh", "powershell", "console")

_STAND_IN = {"shell": "bash", "read": "read_file", "write": "edit_file"}
"""What a tool is taken for that only its type tells something of."""
_OF_VERB = {"Create": "create_file", "Delete": "delete_file"}

_PATH = re.compile(r"(?P<verb>Read|Edit|Write|Create|Delete) file: `?(?P<path>[^`]+)`?")
_QUOTED = re.compile(r" ?`(?P<inside>[^`]+)`")
_ALONE = re.compile(r"`(?P<inside>.+)`")
_RUN = re.compile(r"Run command: (?P<command>.+)")
_ARGUMENT = re.compile(r"- (?P<key>\w{1,60}): `(?P<value>.*)")
_OF_ARGV = re.compile(r"\[(?:\S{0,200}sh -l?c )?(?P<command>.*)\]", re.DOTALL)

_EXIT_CODE = re.compile(
    r"Exit code (\d{1,9})\b|(?:.*\n){0,4}Process exited with code (\d{1,9})\b"
)
_UPDATED = re.compile(r"The file (?P<path>[^\n]{1,4096}?) has been updated\b")
_CREATED = re.compile(r"File created successfully at: (?P<path>[^\n(]{1,4096})")


@dataclass(frozen=True, slots=True)
class Use:
    """A call, and its result where the block holds one."""

    call: ToolCall
    result: ToolResult | None = None

    @property
    def is_bare(self) -> bool:
        """Say whether nothing but the tool's name is known."""
        return not self.call.input and self.result is None


def use_of(lines: list[str], *, call_id: str) -> Use:
    """Return the use of a tool that the lines of a block describe."""
    opening = _OPENING.match(lines[0]) or _LEGACY.match(lines[0])
    if opening is None:  # a tag of a later version, with other attributes
        return Use(ToolCall(call_id=call_id, name="tool"))
    name = opening["name"].strip() or "tool"
    kind = opening.groupdict().get("type") or ""
    known = name if category_of(name) != "other" else _STAND_IN.get(kind, name)
    shown = [*_without_tags(_unescaped(opening["rest"], lines[1:]))]
    start = _start_of_result(shown, category_of(known))
    call = _call(name, known, _Given(shown[:start]), call_id)
    if start == len(shown):
        return Use(call)
    return Use(call, _result(shown[start:], call_id, category_of(known)))


def _unescaped(rest: str, lines: list[str]) -> list[str]:
    """Return a block's lines; editors escape them, and break their tags elsewhere."""
    if rest.strip():
        return [rest, *lines]
    return [html.unescape(line) for line in lines]


def _without_tags(lines: list[str]) -> Iterator[str]:
    """Yield lines without SpecStory's own markup, which stands outside of fences."""
    fence = Fence()
    for place, line in enumerate(lines, start=1):
        is_end = place == len(lines) and line.rstrip().endswith("</tool-use>")
        if is_end or (not fence.holds and _TAGS.search(line)):
            bare = _NAMED.sub("", _TAGS.sub("", line), count=1).strip()
            if bare:
                yield bare
        else:
            fence.pass_over(line)
            yield line


def _start_of_result(lines: list[str], category: str) -> int:
    """Return which line the result begins at, or how many there are."""
    fence = Fence()
    opened: list[tuple[int, str]] = []
    for place, line in enumerate(lines):
        step = fence.pass_over(line)
        if step is Step.OUTSIDE and _RESULT.match(line):
            return place
        if step is Step.OPENS:
            opened.append((place, fence.language))
    plain = [place for place, language in opened if language in _PLAIN]
    if category in ("write", "edit"):  # what was written may be plain text too
        named = [place for place, language in opened if language == "text"]
        last = named or (plain if len(opened) > 1 or category == "edit" else [])
        return last[-1] if last else len(lines)
    if plain or category not in ("read", "search"):
        return plain[0] if plain else len(lines)
    filled = [place for place, line in enumerate(lines) if line.strip()]
    return filled[1] if len(filled) > 1 else len(lines)


class _Given:
    """What stands in a block before its result."""

    def __init__(self, lines: list[str]) -> None:
        self.lines: list[str] = []
        self._values: dict[str, list[str]] = {}
        self._shell: list[str] = []
        self._alone = ""
        self._open_key = ""
        fence = Fence()
        for line in lines:
            step = fence.pass_over(line)
            if step is Step.INSIDE:
                self.lines.append(line)
                if fence.language in _SHELLS:
                    self._shell.append(line)
            elif step is Step.OUTSIDE and line.strip() and line != "**Input:**":
                self.lines.append(line.strip())
                self._take(line)

    def _take(self, line: str) -> None:
        """Take in a line outside of fences: an argument, a command or a path."""
        if self._open_key:  # a value that goes on over lines
            self._values[self._open_key].append(line.removesuffix("`"))
        elif (given := _ARGUMENT.fullmatch(line)) is not None:
            self._open_key = given["key"]
            self._values[given["key"]] = [given["value"].removesuffix("`")]
        elif (alone := _ALONE.fullmatch(line)) is not None:
            self._alone = self._alone or alone["inside"]
        elif (run := _RUN.match(line)) is not None:
            self._alone = self._alone or run["command"]
        if line.endswith("`"):
            self._open_key = ""

    def arguments(self) -> dict[str, str]:
        """Return what is listed by name."""
        return {key: "\n".join(lines) for key, lines in self._values.items()}

    def command(self) -> str:
        """Return what a shell was told, if this is a shell's block."""
        arguments = self.arguments()
        given = arguments.get("command") or arguments.get("cmd")
        if given and (words := _OF_ARGV.fullmatch(given)) is not None:
            return words["command"]
        return given or "\n".join(self._shell) or self._alone

    def path(self) -> tuple[str, str]:
        """Return the file that is named, and the verb beside it."""
        for line in self.lines[:_FIRST_LINES]:
            if (named := _PATH.match(line)) is not None:
                return named["path"].strip(), named["verb"]
        quoted = _QUOTED.match(self.lines[0]) if self.lines else None
        return (quoted["inside"], "") if quoted else ("", "")


def _call(name: str, known: str, given: _Given, call_id: str) -> ToolCall:
    text = "\n".join(given.lines)
    arguments = given.arguments()
    is_shell = category_of(known) == "shell"
    if is_shell and (command := given.command()):
        arguments["command"] = command
    path, verb = given.path()
    if path and not is_shell:
        arguments.setdefault("file_path", path)
    touching = _OF_VERB.get(verb, known)
    return ToolCall(
        call_id=call_id,
        name=name,
        input=without_base64(bounded(text, INPUT_LIMIT)),
        command=command_of(known, arguments),
        touches=touches_of(touching, arguments) or touches_of_patch(text),
    )


def _result(lines: list[str], call_id: str, category: str) -> ToolResult:
    announced = _RESULT.match(lines[0])
    if announced is not None:
        lines = [announced["rest"], *lines[1:]]
    output = "\n".join(_unfenced(lines))
    failed = announced is not None and announced["bold"] == "Error"
    code = _exit_code(output) if category == "shell" else None
    error = failed or output.startswith("<tool_use_error>") or None
    return ToolResult(
        call_id=call_id,
        output=without_base64(bounded(output, OUTPUT_LIMIT)),
        size=len(output),
        exit_code=code,
        is_error=error if code is None else code != 0,
        touches=_written(output) if category in ("write", "edit") else (),
    )


def _unfenced(lines: list[str]) -> list[str]:
    """Return lines without the blank ones around them and the fence they stand in.

    The last mark ends it: what was printed may hold fences of its own.
    """
    filled = [place for place, line in enumerate(lines) if line.strip()]
    lines = lines[filled[0] : filled[-1] + 1] if filled else []
    if lines and Fence().pass_over(lines[0]) is Step.OPENS:
        end = -1 if len(lines) > 1 and closing_mark(lines[-1]) else None
        return lines[1:end]
    return lines


def _exit_code(output: str) -> int | None:
    code = _EXIT_CODE.match(output)
    return int(code[1] or code[2]) if code else None


def _written(output: str) -> tuple[FileTouch, ...]:
    """Return the file that the result of an edit names: its input does not."""
    created = _CREATED.match(output)
    found = created or _UPDATED.match(output)
    if found is None:
        return ()
    action = Touch.CREATE if created else Touch.WRITE
    return (FileTouch(path=found["path"].strip(), action=action),)
