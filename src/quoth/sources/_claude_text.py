"""Telling what a person typed from what Claude Code put into the same records.

Hooks, reminders, slash commands, compactions and skills all arrive with the role of
the user. A person's words are kept whole; machine text is named and kept short.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from quoth.model import Noise

from ._bounds import bounded, cut_short
from ._tools import without_base64

__all__ = [
    "NOISE_LIMIT",
    "Speech",
    "feedback_in",
    "new_name_in",
    "speech_of",
    "texts_of",
    "title_of",
    "without_reminders",
]

NOISE_LIMIT = 2_000
LONGEST_TITLE = 200

_SPAN = re.compile(
    r"<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|new-diagnostics"
    r"|user-prompt-submit-hook|post-tool-use-hook)>.*?</\1>",
    re.DOTALL,
)
_REMINDER = re.compile(r"\s*<system-reminder>.*?</system-reminder>", re.DOTALL)

_MARKS = re.compile(
    r"(?P<META><local-command-caveat>|Caveat: The messages below were generated"
    r"|\[Request interrupted|\[Image: (?:source|original))"
    r"|(?P<COMMAND_OUTPUT><(?:local-command|bash)-(?:stdout|stderr)>)"
    r"|(?P<SUMMARY>This session is being continued from a previous conversation)"
    r"|(?P<INJECTED><task-notification>|<system-reminder>|<teammate-message"
    r"|<cross-session-message|Stop hook feedback:|Base directory for this skill:)"
)
_WHOLE_TAG = re.compile(r"<([a-z][a-z0-9_-]*)>.*</\1>", re.DOTALL)
_UNWRAPPED = re.compile(r"<(user_query|USER_REQUEST|task)>\s*(.*?)\s*</\1>", re.DOTALL)
_BASH = re.compile(r"<bash-input>(.*?)</bash-input>", re.DOTALL)
_MEMORY = re.compile(r"<user-memory-input>(.*?)</user-memory-input>", re.DOTALL)
_COMMAND = re.compile(r"<command-name>\s*(.*?)\s*</command-name>", re.DOTALL)
_ARGUMENTS = re.compile(r"<command-args>\s*(.*?)\s*</command-args>", re.DOTALL)

_HTML = re.compile(
    "a|article|aside|body|button|code|div|dl|footer|form|h[1-6]|head|header|html|img|li"
    "|main|nav|ol|p|pre|script|section|select|span|style|svg|table|tbody|td|template"
    "|textarea|thead|tr|ul"
)
"""A prompt may be nothing but markup somebody pasted; no program injects these."""

_PLACEHOLDER = re.compile(r"\[(?:image|document)[^\]]*\]", re.IGNORECASE)
_FEEDBACK = re.compile(
    r"The user doesn't want to .*?the user said:\n(.*?)"
    r"(?:\n\nNote: The user's next message .*)?",
    re.DOTALL,
)
_RENAMED = re.compile(
    r"\s*<local-command-stdout>\s*Session renamed to:?\s*(.+?)\s*"
    r"</local-command-stdout>"
)


@dataclass(frozen=True, slots=True)
class Speech:
    """The text of a user record, and whose words they are."""

    text: str
    noise: Noise | None = None
    is_command: bool = False


def texts_of(content: Any) -> Iterator[str]:
    """Yield the texts of a message's content, with a placeholder for each attachment.

    Content is a text or a list of blocks; old and foreign writers put bare texts into
    the list too.
    """
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield block
        elif isinstance(block, Mapping):
            text = block.get("text")
            if isinstance(text, str):
                yield text
            elif block.get("type") in ("image", "document"):
                yield _placeholder(block)


def _placeholder(block: Mapping[str, Any]) -> str:
    source = block.get("source")
    mime = source.get("media_type") if isinstance(source, Mapping) else None
    known = isinstance(mime, str) and re.fullmatch(r"[\w.+-]+/[\w.+-]+", mime)
    return f"[{block['type']}: {mime}]" if known else f"[{block['type']}]"


def speech_of(
    texts: Sequence[str], *, flagged: Noise | None = None, typed: bool = False
) -> Speech | None:
    """Return what the texts of one record say, or None when they say nothing.

    A person's words win over machine text beside them, which is dropped then.

    Args:
        flagged: What the record says of itself: all of it is machine text.
        typed: The record says that a person typed it.
    """
    read = [_speech(text, typed=typed) for text in texts if text.strip()]
    if not read:
        return None
    theirs = [speech for speech in read if speech.noise is None]
    if flagged is None and theirs:
        return Speech(
            text="\n".join(speech.text for speech in theirs),
            is_command=all(speech.is_command for speech in theirs),
        )
    noise = flagged if flagged is Noise.SUMMARY else read[0].noise or flagged
    whole = "\n".join(speech.text for speech in read)
    is_command = any(speech.is_command for speech in read if speech.noise)
    return Speech(bounded(without_base64(whole), NOISE_LIMIT), noise, is_command)


def _speech(text: str, *, typed: bool) -> Speech:
    said = _SPAN.sub("", text).strip() if "<" in text else text.strip()
    if not said:
        return Speech(text.strip(), Noise.INJECTED)
    mark = _MARKS.match(said)
    if mark is not None and mark.lastgroup is not None:
        return Speech(said, Noise[mark.lastgroup])
    if said[0] == "<":
        return _tagged(said, typed=typed)
    return Speech(without_base64(said))


def _tagged(said: str, *, typed: bool) -> Speech:
    if said.startswith("<command-") and (name := _COMMAND.search(said)):
        return _command(name[1], _ARGUMENTS.search(said))
    if bash := _BASH.match(said):
        return Speech(f"!{bash[1].strip()}", is_command=True)
    if memory := _MEMORY.match(said):
        return Speech(f"#{memory[1].strip()}", is_command=True)
    if inner := _UNWRAPPED.fullmatch(said):
        return Speech(inner[2])
    tag = _WHOLE_TAG.fullmatch(said)
    if tag is None or typed or _HTML.fullmatch(tag[1]):
        return Speech(without_base64(said))
    return Speech(said, Noise.INJECTED)


def _command(name: str, arguments: re.Match[str] | None) -> Speech:
    """A command with arguments says something; `/clear` alone only does something."""
    name = "/" + name.removeprefix("/")
    if arguments is None or not arguments[1]:
        return Speech(name, Noise.META, is_command=True)
    return Speech(f"{name} {arguments[1]}", is_command=True)


def without_reminders(text: str) -> str:
    """Return a tool's output without the reminders Claude Code appended to it."""
    return _REMINDER.sub("", text) if "<system-reminder>" in text else text


def feedback_in(output: str) -> str | None:
    """Return what the person said when they refused a tool call, if they did."""
    if not output.startswith("The user doesn't want to "):
        return None
    said = _FEEDBACK.fullmatch(output)
    return said[1].strip() or None if said else None


def new_name_in(output: str) -> str | None:
    """Return the name a person gave with `/rename`, from what the command printed."""
    renamed = _RENAMED.match(output)
    return renamed[1] if renamed else None


def title_of(text: str) -> str:
    """Return *text* as a title: one line, short, without placeholders and tags."""
    cleaned = _PLACEHOLDER.sub("", _SPAN.sub("", text))
    return cut_short(" ".join(cleaned.split()), LONGEST_TITLE)
