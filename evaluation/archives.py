"""Archives of libraries, made through the public entry and kept for the next run."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import quoth
from quoth.embedding import StaticEmbedder
from quoth.model import Mode, SearchUnit
from quoth.redaction import RULES_VERSION
from quoth.retrieval._search import SearchRequest, find, understood
from quoth.store._schema import SCHEMA_VERSION

from .sets import moment

__all__ = ["asked", "candidates", "opened", "places_of", "write_history"]

_ROLES = {"user": "user", "assistant": "assistant"}
_DEPTH = 50
_FORMAT = 2
"""Of what is kept; another when this module writes histories otherwise."""


def write_history(folder: Path, sessions: Iterable[Mapping[str, Any]]) -> None:
    """Write sessions as generic histories, one file each."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, session in enumerate(sessions):
        with (folder / f"{number:06}.jsonl").open("w", encoding="utf-8") as file:
            for message in session["messages"]:
                record = {
                    "session_id": session["session"],
                    "id": message["id"],
                    "role": _ROLES.get(message["role"], "user"),
                    "content": message["text"],
                    "timestamp": moment(session.get("date")),
                }
                file.write(json.dumps(record) + "\n")


def opened(sessions: Sequence[Mapping[str, Any]], *, kept_in: Path) -> quoth.Archive:
    """Return the archive of *sessions*, made now or by an earlier run.

    What was kept serves as long as the sessions, the archive's format, the rules and
    the embedder are the same: then only ranking can differ.
    """
    home = kept_in / _key(sessions)
    histories = kept_in / f"{home.name}.in"
    if not home.exists():
        making = kept_in / f"{home.name}.{os.getpid()}"
        write_history(histories, sessions)
        with quoth.open_archive(making, roots={"generic": [histories]}) as archive:
            archive.sync()
        making.rename(home)
        shutil.rmtree(histories)
    return quoth.open_archive(home, roots={"generic": []})


def asked(
    archive: quoth.Archive,
    question: str,
    *,
    mode: Mode,
    unit: SearchUnit,
    asked_at: datetime | None = None,
) -> list[str]:
    """Return what the archive finds, best first: sessions, or places of messages."""
    page = archive.search(
        question, mode=mode, unit=unit, limit=_DEPTH, asked_at=asked_at
    )
    keys = [hit.conversation.removeprefix("generic:") for hit in page.hits]
    if unit is SearchUnit.CONVERSATION:
        return keys
    return [f"{key}\0{hit.seq}" for key, hit in zip(keys, page.hits, strict=True)]


def candidates(
    archive: quoth.Archive, question: str, unit: SearchUnit, *, most: int
) -> tuple[list[str], NDArray[np.float64]]:
    """Return the places of the best messages, and their features (n, features)."""
    reader = archive._read()
    request = SearchRequest(question=question, unit=unit)
    embedder, tokenizer = archive.embedder_asked(reader.serving()), archive._tokenizer
    asked = understood(reader, request, embedder=embedder, tokenizer=tokenizer)
    reader.begin()
    scope = reader.scope(request.filters)
    answer = find(reader, request, asked, scope, archive._vectors, tokenizer)
    best = np.argsort(-answer.ranked.scores, kind="stable")[:most]
    messages = answer.ranked.messages[best].tolist()
    hits = reader.hit_rows(messages, scope)
    reader.end()
    places = [
        f"{hits[each].conversation.removeprefix('generic:')}\0{hits[each].seq}"
        for each in messages
    ]
    return places, answer.ranked.features[best].astype(np.float64)


def places_of(sessions: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return the id of each message by where it is: the order of the file is that."""
    return {
        f"{session['session']}\0{seq}": message["id"]
        for session in sessions
        for seq, message in enumerate(
            (each for each in session["messages"] if each["text"].strip()), start=1
        )
    }


def _key(sessions: Sequence[Mapping[str, Any]]) -> str:
    made_by = (_FORMAT, SCHEMA_VERSION, RULES_VERSION, StaticEmbedder.identity)
    digest = sha256(repr(made_by).encode())
    for session in sessions:
        digest.update(json.dumps(session, sort_keys=True).encode())
    return digest.hexdigest()[:24]
