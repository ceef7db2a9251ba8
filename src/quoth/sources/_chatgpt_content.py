"""What one message of ChatGPT holds: words, reasoning, a call or what came back."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Content", "content_of", "kind_of"]

PICTURE = "[image]"
"""Stands for a message of pictures alone."""

_PICTURES = frozenset({"image_asset_pointer", "video_container_asset_pointer"})

_MARKED = re.compile("\ue200([^\ue200\ue201]{0,2000})\ue201")
_FIELD = "\ue202"
_STRAY = re.compile("[\ue200-\ue2ff]")
_DAGGER = re.compile(r"【\d{1,6}(?::\d{1,6})?†[^【】\n]{0,200}】")
_KIND = re.compile(r"[\w.-]{1,40}")

_MOST_PARTS = 1_000
_TEXT_KEYS = ("text", "result", "summary", "content")


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The text of a message and the reasoning in it, or neither."""

    text: str = ""
    reasoning: str = ""
    is_about_person: bool = False  # instructions or memory, put in by the program
    is_error: bool = False


def kind_of(content: Any) -> str:
    """Return the type of a content as far as it can be named."""
    kind = content.get("content_type") if isinstance(content, dict) else None
    return kind if isinstance(kind, str) and _KIND.fullmatch(kind) else "other"


def content_of(content: Any) -> Content:
    """Return what a message's content says, without the marks of its citations.

    Of a type that isn't known, whatever stands where texts usually do.
    """
    if isinstance(content, str):
        return Content(text=_without_marks(content))
    if not isinstance(content, dict):
        return Content()
    kind = kind_of(content)
    if kind in ("thoughts", "reasoning_recap"):
        return Content(reasoning=_without_marks(_reasoning_in(content)))
    text = _READERS.get(kind, _any_text)(content)
    return Content(
        text=_without_marks(text),
        is_about_person=kind in ("user_editable_context", "model_editable_context"),
        is_error=kind == "system_error",
    )


def _any_text(content: Mapping[str, Any]) -> str:
    if text := _parts_of(content):
        return text
    return next(_texts_at(content, *_TEXT_KEYS), "")


def _parts_of(content: Mapping[str, Any]) -> str:
    parts = content.get("parts")
    parts = parts[:_MOST_PARTS] if isinstance(parts, list) else [parts]
    texts = [text for part in parts for text in _part(part)]
    words = [text for text in texts if text != PICTURE]
    return "\n".join(words or texts[:1])


def _part(part: Any) -> Iterator[str]:
    if isinstance(part, str) and part.strip():
        yield part
    elif isinstance(part, dict):
        if part.get("content_type") in _PICTURES:
            yield PICTURE
        yield from _texts_at(part, "text")


def _reasoning_in(content: Mapping[str, Any]) -> str:
    thoughts = content.get("thoughts")
    thoughts = thoughts[:_MOST_PARTS] if isinstance(thoughts, list) else [content]
    return "\n\n".join(
        "\n".join(_texts_at(thought, "summary", "content"))
        for thought in thoughts
        if isinstance(thought, dict)
    ).strip()


def _lines_at(*keys: str) -> Callable[[Mapping[str, Any]], str]:
    return lambda content: "\n".join(_texts_at(content, *keys))


def _texts_at(value: Mapping[str, Any], *keys: str) -> Iterator[str]:
    for key in keys:
        text = value.get(key)
        if isinstance(text, str) and text.strip():
            yield text


_READERS = {
    "text": _any_text,
    "multimodal_text": _any_text,
    "tether_quote": _lines_at("title", "url", "text"),
    "tether_browsing_display": _lines_at("summary", "result"),
    "sonic_webpage": _lines_at("title", "url", "text", "snippet"),
    "system_error": _lines_at("name", "text"),
    "user_editable_context": _lines_at("user_profile", "user_instructions"),
    "model_editable_context": _lines_at("model_set_context"),
}


def _without_marks(text: str) -> str:
    """Return *text* without the marks that the site shows as links or not at all."""
    if "†" in text:
        text = _DAGGER.sub("", text)
    if not text.isascii() and _STRAY.search(text):
        text = _STRAY.sub("", _MARKED.sub(_shown, text))
    return text.strip("\n")


def _shown(mark: re.Match[str]) -> str:
    """Return the words of a mark that stands for a name; others have none."""
    kind, _, rest = mark[1].partition(_FIELD)
    if kind != "entity":
        return ""
    try:
        named = json.loads(rest)
    except (ValueError, RecursionError):
        return ""
    is_named = isinstance(named, list) and len(named) > 1 and isinstance(named[1], str)
    return named[1] if is_named else ""
