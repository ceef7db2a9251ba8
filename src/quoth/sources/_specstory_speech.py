"""Telling what a person typed from what their assistant put into the same messages.

SpecStory writes out the records of other programs, each of which has its own way of
wrapping commands, reminders and surroundings into a message of the user.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from quoth.model import Noise

from ._bounds import bounded
from ._tools import without_base64

__all__ = ["Speech", "speech_of"]

_NOISE_LIMIT = 2_000

_SPAN = re.compile(
    r"<(system-reminder|system_reminder|ide_opened_file|ide_selection|ide_diagnostics"
    r"|user-prompt-submit-hook|environment_context|user_instructions)>"
)
"""Only what opens a span: a pattern up to its end reads on from every opening."""

_MARKS = re.compile(
    r"(?P<META><local-command-caveat>|Caveat: The messages below were generated"
    r"|\[Request interrupted|<turn_aborted>)"
    r"|(?P<COMMAND_OUTPUT><(?:local-command|bash)-(?:stdout|stderr)>)"
    r"|(?P<SUMMARY>This session is being continued from a previous conversation)"
    r"|(?P<INJECTED># AGENTS\.md instructions|Base directory for this skill:"
    r"|Stop hook feedback:)"
)
_COMMAND = re.compile(r"<command-(?:name|message)>")
_WRAPPERS = ("user_query", "USER_REQUEST", "task")
_TAG = re.compile(r"<([a-z][a-z0-9_-]{0,60})(?: [^<>]{0,400})?>")
_HTML = re.compile(
    "a|article|aside|body|button|code|details|div|dl|footer|form|h[1-6]|head|header"
    "|html|img|li|main|nav|ol|p|pre|script|section|select|span|style|svg|table|tbody"
    "|td|template|textarea|thead|tr|ul"
)
"""A prompt may be nothing but markup somebody pasted; no program injects these."""

_SETUP, _REQUEST = "# Context from my IDE setup:", "## My request for Codex:"


@dataclass(frozen=True, slots=True)
class Speech:
    """The text of a user's message, and whose words they are."""

    text: str
    noise: Noise | None = None
    is_command: bool = False


def speech_of(text: str) -> Speech:
    """Return what a user's message says, and whether a person said it."""
    said = _without_spans(text).strip()
    if said.startswith(_SETUP) and _REQUEST in said:
        said = said.partition(_REQUEST)[2].strip()
    if not said:
        return _noise(text.strip(), Noise.INJECTED)
    mark = _MARKS.match(said)
    if mark is not None and mark.lastgroup is not None:
        return _noise(said, Noise[mark.lastgroup])
    if _COMMAND.match(said) and (name := _inside(said, "command-name")):
        return _command(name, _inside(said, "command-args"))
    if said.startswith("<bash-input>") and (command := _inside(said, "bash-input")):
        return Speech(f"!{command}", is_command=True)
    return _unwrapped(said)


def _unwrapped(said: str) -> Speech:
    """Take off what programs put around a prompt; what is all in a tag is theirs."""
    tag = _TAG.match(said)
    for wrapper in _WRAPPERS:
        opening, closing = f"<{wrapper}>", f"</{wrapper}>"
        if said.startswith(opening) and said.endswith(closing):
            said = said[len(opening) : -len(closing)].strip()
            return Speech(without_base64(said))
    if (
        tag is not None
        and said.endswith(f"</{tag[1]}>")
        and not _HTML.fullmatch(tag[1])
    ):
        return _noise(said, Noise.INJECTED)
    return Speech(without_base64(said))


def _noise(text: str, noise: Noise) -> Speech:
    return Speech(bounded(without_base64(text), _NOISE_LIMIT), noise)


def _command(name: str, arguments: str) -> Speech:
    """A command with arguments says something; `/clear` alone only does something."""
    name = "/" + name.removeprefix("/")
    if not arguments:
        return Speech(name, Noise.META, is_command=True)
    return Speech(f"{name} {arguments}", is_command=True)


def _inside(text: str, tag: str) -> str:
    """Return what stands in the first *tag*, or '' when it is not there or open."""
    _, _, rest = text.partition(f"<{tag}>")
    inside, closed, _ = rest.partition(f"</{tag}>")
    return inside.strip() if closed else ""


def _without_spans(text: str) -> str:
    """Return *text* without what stands between the two ends of an injected span.

    A tag that is not closed from some place on is not looked for again.
    """
    pieces: list[str] = []
    last = 0
    open_ended: set[str] = set()
    for opening in _SPAN.finditer(text):
        if opening.start() < last or opening[1] in open_ended:
            continue
        end = text.find(f"</{opening[1]}>", opening.end())
        if end < 0:
            open_ended.add(opening[1])
            continue
        pieces.append(text[last : opening.start()])
        last = end + len(opening[1]) + 3
    return "".join((*pieces, text[last:]))
