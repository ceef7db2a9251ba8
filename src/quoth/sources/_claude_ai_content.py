"""What one message of a Claude.ai export holds, in its blocks and beside them."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from quoth.model import ToolCall, ToolResult

from ._bounds import OUTPUT_LIMIT, bounded
from ._tools import arguments_in, command_of, input_text, touches_of, without_base64

__all__ = ["Content", "content_of", "id_at"]

_UNSUPPORTED = re.compile(
    r"(?:```[ \t]{0,9}\n)?[ \t]{0,9}This block is not supported on your current device"
    r" yet\.?[ \t]{0,9}(?:\n[ \t]{0,9}```)?"
)
"""What stands in `text` for a block that the site's own export could not write."""

_KIND = re.compile(r"[\w.-]{1,40}")

_LONGEST_ID = 200
_MOST_BLOCKS = 5_000
_DEEPEST = 6


@dataclass(slots=True)
class Content:
    """The parts of a message, in order; `ignored` counts blocks without words."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    ignored: Counter[str] = field(default_factory=Counter)
    _open: dict[str, None] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All of the words, as one text."""
        return without_base64("\n\n".join(self.texts))

    def add_call(self, call: ToolCall) -> None:
        """Add a call that nothing came back from yet."""
        self.calls.append(call)
        self._open[call.call_id] = None

    def add_result(self, result: ToolResult) -> None:
        """Add a result; one that names no call is of the first still open."""
        call_id = result.call_id or next(iter(self._open), "")
        self._open.pop(call_id, None)
        self.results.append(replace(result, call_id=call_id))


def id_at(value: Mapping[str, Any], key: str) -> str:
    """Return the id that *key* holds, '' if it holds none; a very long one hashed."""
    found = _text_at(value, key)
    if len(found) <= _LONGEST_ID:
        return found
    return hashlib.sha256(found.encode("utf-8", "replace")).hexdigest()[:32]


def content_of(message: Mapping[str, Any], *, native_id: str) -> Content:
    """Return what a message holds; calls without an id get one from *native_id*."""
    content = Content()
    blocks = message.get("content")
    blocks = blocks if isinstance(blocks, list) else [blocks]
    for block in blocks[:_MOST_BLOCKS]:
        _add(block, content, native_id)
    if beyond := len(blocks[_MOST_BLOCKS:]):
        content.ignored["beyond all measure"] += beyond
    if not content.texts:
        content.texts += _supported(_text_at(message, "text"))
    _add_files(message, content)
    return content


def _add(block: Any, content: Content, native_id: str) -> None:
    if isinstance(block, str):
        content.texts += _supported(block)
    if not isinstance(block, dict):
        return
    kind = block.get("type")
    match kind:
        case "thinking":
            content.thoughts += _thoughts(block)
        case "tool_use":
            number = len(content.calls) + 1
            content.add_call(_call(block, f"{native_id}/{number}"))
        case "tool_result":
            content.add_result(_result(block))
        case "token_budget" | "flag":
            content.ignored[kind] += 1
        case _:  # a text, a voice note, or what a later version calls its texts
            text = _text_at(block, "text")
            content.texts += _supported(text)
            if not text:
                known = isinstance(kind, str) and _KIND.fullmatch(kind)
                content.ignored[str(kind) if known else "other"] += 1


def _supported(text: str) -> list[str]:
    text = _UNSUPPORTED.sub("", text).strip() if "not supported" in text else text
    return [text] if text.strip() else []


def _thoughts(block: Mapping[str, Any]) -> list[str]:
    """Return what a block of thinking says, or the summaries there are of it."""
    if thought := _text_at(block, "thinking"):
        return [thought]
    summaries = block.get("summaries")
    return [*_texts(summaries)] if isinstance(summaries, list) else []


def _call(block: Mapping[str, Any], call_id: str) -> ToolCall:
    name = _text_at(block, "name") or "tool"
    arguments = arguments_in(block, "input")
    return ToolCall(
        call_id=id_at(block, "id") or call_id,
        name=name,
        input=input_text(arguments),
        command=command_of(name, arguments),
        touches=touches_of(name, arguments),
    )


def _result(block: Mapping[str, Any]) -> ToolResult:
    output = "\n".join(_texts(block.get("content")))
    error = block.get("is_error")
    return ToolResult(
        call_id=id_at(block, "tool_use_id"),
        output=without_base64(bounded(output, OUTPUT_LIMIT)),
        size=len(output),
        is_error=error if isinstance(error, bool) else None,
    )


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts in what a tool gave back: pages and pictures among them."""
    if depth > _DEEPEST:
        return
    if isinstance(value, str):
        if value.strip():
            yield value
    elif isinstance(value, list):
        for inner in value[:_MOST_BLOCKS]:
            yield from _texts(inner, depth + 1)
    elif isinstance(value, dict):
        for key in ("title", "url", "summary", "text"):
            if text := _text_at(value, key):
                yield text
        yield from _texts(value.get("content"), depth + 1)


def _add_files(message: Mapping[str, Any], content: Content) -> None:
    """Add what was pasted as an attachment, and the names of the files beside it."""
    named: dict[str, bool] = {}
    for file in [*_files(message, "attachments"), *_files(message, "files")]:
        name = _text_at(file, "file_name")
        if pasted := _text_at(file, "extracted_content"):
            content.texts.append(f"[file: {name}]\n{pasted}" if name else pasted)
            named[name] = True
        elif name:
            named.setdefault(name, False)
    content.texts += [
        f"[file: {name}]" for name, is_shown in named.items() if not is_shown
    ]


def _files(message: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    files = message.get(key)
    files = files[:_MOST_BLOCKS] if isinstance(files, list) else []
    return [file for file in files if isinstance(file, dict)]


def _text_at(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) and found.strip() else ""
