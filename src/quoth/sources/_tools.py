"""What a tool call was for: its category, its command, the files it named, its input.

Every assistant names its tools and their arguments differently; the tables here hold
the names met so far. Nothing is guessed: an unknown tool touches nothing.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from quoth.model import FileTouch, Touch
from quoth.redaction import rules_in_force

from ._bounds import INPUT_LIMIT, bounded

__all__ = [
    "arguments_in",
    "category_of",
    "command_of",
    "input_text",
    "object_in",
    "touches_of",
    "touches_of_patch",
    "without_base64",
]

_NAMES = {
    "shell": (
        "bash shell exec_command shell_command local_shell run_terminal_cmd"
        " run_in_terminal run_shell_command execute_command run_command powershell"
        " local_shell_call container.exec bash_tool"
    ),
    "read": "read read_file view view_file view_image cat read_many_files open_file",
    "write": "write write_file write_to_file create create_file",
    "edit": (
        "edit multiedit search_replace replace replace_in_file apply_patch apply_diff"
        " patch edit_file text_editor insert_edit_into_file notebookedit"
    ),
    "search": (
        "grep glob ls list_dir list_directory search_file_content codebase_search"
        " file_search semantic_search toolsearch grep_search"
    ),
    "web": "webfetch web_fetch websearch web_search google_web_search fetch",
    "task": "task agent subagent spawn_agent new_task runsubagent delegate_to_agent",
    "plan": (
        "todowrite update_plan exitplanmode enterplanmode write_todos exit_plan_mode"
        " enter_plan_mode"
    ),
    "question": "askuserquestion ask_user ask_followup_question request_user_input",
}
_CATEGORY = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_FAMILIES = (("str_replace", "edit"), ("browser_", "web"))
_PREFIX = re.compile(r"^(?:functions\.|mcp__(?:.+__)?|developer__)+")

_ACTION = {"read": Touch.READ, "write": Touch.WRITE}
_OWN_ACTION = {
    "create": Touch.CREATE,
    "create_file": Touch.CREATE,
    "delete_file": Touch.DELETE,
    "remove_file": Touch.DELETE,
    "move_file": Touch.MOVE,
    "rename_file": Touch.MOVE,
}
_SUBCOMMAND = {"view": Touch.READ, "create": Touch.CREATE}
"""One editor tool (`str_replace_based_edit_tool`) takes what to do as an argument."""

_PATH_KEYS = (
    "file_path",
    "filePath",
    "path",
    "absolute_path",
    "target_file",
    "notebook_path",
    "relative_workspace_path",
    "uri",
    "DirectoryPath",
    "AbsolutePath",
    "TargetFile",
)
_MANY_PATHS_KEYS = ("paths", "files", "source", "destination")
_LONGEST_PATH = 4096

_COMMAND_KEYS = ("command", "cmd", "CommandLine", "commandLine")
_SHELLS = re.compile(
    r"(?:.*[/\\])?(?:ba|z|da)?sh|(?:.*[/\\])?(?:powershell|pwsh)(?:\.exe)?"
)
_TAKES_COMMAND = re.compile(r"-[li]*c|-Command", re.IGNORECASE)

_LONGEST_QUOTED = 20_000
"""Characters. `shlex` takes time with the square of a quoted text's length."""

_PATCH = "*** Begin Patch"
_PATCH_LINE = re.compile(
    r"^\*\*\* (?:(Add|Update|Delete) File|(Move to)): (.+)$", re.MULTILINE
)
_PATCH_ACTION = {"Add": Touch.CREATE, "Update": Touch.WRITE, "Delete": Touch.DELETE}

_SHORTEST_BASE64 = 256
_BASE64 = re.compile(
    r"(?:data:(?P<mime>[\w.+-]+/[\w.+-]+)(?:;[\w=.+-]+)*;base64,)?"
    rf"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{{{_SHORTEST_BASE64},}}+={{0,2}}"
)
_DEEPEST = 8


