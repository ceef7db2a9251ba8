"""The JSON of every command: its keys, and that docs/json.md describes each."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast

import pytest

from quoth.cli._json import (
    document,
    embed_json,
    forget_json,
    models_json,
    page_json,
    redact_json,
    sources_json,
    status_json,
    sync_json,
    transcript_json,
    verdict_json,
)
from quoth.model import EmbedderChoice, Filters, Hit, Include

from .fakes import (
    A_COMING_EMBEDDER,
    FakeShelf,
    a_call,
    a_forget_report,
    a_forgotten,
    a_full_page,
    a_hit,
    a_leaving,
    a_page,
    a_plan,
    a_shown_message,
    a_source_list,
    a_status,
    a_transcript,
    a_troubled_report,
    a_verdict,
    an_embed_report,
)

DOCS = Path(__file__).resolve().parents[2] / "docs" / "json.md"
SECTIONS: Mapping[str, Mapping[str, object]] = {
    "search": page_json(a_full_page()),
    "show": transcript_json(a_transcript(a_shown_message(calls=(a_call(),)))),
    "sync": sync_json(a_troubled_report()),
    "embed": embed_json(an_embed_report()),
    "models": models_json(FakeShelf().listed, EmbedderChoice()),
    "status": status_json(a_status(coming=A_COMING_EMBEDDER)),
    "sources": sources_json(a_source_list()),
    "verify": verdict_json(a_verdict()),
    "redact": redact_json({"jwt_token": 1}, "text"),
    "forget": forget_json(
        plan=a_plan(a_leaving()),
        report=a_forget_report(),
        entries=[a_forgotten()],
        undone=a_forgotten(),
    ),
}
COUNT = {"conversations", "messages", "exact"}
NAMES_ARE_DATA = {"redacted", "refused", "ignored", "reasons"}


def paths_of(value: object, prefix: str = "") -> Iterator[str]:
    """Yield the path of every key, as docs/json.md writes it: `hits[].marks`."""
    match value:
        case Mapping() if value.keys() != COUNT:
            for key, item in value.items():
                yield f"{prefix}{key}"
                if key not in NAMES_ARE_DATA:
                    yield from paths_of(item, f"{prefix}{key}.")
        case [Mapping() as first, *_]:
            yield from paths_of(first, f"{prefix[:-1]}[].")


def documented(section: str) -> set[str]:
    text = DOCS.read_text(encoding="utf-8").partition(f"\n## `quoth {section}")[2]
    section_text = text.partition("\n## ")[0]
    return set(re.findall(r"^\| `([^`]+)` \|", section_text, re.MULTILINE))


def hit_json(hit: Hit) -> Any:
    return cast(list[Any], page_json(a_page(hit))["hits"])[0]


@pytest.mark.parametrize("section", SECTIONS)
def test_every_key_is_documented_and_nothing_else(section: str) -> None:
    assert documented(section) == set(paths_of(SECTIONS[section]))


def test_a_page_has_these_keys_in_this_order() -> None:
    page = page_json(a_full_page())

    assert " ".join(page) == (
        "schema question terms dates from_then respelled filters unit mode shown "
        "matched by_meaning_only "
        "recorded embedded meaning_off withheld freshness empty_reason notices "
        "next_offset took_ms redacted hits"
    )


def test_a_hit_has_these_keys_in_this_order() -> None:
    hit = hit_json(a_hit())

    assert " ".join(hit) == (
        "conversation parent kind title source repo model started_at seq role at "
        "snippet marks found_in text matched_by score others citation also_in "
        "superseded source_gone weak ranks made_of"
    )


def test_times_are_in_utc_with_a_z() -> None:
    at = datetime(2026, 5, 1, 14, 0, tzinfo=timezone(timedelta(hours=2)))

    hit = hit_json(a_hit(at=at))

    assert hit["at"] == "2026-05-01T12:00:00Z"


def test_filters_are_shown_as_they_were_understood() -> None:
    page = a_page(
        filters=Filters(
            since=datetime(2026, 5, 1, tzinfo=UTC), include=frozenset(Include)
        )
    )

    assert page_json(page)["filters"] == {
        "within": None,
        "exclude": [],
        "source": None,
        "repo": None,
        "role": None,
        "since": "2026-05-01T00:00:00Z",
        "until": None,
        "without": [],
        "include": ["echoes", "subagents", "superseded"],
    }


def test_a_path_that_is_not_utf8_is_still_text() -> None:
    path = Path(os.fsdecode(b"/h/caf\xe9.jsonl"))

    assert verdict_json(a_verdict(path=path))["path"] == "/h/caf\ufffd.jsonl"


def test_a_document_is_one_line_of_ascii() -> None:
    assert document({"a": "é\n"}) == '{"a": "\\u00e9\\n"}'


def test_what_has_no_fields_is_no_document() -> None:
    with pytest.raises(ValueError, match="Out of range float"):
        document(float("nan"))
