"""Each answer as plain JSON values. docs/json.md describes every key."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from quoth.model import (
    PAGE_SCHEMA,
    EmbedderChoice,
    EmbedReport,
    ForgetPlan,
    ForgetReport,
    Forgotten,
    FoundModels,
    Page,
    Sources,
    Status,
    SyncReport,
    Transcript,
    Verdict,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from quoth.config import Chosen

__all__ = [
    "decoded",
    "document",
    "embed_json",
    "forget_json",
    "models_json",
    "page_json",
    "redact_json",
    "setting_json",
    "settings_json",
    "sources_json",
    "status_json",
    "sync_json",
    "transcript_json",
    "verdict_json",
]

TRANSCRIPT_SCHEMA = 1
SYNC_SCHEMA = 1
STATUS_SCHEMA = 1
SOURCES_SCHEMA = 1
SETTING_SCHEMA = 1
SETTINGS_SCHEMA = 1
VERDICT_SCHEMA = 1
REDACT_SCHEMA = 1
FORGET_SCHEMA = 1
EMBED_SCHEMA = 1
MODELS_SCHEMA = 1


def document(value: object) -> str:
    """Return one JSON document on one line, in ASCII: no stream can refuse it."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False)


def decoded(text: str) -> str:
    """Return *text* with each byte that is no UTF-8 replaced.

    It must not become half a surrogate pair in JSON.
    """
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def page_json(
    page: Page, *, redacted: Mapping[str, int] | None = None
) -> dict[str, object]:
    """Return a page of hits, with what was replaced in it by rule if it is to leave."""
    matched = {"all_words": page.all_words, "some_words": page.some_words}
    return {
        "schema": PAGE_SCHEMA,
        "question": page.question,
        "terms": _plain(page.terms),
        "dates": _plain(page.dates),
        "from_then": page.from_then,
        "respelled": _plain(page.respelled),
        "filters": _plain(page.filters),
        "unit": page.unit.value,
        "mode": page.mode.value,
        "shown": _plain(page.shown),
        "matched": _plain(matched),
        "by_meaning_only": page.by_meaning_only,
        "recorded": _plain(page.recorded),
        "embedded": page.embedded,
        "meaning_off": page.meaning_off,
        "withheld": _plain(page.withheld),
        "freshness": _plain(page.freshness),
        "empty_reason": page.empty_reason and page.empty_reason.value,
        "notices": _plain(page.notices),
        "next_offset": page.next_offset,
        "took_ms": round(page.took_ms, 1),
        "redacted": _plain(redacted),
        "hits": _plain(page.hits),
    }


def transcript_json(
    transcript: Transcript, *, redacted: Mapping[str, int] | None = None
) -> dict[str, object]:
    """Return a conversation; its key is called `conversation`, as in a hit."""
    values = _fields(transcript)
    return {
        "schema": TRANSCRIPT_SCHEMA,
        "conversation": values.pop("key"),
        "redacted": _plain(redacted),
        **values,
    }


def embed_json(report: EmbedReport) -> dict[str, object]:
    """Return what making vectors did."""
    return {"schema": EMBED_SCHEMA, **_fields(report)}


def models_json(found: FoundModels, chosen: EmbedderChoice) -> dict[str, object]:
    """Return the models there are, and the one that was chosen."""
    return {"schema": MODELS_SCHEMA, "chosen": _plain(chosen), **_fields(found)}


def sync_json(report: SyncReport) -> dict[str, object]:
    """Return what a sync did."""
    return {"schema": SYNC_SCHEMA, **_fields(report)}


def status_json(status: Status) -> dict[str, object]:
    """Return what the archive holds; its own schema is called `archive_schema`."""
    values = _fields(status)
    return {
        "schema": STATUS_SCHEMA,
        "archive_schema": values.pop("schema"),
        **values,
    }


def sources_json(found: Sources) -> dict[str, object]:
    """Return where each source looks, what is there and what it can tell."""
    return {"schema": SOURCES_SCHEMA, **_fields(found)}


def verdict_json(verdict: Verdict) -> dict[str, object]:
    """Return what checking a citation came to."""
    return {"schema": VERDICT_SCHEMA, **_fields(verdict)}


def redact_json(counts: Mapping[str, int], text: str | None) -> dict[str, object]:
    """Return how often each rule replaced something, and what came of it if asked."""
    return {
        "schema": REDACT_SCHEMA,
        "redacted": dict(counts),
        "text": text and decoded(text),
    }


def forget_json(
    *,
    plan: ForgetPlan | None = None,
    report: ForgetReport | None = None,
    entries: Sequence[Forgotten] | None = None,
    undone: Forgotten | None = None,
) -> dict[str, object]:
    """Return what would go and what went, or the list, or what was taken off it."""
    return {
        "schema": FORGET_SCHEMA,
        "plan": _plain(plan),
        "forgot": _plain(report),
        "entries": _plain(entries),
        "undone": _plain(undone),
    }


def setting_json(chosen: Chosen) -> dict[str, object]:
    """Return one setting."""
    return {"schema": SETTING_SCHEMA, **_chosen(chosen)}


def settings_json(file: Path, settings: Sequence[Chosen]) -> dict[str, object]:
    """Return all settings, and the file they can be written in."""
    return {
        "schema": SETTINGS_SCHEMA,
        "file": _plain(file),
        "settings": [_chosen(each) for each in settings],
    }


def _chosen(chosen: Chosen) -> dict[str, object]:
    return {
        "name": chosen.setting.name,
        "value": _plain(chosen.value),
        "default": _plain(chosen.default),
        "origin": chosen.origin.value,
        "meaning": chosen.setting.meaning,
    }


def _fields(value: DataclassInstance) -> dict[str, object]:
    return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}


def _plain(value: object) -> object:
    """Return *value* as JSON knows it: times in UTC with a Z, sets in order."""
    match value:
        case datetime():
            return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
        case Path():
            return decoded(str(value))
        case Mapping():
            return {str(key): _plain(item) for key, item in value.items()}
        case frozenset():
            return sorted(str(item) for item in value)
        case tuple() | list():
            return [_plain(item) for item in value]
        case _:
            if is_dataclass(value) and not isinstance(value, type):
                return _fields(value)
            return value
