"""Telling what a person typed from what Codex put beside it under the same role."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

__all__ = [
    "INJECTED_LIMIT",
    "PICTURE",
    "Typed",
    "content_texts",
    "shell_command",
    "typed_in",
    "words_of",
]

INJECTED_LIMIT = 2_000
"""Characters kept of text that the program put in: enough to recognise it."""

_MOST_BLOCKS = 100
"""Taken off one text; each costs a look at all that follows it."""

PICTURE = "[image]"
_AGENTS = "# AGENTS.md instructions"
_IDE = "# Context from my IDE setup:"
_IDE_REQUEST = "## My request for Codex:"
_INJECTED_TAGS = (
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "<environment_context>",
    "<permissions instructions>",
    "<collaboration_mode>",
    "<skill",
    "<turn_aborted>",
    "<subagent_notification>",
    "<goal_context>",
    "<codex_internal_context",
    "<recommended_plugins>",
    "<apps_instructions>",
    "<image name=",
    "<image>",
)
_TYPED_TAGS = ("user_query", "USER_REQUEST", "task", "bash-input", "command-name")
_OPENING = re.compile(r"<(?P<inside>(?P<name>[\w.-]++)[^<>]*+)>")
_WHOLE = re.compile(r"<([a-z][a-z0-9_-]*)(?:\s[^<>]*)?>.*</\1>", re.DOTALL)
_UNWRAPPED = re.compile(rf"<({'|'.join(_TYPED_TAGS)})>(.*)</\1>", re.DOTALL)
_TAG = re.compile(r"</?(?:result|user_shell_command)>")


@dataclass(frozen=True, slots=True)
class Typed:
    """A text of role user, taken apart: what was put in, what the person wrote."""

    injected: str
    prompt: str


def content_texts(content: Any) -> list[str]:
    """Return the texts of a message's content; a picture stands as `[image]`."""
    if isinstance(content, str):
        return [content] if content.strip() else []
    if isinstance(content, dict):
        return content_texts([content])
    if not isinstance(content, list):
        return []
    texts = []
    for item in content:
        text = item.get("text") if isinstance(item, dict) else item
        if isinstance(text, str) and text.strip():
            texts.append(text)
        elif isinstance(item, dict) and item.get("type") in ("input_image", "image"):
            texts.append(PICTURE)
    return texts


def typed_in(texts: list[str], *, mirrored: bool) -> Typed:
    """Take the texts of one user message apart.

    Args:
        mirrored: The texts are an event, which holds what was typed: there any tag
            but the known ones is the person's own.
    """
    parts = [_typed(text.strip(), mirrored=mirrored) for text in texts]
    return Typed(
        injected="\n".join(part.injected for part in parts if part.injected),
        prompt=words_of([part.prompt for part in parts if part.prompt]),
    )


def words_of(texts: list[str]) -> str:
    """Return texts as one; pictures are named only where there is nothing else."""
    words = [text for text in texts if text != PICTURE]
    return "\n".join(words or texts[:1])


def _typed(text: str, *, mirrored: bool) -> Typed:
    before, marker, request = text.partition(_IDE_REQUEST)
    if text.startswith(_IDE) and marker:
        return Typed(before.rstrip(), request.strip())
    blocks: list[str] = []
    rest = text
    while len(blocks) < _MOST_BLOCKS and (size := _injected_head(rest)):
        blocks.append(rest[:size].rstrip())
        rest = rest[size:].lstrip()
    if not mirrored:
        if (unwrapped := _UNWRAPPED.fullmatch(rest)) is not None:
            rest = unwrapped[2].strip()
        elif _WHOLE.fullmatch(rest):
            blocks.append(rest)
            rest = ""
    return Typed("\n".join(blocks), rest)


def _injected_head(text: str) -> int:
    """Return how many characters at the start were put in by the program.

    A block that is never closed has no known end, so it takes the whole text: the
    event that follows repeats what was typed after it.
    """
    if text.startswith(_AGENTS):
        return _end_of(text, "</INSTRUCTIONS>")
    if text == "</image>":
        return len(text)
    if not text.startswith(_INJECTED_TAGS):
        return 0
    opening = _OPENING.match(text)
    if opening is None:
        return len(text)
    if opening["name"] == "image" and "</image>" not in text:
        return opening.end()
    closing = f"</{opening['inside']}>"
    return _end_of(text, closing if closing in text else f"</{opening['name']}>")


def _end_of(text: str, closing: str) -> int:
    place = text.find(closing)
    return len(text) if place < 0 else place + len(closing)


def shell_command(text: str) -> tuple[str, str] | None:
    """Return the command a person ran in Codex's own shell and its output, if any."""
    text = text.strip()
    if not text.startswith("<user_shell_command>"):
        return None
    rest = _TAG.sub("", text).strip()
    command = ""
    if rest.startswith("<command>"):
        inside, closed, after = rest.removeprefix("<command>").partition("</command>")
        if closed:
            command, rest = inside.strip(), after.strip()
    return (command, rest) if command else (rest, "")
