"""A conversation, or a part of it, for people."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from quoth.model import Kind, ShownCall, ShownMessage, Transcript

from ._layout import counted, filled, one_line, paragraphs, shorten
from ._terminal import Terminal
from ._times import when_exactly

__all__ = ["call_lines", "label", "transcript_text"]

_MOST_OUTPUT_LINES = 12
_MOST_SUBAGENTS = 5


def transcript_text(
    transcript: Transcript, *, focus: int | None, terminal: Terminal
) -> Iterator[str]:
    """Yield the transcript in paragraphs: head, messages, foot."""
    yield "\n".join(_head(transcript, terminal))
    for message in transcript.messages:
        yield _message_text(message, focused=message.seq == focus, terminal=terminal)
    if foot := "\n".join(map(terminal.dim, _foot(transcript))):
        yield foot


def _head(transcript: Transcript, terminal: Terminal) -> Iterator[str]:
    title = one_line(transcript.title or "") or "(no title)"
    yield from map(terminal.bold, filled(title, terminal.width))
    about = terminal.dot.join(map(one_line, _about(transcript)))
    yield from map(terminal.dim, filled(about, terminal.width))
    yield terminal.dim(one_line(transcript.key))
    for line in _relatives(transcript):
        yield terminal.dim(one_line(line))
    if transcript.source_gone_at is not None:
        gone = f"{transcript.source_gone_at.astimezone():%Y-%m-%d}"
        sentence = f"Its source is gone since {gone}: this is the archive's copy."
        yield from filled(sentence, terminal.width)


def _about(transcript: Transcript) -> Iterator[str]:
    yield transcript.source
    if transcript.kind is not Kind.MAIN:
        yield transcript.kind.value
    yield from filter(None, (transcript.repo or transcript.cwd, transcript.branch))
    yield from transcript.models
    if transcript.started_at is not None:
        yield _span(transcript)


def _span(transcript: Transcript) -> str:
    started, ended = when_exactly(transcript.started_at), transcript.ended_at
    if ended is None or when_exactly(ended) == started:
        return started
    ended_text = when_exactly(ended)
    same_day = ended_text[:10] == started[:10]
    return f"{started} to {ended_text[11:] if same_day else ended_text}"


def _relatives(transcript: Transcript) -> Iterator[str]:
    if transcript.path is not None:
        yield str(transcript.path)
    if transcript.parent is not None:
        is_fork = transcript.kind is Kind.FORK
        yield f"{'forked from' if is_fork else 'part of'} {transcript.parent}"
    if transcript.copy_of is not None:
        yield f"written out from {transcript.copy_of}"
    for key in transcript.subagents[:_MOST_SUBAGENTS]:
        yield f"subagent {key}"
    if (more := len(transcript.subagents) - _MOST_SUBAGENTS) > 0:
        yield f"and {counted(more, 'more subagent')}"


def _message_text(message: ShownMessage, *, focused: bool, terminal: Terminal) -> str:
    lines = [terminal.bold(label(message, focused=focused, terminal=terminal))]
    if focused:
        lines.append(terminal.dim(one_line(message.citation)))
    # Not wrapped: a message may hold code, and a person may want to copy it.
    if text := paragraphs(message.text):
        lines.append(text)
    for call in message.calls:
        lines.extend(call_lines(call, terminal))
    if not text and not message.calls:
        lines.append(terminal.dim("(no words: thinking, or nothing that is kept)"))
    return "\n".join(lines)


def label(message: ShownMessage, *, terminal: Terminal, focused: bool = False) -> str:
    """Return who wrote the message and when, on one line."""
    parts = [f"#{message.seq} {message.role}", when_exactly(message.at)]
    if message.model:
        parts.append(one_line(message.model))
    if message.superseded:
        parts.append("(superseded)")
    return ("> " if focused else "") + terminal.dot.join(parts)


def call_lines(call: ShownCall, terminal: Terminal) -> Iterator[str]:
    """Yield what a tool was given, and the beginning of what came back."""
    width = terminal.width - 4
    given = f"$ {call.command}" if call.command else f"{call.name} {call.input}"
    yield "  " + shorten(one_line(given), width, ellipsis=terminal.ellipsis)
    for touch in call.touches:
        yield terminal.dim(f"    {touch.action} {one_line(touch.path)}")
    for line in _output_lines(call):
        yield terminal.dim(f"    {shorten(line, width, ellipsis=terminal.ellipsis)}")
    if result := _result(call):
        yield terminal.dim(f"    {result}")


def _output_lines(call: ShownCall) -> list[str]:
    lines = paragraphs(call.output or "").expandtabs(4).splitlines()
    if len(lines) <= _MOST_OUTPUT_LINES:
        return lines
    more = counted(len(lines) - _MOST_OUTPUT_LINES, "more line")
    return [*lines[:_MOST_OUTPUT_LINES], f"({more}: --json has what is kept)"]


def _result(call: ShownCall) -> str:
    if call.exit_code is not None:
        return f"(exit {call.exit_code})"
    return "(error)" if call.is_error else ""


def _foot(transcript: Transcript) -> Iterator[str]:
    shown = sum(not message.superseded for message in transcript.messages)
    total = transcript.messages_total
    if shown < total:
        # Quoted: an id is a file's name or worse, and this line asks to be pasted.
        yield f"{shown:,} of {counted(total, 'message')}. The whole conversation:"
        yield f"  quoth show {quote(one_line(transcript.key))}"
    withheld = transcript.superseded_total - (len(transcript.messages) - shown)
    if withheld > 0 and shown == len(transcript.messages):
        messages = counted(withheld, "superseded message")
        yield f"{messages} withheld (--include superseded)."
