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

from ._bounds import bounded, opening_of, title_line
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

_SPAN = re.compile(
    r"<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|new-diagnostics"
    r"|user-prompt-submit-hook|post-tool-use-hook)>"
)
_REMINDER = re.compile(r"<(system-reminder)>")
"""Only what opens a span: a pattern up to its end reads on from every opening."""

_MARKS = re.compile(
    r"(?P<META><local-command-caveat>|Caveat: The messages below were generated"
    r"|\[Request interrupted|\[Image: (?:source|original))"
    r"|(?P<COMMAND_OUTPUT><(?:local-command|bash)-(?:stdout|stderr)>)"
    r"|(?P<SUMMARY>This session is being continued from a previous conversation)"
    r"|(?P<INJECTED><task-notification>|<system-reminder>|<teammate-message"
    r"|<cross-session-message|Stop hook feedback:|Base directory for this skill:)"
)
_TAG = re.compile(r"<([a-z][a-z0-9_-]*+)>")
_WRAPPERS = ("user_query", "USER_REQUEST", "task")

_HTML = re.compile(
    "a|article|aside|body|button|code|div|dl|footer|form|h[1-6]|head|header|html|img|li"
    "|main|nav|ol|p|pre|script|section|select|span|style|svg|table|tbody|td|template"
    "|textarea|thead|tr|ul"
)
"""A prompt may be nothing but markup somebody pasted; no program injects these."""

_PLACEHOLDER = re.compile(r"\[(?:image|document)[^\[\]]*+\]", re.IGNORECASE)
_RENAMED = "Session renamed to"


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
    said = _without(_SPAN, text).strip() if "<" in text else text.strip()
    if not said:
        return Speech(text.strip(), Noise.INJECTED)
    mark = _MARKS.match(said)
    if mark is not None and mark.lastgroup is not None:
        return Speech(said, Noise[mark.lastgroup])
    if said[0] == "<":
        return _tagged(said, typed=typed)
    return Speech(without_base64(said))


def _tagged(said: str, *, typed: bool) -> Speech:
    if said.startswith("<command-"):
        name = _inside(said, "command-name")
        if name is not None:
            return _command(name, _inside(said, "command-args"))
    for tag, sign in (("bash-input", "!"), ("user-memory-input", "#")):
        if said.startswith(f"<{tag}>"):
            command = _inside(said, tag)
            if command is not None:
                return Speech(f"{sign}{command}", is_command=True)
    whole = _whole_tag(said)
    if whole in _WRAPPERS:
        return Speech(said[len(whole) + 2 : -len(whole) - 3].strip())
    if whole is None or typed or _HTML.fullmatch(whole):
        return Speech(without_base64(said))
    return Speech(said, Noise.INJECTED)


def _inside(text: str, tag: str) -> str | None:
    """Return what stands in the first *tag*, or None when it is not there or open."""
    _, opened, rest = text.partition(f"<{tag}>")
    inside, closed, _ = rest.partition(f"</{tag}>")
    return inside.strip() if opened and closed else None


def _whole_tag(text: str) -> str | None:
    """Return the tag that all of *text* stands in, if it does."""
    for wrapper in _WRAPPERS:
        if text.startswith(f"<{wrapper}>") and text.endswith(f"</{wrapper}>"):
            return wrapper
    tag = _TAG.match(text)
    return tag[1] if tag and text.endswith(f"</{tag[1]}>") else None


def _without(
    openings: re.Pattern[str], text: str, *, blank_before: bool = False
) -> str:
    """Return *text* without the spans that *openings* begin and a closing tag ends.

    With *blank_before*, what is blank before a span goes with it.

    A tag that is not closed from some place on is not looked for again: one look at
    the rest of the text for each name, however often it is opened.
    """
    pieces, last = [], 0
    open_ended: set[str] = set()
    for opening in openings.finditer(text):
        name = opening[1]
        if opening.start() < last or name in open_ended:
            continue
        end = text.find(f"</{name}>", opening.end())
        if end < 0:
            open_ended.add(name)
            continue
        piece = text[last : opening.start()]
        pieces.append(piece.rstrip() if blank_before else piece)
        last = end + len(name) + 3
    return "".join((*pieces, text[last:]))


def _command(name: str, arguments: str | None) -> Speech:
    """A command with arguments says something; `/clear` alone only does something."""
    name = "/" + name.removeprefix("/")
    if not arguments:
        return Speech(name, Noise.META, is_command=True)
    return Speech(f"{name} {arguments}", is_command=True)


def without_reminders(text: str) -> str:
    """Return a tool's output without the reminders Claude Code appended to it."""
    if "<system-reminder>" not in text:
        return text
    return _without(_REMINDER, text, blank_before=True)


def feedback_in(output: str) -> str | None:
    """Return what the person said when they refused a tool call, if they did."""
    if not output.startswith("The user doesn't want to "):
        return None
    said = output.partition("the user said:\n")[2]
    return said.partition("\n\nNote: The user's next message ")[0].strip() or None


def new_name_in(output: str) -> str | None:
    """Return the name a person gave with `/rename`, from what the command printed."""
    if not output.lstrip().startswith("<local-command-stdout>"):
        return None
    said = _inside(output, "local-command-stdout") or ""
    if not said.startswith(_RENAMED):
        return None
    name = said.removeprefix(_RENAMED).removeprefix(":").strip()
    return name if name and "\n" not in name else None


def title_of(text: str) -> str:
    """Return *text* as a title: one line, short, without placeholders and tags."""
    return title_line(_PLACEHOLDER.sub("", _without(_SPAN, opening_of(text))))