def category_of(name: str) -> str:
    """Return what kind of tool *name* is: shell, read, edit, mcp, ..., or other."""
    short = _short(name)
    own = name.lower().startswith("mcp__") and "developer__" not in name.lower()
    # On somebody's MCP server a bare `create` or `fetch` may mean anything.
    known = _CATEGORY.get(short) if not own or "_" in short else None
    if known is not None:
        return known
    for prefix, category in _FAMILIES:
        if short.startswith(prefix):
            return category
    return "mcp" if name.lower().startswith("mcp__") else "other"


def _short(name: str) -> str:
    return _PREFIX.sub("", name.lower()).removesuffix("_v2")


def command_of(name: str, arguments: Mapping[str, Any]) -> str | None:
    """Return the command a shell tool ran, without the shell that was put around it."""
    command = _command(name, arguments)
    return None if command is None else bounded(command, INPUT_LIMIT)


def _command(name: str, arguments: Mapping[str, Any]) -> str | None:
    if category_of(name) != "shell":
        return None
    for key in _COMMAND_KEYS:
        value = arguments.get(key)
        if isinstance(value, Mapping):
            value = value.get("original")
        if isinstance(value, str) and value.strip():
            return _unwrapped(value)
        if isinstance(value, list) and value:
            return _of_argv([str(part) for part in value])
    return None


def _unwrapped(command: str) -> str:
    """Take off `bash -lc '...'` where the quoted part is the whole rest."""
    shell, _, rest = command.partition(" ")
    option, _, quoted = rest.partition(" ")
    if not _SHELLS.fullmatch(shell) or not _TAKES_COMMAND.fullmatch(option):
        return command
    inside = quoted[1:-1]
    if quoted == f"'{inside}'" and "'" not in inside:
        return inside
    if len(quoted) > _LONGEST_QUOTED:
        return command
    try:
        parts = shlex.split(quoted)
    except ValueError:  # quotes that do not pair up: leave it as it was written
        return command
    return parts[0] if len(parts) == 1 else command


def _of_argv(argv: list[str]) -> str:
    if len(argv) > 2 and _SHELLS.fullmatch(argv[0]):
        for place, part in enumerate(argv[1:-1], start=1):
            if _TAKES_COMMAND.fullmatch(part):
                return argv[place + 1]
    return shlex.join(argv)


def touches_of(name: str, arguments: Mapping[str, Any]) -> tuple[FileTouch, ...]:
    """Return the files a call named, as they were written, in order, each once.

    Searches and listings name folders they look in; those are not touched.
    """
    patch = _patch_in(name, arguments)
    if patch is not None:
        return touches_of_patch(patch)
    action = _action(name, arguments)
    if action is None:
        return ()
    paths = dict.fromkeys(_paths(arguments))
    return tuple(FileTouch(path=path, action=action) for path in paths)


def _patch_in(name: str, arguments: Mapping[str, Any]) -> str | None:
    command = _command(name, arguments)
    if command is not None:
        return command if _PATCH in command else None
    if category_of(name) != "edit":
        return None
    texts = (value for value in arguments.values() if isinstance(value, str))
    return next((text for text in texts if text.lstrip().startswith(_PATCH)), None)


def _action(name: str, arguments: Mapping[str, Any]) -> Touch | None:
    category = category_of(name)
    if category == "edit":
        return _SUBCOMMAND.get(str(arguments.get("command")), Touch.WRITE)
    if category in ("mcp", "other", "write"):
        short = _short(name)
        own = short if "_" in short or category == "write" else ""
        return _OWN_ACTION.get(own, _ACTION.get(category))
    return _ACTION.get(category)


def _paths(arguments: Mapping[str, Any]) -> Iterator[str]:
    for key in _PATH_KEYS:
        if (path := _path(arguments.get(key))) is not None:
            yield path
            return
    for key in _MANY_PATHS_KEYS:
        values = arguments.get(key)
        for value in values if isinstance(values, list) else [values]:
            inner = value.get("path") if isinstance(value, Mapping) else value
            if (path := _path(inner)) is not None:
                yield path


