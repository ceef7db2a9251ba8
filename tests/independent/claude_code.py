"""What a transcript of Claude Code holds, counted. The words are in README.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from .reading import Record, maybe, records, text_in, things

__all__ = ["count", "listing"]

MACHINE = (
    "<local-command-caveat>",
    "Caveat: The messages below were generated",
    "<local-command-stdout>",
    "<local-command-stderr>",
    "<bash-stdout>",
    "<bash-stderr>",
    "<task-notification>",
    "<system-reminder>",
    "Stop hook feedback:",
    "[Request interrupted",
    "Base directory for this skill:",
    "This session is being continued from a previous conversation",
)
COMMANDS = ("<command-name>", "<command-message>", "<bash-input>")
REASON = "To tell you how to proceed, the user said:"


def count(path: Path) -> dict[str, int]:
    """Return how much of everything the file holds."""
    told = _last_tellings(records(path))
    found = Counter(unit for record in told for unit in _units(record))
    return {**found, "queued": len(_queued(told)), **_usage(records(path))}


def listing(path: Path) -> Iterable[str]:
    """Yield a line for every record that counts, for a reader's eyes."""
    told = _last_tellings(records(path))
    for record in told:
        units = _units(record)
        if units:
            content = maybe(record, "message", "content") or record.get("attachment")
            yield f"{' '.join(units)}: {str(content)[:150]!r}"
    yield from (f"queued: {text[:150]!r}" for text in _queued(told))


def _last_tellings(told: Iterable[Record]) -> list[Record]:
    """Return the records, of those with the same uuid only the last."""
    kept: dict[object, Record] = {}
    for number, record in enumerate(told):
        kept[record.get("uuid") or number] = record
    return list(kept.values())


def _type(record: Record) -> object:
    return record.get("type") or maybe(record, "message", "role")


def _units(record: Record) -> list[str]:
    match _type(record):
        case "assistant":
            return _answer(record)
        case "user":
            return _user(record)
        case "system" if record.get("subtype") == "local_command":
            return _typed(record.get("content"), aside=False)
        case "attachment" if maybe(record, "attachment", "type") == "queued_command":
            return _typed(maybe(record, "attachment", "prompt"), aside=False)
    return []


def _answer(record: Record) -> list[str]:
    content = maybe(record, "message", "content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    blocks = things(content)
    units = ["tool_calls" for block in blocks if block.get("type") == "tool_use"]
    if any(maybe(block, "thinking") for block in blocks):
        units.append("reasoned")
    if text_in([block for block in blocks if block.get("type") == "text"]):
        synthetic = maybe(record, "message", "model") == "<synthetic>"
        notice = synthetic or record.get("isApiErrorMessage") is True
        units.append("noise" if notice else "answers")
    return units


def _user(record: Record) -> list[str]:
    content = maybe(record, "message", "content")
    results = [b for b in things(content) if b.get("type") == "tool_result"]
    if results:
        return _results(record, results)
    if _is_machine(record):
        return ["noise"] if content else []
    return _typed(content, aside=record.get("isSidechain") is True)


def _results(record: Record, results: list[Record]) -> list[str]:
    """Count the results, what a person answered to a question, and said beside."""
    units = ["tool_results"] * len(results)
    reasons = [text_in(b.get("content")).partition(REASON)[2] for b in results]
    units += ["replies" for reason in reasons if reason.strip()]
    if maybe(record, "toolUseResult", "answers"):
        units.append("replies")
    rest = [
        block
        for block in things(maybe(record, "message", "content"))
        if block.get("type") != "tool_result"
    ]
    return units + [u for u in _typed(rest, aside=False) if u != "noise"]


def _is_machine(record: Record) -> bool:
    marks = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")
    return (
        any(record.get(mark) is True for mark in marks)
        or record.get("promptSource") == "system"
        or maybe(record, "origin", "kind") not in (None, "human")
    )


def _typed(content: object, *, aside: bool) -> list[str]:
    text = text_in(content)
    if not text:
        kinds = {block.get("type") for block in things(content)}
        return ["prompts"] if kinds & {"image", "document"} else []
    if text.startswith(MACHINE):
        return ["noise"]
    if text.startswith(COMMANDS):
        return ["commands"]
    return ["tasks"] if aside else ["prompts"]


def _queued(told: list[Record]) -> list[str]:
    """Return what was put in the queue, not taken back, and stands nowhere else."""
    waiting: list[str] = []
    for record in told:
        if record.get("operation") == "enqueue":
            waiting.append(text_in(record.get("content")))
        elif record.get("operation") == "popAll":
            back = text_in(record.get("content"))
            waiting = [text for text in waiting if text != back]
    sent = {
        text_in(maybe(record, "message", "content"))
        or text_in(maybe(record, "attachment", "prompt"))
        for record in told
    }
    return [t for t in waiting if t and t not in sent and not t.startswith(MACHINE)]


def _usage(told: Iterable[Record]) -> dict[str, int]:
    """Add up the greatest numbers of each call to the model."""
    calls: dict[object, Counter[str]] = {}
    for number, record in enumerate(told):
        message = record.get("message")
        usage = maybe(message, "usage")
        if _type(record) == "assistant" and isinstance(usage, dict):
            ids = (maybe(message, "id"), record.get("requestId"))
            key = ids if any(ids) else record.get("uuid") or number
            calls[key] = calls.get(key, Counter()) | _spent(usage)
    spent = sum(calls.values(), Counter[str]())
    return {"model_calls": sum(1 for one in calls.values() if one), **spent}


def _spent(usage: Record) -> Counter[str]:
    hour = maybe(usage, "cache_creation", "ephemeral_1h_input_tokens") or 0
    written = usage.get("cache_creation_input_tokens") or 0
    return Counter(
        {
            "input": usage.get("input_tokens") or 0,
            "output": usage.get("output_tokens") or 0,
            "cache_read": usage.get("cache_read_input_tokens") or 0,
            "cache_write_5m": written - hour,
            "cache_write_1h": hour,
            "reasoning": maybe(usage, "output_tokens_details", "thinking_tokens") or 0,
        }
    )
