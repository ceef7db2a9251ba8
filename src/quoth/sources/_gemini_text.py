"""Telling what a person typed from what Gemini CLI put beside it.

Files they referred to, hooks, the setting of a session and the steps it takes by
itself all arrive with the role of the user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from quoth.model import Noise

from ._tools import without_base64

__all__ = ["Said", "parts_of", "said_in", "texts_of"]

_MOST_BLOCKS = 100
"""Taken off one text; each costs a look at all that follows it."""

_CONTEXT = ("session_context", "hook_context")
_SUMMARY = "<state_snapshot>"
_REFERENCES = re.compile(r"^--- Content from referenced files ---", re.MULTILINE)
_OWN_STEP = re.compile(
    r"System: (?:Please continue\.\Z|Potential loop detected\.)"
    r"|This is the Gemini CLI\. We are setting up the context"
    r"|Here is (?:a summary of changes in )?the user's editor context"
)
_WHOLE = re.compile(r"<([a-z]+(?:_[a-z]+)+)>")
_TYPED_TAG = "user_query"

_RAN = "I ran the following shell command:\n```sh\n"
_PRINTED = "\n```\n\nThis produced the following output:\n```\n"
_COMMAND = re.compile(r"(?:/[A-Za-z?][\w:-]*|\?)(?=\s|\Z)")
"""Not every slash is one: a path that a prompt begins with has another after it."""

_MIME = re.compile(r"[\w.+-]+/[\w.+-]+")


@dataclass(frozen=True, slots=True)
class Said:
    """The text of a user record, taken apart.

    `prompt` is what the person typed; `noise` says that it is a command that only does
    something. `injected` was put beside it, `printed` is what their command printed.
    """

    prompt: str = ""
    is_command: bool = False
    noise: Noise | None = None
    injected: str = ""
    injected_as: Noise = Noise.INJECTED
    printed: str = ""


def parts_of(content: Any) -> Iterator[dict[str, Any]]:
    """Yield the parts of a content: a text, a part, or a list of both."""
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            yield {"text": part}
        elif isinstance(part, dict):
            yield part


def texts_of(content: Any) -> list[str]:
    """Return the texts in a content, with a placeholder for each attachment."""
    texts = []
    for part in parts_of(content):
        text = part.get("text")
        if isinstance(text, str) and part.get("thought") is not True:
            texts.append(text)
        elif place := _attachment(part):
            texts.append(place)
    return [text for text in texts if text.strip()]


def _attachment(part: dict[str, Any]) -> str:
    for key in ("inlineData", "fileData"):
        data = part.get(key)
        if isinstance(data, dict):
            mime = data.get("mimeType")
            known = isinstance(mime, str) and _MIME.fullmatch(mime)
            return f"[{mime}]" if known else "[attachment]"
    return ""


def said_in(record: dict[str, Any]) -> Said:
    """Take a user record apart. What was shown to the person is what they typed."""
    whole = "\n".join(texts_of(record.get("content"))).strip()
    shown = "\n".join(texts_of(record.get("displayContent"))).strip()
    if shown:
        rest = whole.removeprefix(shown).strip()
        return _spoken(shown, injected=[rest] if rest else [])
    if whole.startswith(_SUMMARY):
        return Said(injected=whole, injected_as=Noise.SUMMARY)
    if _OWN_STEP.match(whole):
        return Said(injected=whole)
    if whole.startswith(_RAN):
        command, marker, printed = whole.removeprefix(_RAN).partition(_PRINTED)
        if marker:
            printed = printed.removesuffix("```").strip()
            return Said(prompt=f"!{command}", is_command=True, printed=printed)
    references = _REFERENCES.search(whole)
    typed = whole[: references.start()] if references else whole
    words, blocks = _without_context(typed.strip())
    return _spoken(words, injected=[*blocks, whole[len(typed) :].strip()])


def _without_context(text: str) -> tuple[str, list[str]]:
    """Return *text* without the blocks around it that the program put there."""
    blocks: list[str] = []
    while len(blocks) < _MOST_BLOCKS and (size := _context_at_start(text)):
        blocks.append(text[:size])
        text = text[size:].lstrip()
    for tag in _CONTEXT:
        if text.endswith(f"</{tag}>") and (start := text.rfind(f"<{tag}>")) >= 0:
            blocks.append(text[start:])
            text = text[:start].rstrip()
    return text, blocks


def _context_at_start(text: str) -> int:
    """Return how long the block is that *text* starts with.

    One that is never closed takes it all, and so does a tag of another name that the
    whole text stands in: no person writes `<some_name>` around their words.
    """
    opening = _WHOLE.match(text)
    if opening is None or opening[1] == _TYPED_TAG:
        return 0
    closing = f"</{opening[1]}>"
    if opening[1] in _CONTEXT:
        end = text.find(closing)
        return len(text) if end < 0 else end + len(closing)
    return len(text) if text.endswith(closing) else 0


def _spoken(prompt: str, *, injected: list[str]) -> Said:
    prompt = without_base64(_unwrapped(prompt))
    command = _COMMAND.match(prompt)
    is_bare = command is not None and command.end() == len(prompt)
    return Said(
        prompt=prompt,
        is_command=command is not None,
        noise=Noise.META if is_bare else None,
        injected="\n".join(block for block in injected if block),
    )


def _unwrapped(prompt: str) -> str:
    opening, closing = f"<{_TYPED_TAG}>", f"</{_TYPED_TAG}>"
    if not (prompt.startswith(opening) and prompt.endswith(closing)):
        return prompt
    return prompt.removeprefix(opening).removesuffix(closing).strip()