def _path(value: Any) -> str | None:
    if isinstance(value, Mapping):  # a `uri` object
        value = value.get("fsPath") or value.get("path")
    if not isinstance(value, str) or not 0 < len(value) <= _LONGEST_PATH:
        return None
    path = value.removeprefix("file://").strip()
    return None if not path or "\n" in path else path


def touches_of_patch(patch: str) -> tuple[FileTouch, ...]:
    """Return the files a `*** Begin Patch` text names; both ends of a move are MOVE."""
    touches: list[FileTouch] = []
    for kind, moved, rest in _PATCH_LINE.findall(patch):
        path = rest.rstrip(" \t\r")
        if not 0 < len(path) <= _LONGEST_PATH:
            continue
        if moved and touches:
            source = touches.pop().path
            touches.append(FileTouch(path=source, action=Touch.MOVE))
        action = Touch.MOVE if moved else _PATCH_ACTION[kind]
        touches.append(FileTouch(path=path, action=action))
    return tuple(dict.fromkeys(touches))


def input_text(arguments: Mapping[str, Any]) -> str:
    """Return what a person would search for in a call's input, within bounds.

    Values stand one a line without JSON's punctuation, numbers with their key; flags
    are left out, and so is base64. Without its key a secret is known by no rule, so
    that each value is redacted beside it first.
    """
    return without_base64(bounded("\n".join(_values(arguments)), INPUT_LIMIT))


def _values(value: Any, key: str = "", depth: int = 0) -> Iterator[str]:
    if depth > _DEEPEST or value is None or isinstance(value, bool):
        return
    if isinstance(value, str):
        if value.strip():
            yield _redacted(value, key)
    elif isinstance(value, int | float):
        yield f"{key}={value}" if key else str(value)
    elif isinstance(value, Mapping):
        if value.get("type") == "base64":
            yield f"[{value.get('media_type') or 'base64'}]"
            return
        label = value.get("name") or value.get("key")
        for name, inner in value.items():
            named = label if name == "value" and isinstance(label, str) else str(name)
            yield from _values(inner, named, depth + 1)
    else:  # a list: JSON has nothing else
        yield from _items(value, key, depth)


def _items(values: list[Any], key: str, depth: int) -> Iterator[str]:
    """Yield what a list holds; as one when its texts are a secret only together."""
    if values and all(isinstance(value, str) for value in values):
        together = " ".join(values)
        if (redacted := _redacted(together, key)) != together:
            yield redacted
            return
    for value in values:
        yield from _values(value, key, depth + 1)


def _redacted(value: str, key: str) -> str:
    """Return *value* as redaction sees it behind its key."""
    prefix = f"{key}: " if key else ""
    return rules_in_force().redact(prefix + value).removeprefix(prefix)


def without_base64(text: str) -> str:
    """Return *text* with every long run of base64 replaced by what it was.

    A run counts only with capitals, small letters and digits in it: rulers (`----`)
    and padding (`xxxx`) are text.
    """
    if max(map(len, text.split()), default=0) < _SHORTEST_BASE64:
        return text
    if _BASE64.sub(_named, text) == text:
        return text
    # The run may be the middle of a secret, or what a rule would know another by.
    return _BASE64.sub(_named, rules_in_force().redact(text))


def _named(match: re.Match[str]) -> str:
    run = match[0]
    if match["mime"]:
        return f"[{match['mime']}]"
    mixed = (
        any(char.isdigit() for char in run)
        and any(char.isupper() for char in run)
        and any(char.islower() for char in run)
    )
    # Long paths are made of the same characters, but of words between their slashes.
    wordy = max(map(len, re.split(r"[/_-]", run))) < _SHORTEST_BASE64 // 8
    return f"[base64, {len(run)} characters]" if mixed and not wordy else run


def arguments_in(call: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """Return what a call was given, under the first of *keys* that holds anything.

    Some write it as an object, some as JSON text, and some as text that is no JSON.
    """
    for key in keys:
        value = call.get(key)
        if isinstance(value, dict):
            return value
        if isinstance(value, str) and value:
            return object_in(value) or {"input": value}
    return {}


def object_in(text: str) -> dict[str, Any] | None:
    """Return the JSON object that *text* is, or None: a model may have cut it short."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
