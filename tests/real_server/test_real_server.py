"""What quoth does with llama.cpp's own server, and that with quoth."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.builders import a_transcript, an_archive, claude_file, put

from quoth.archive import Archive
from quoth.embedding import Quantised, Refused, connected
from quoth.embedding._server import server_embedder
from quoth.embedding._server_embedder import ServerEmbedder
from quoth.errors import ModelNotServedError
from quoth.model import EmbedderChoice, EmbedderKind, Mode, SearchUnit

from .conftest import Serve
from .gguf import POISON

SAID = [
    "We decided to store invoices in the archive bucket for seven years.",
    "The ferry leaves the island at noon on every second Sunday.",
    "My cat refuses to eat anything but boiled fish these days.",
    "The deployment failed since the certificate had expired.",
]


@pytest.fixture(scope="module")
def endpoint(serve: Serve) -> str:
    return serve("minilm")


@pytest.fixture(scope="module")
def poisoned(serve: Serve) -> str:
    return serve("minilm-poisoned")


def choice_of(endpoint: str, model: str = "") -> EmbedderChoice:
    return EmbedderChoice(
        kind=EmbedderKind.OPENAI, model=model, endpoint=f"{endpoint}/v1"
    )


def embedder(endpoint: str, model: str = "") -> ServerEmbedder:
    choice = choice_of(endpoint, model)
    return server_embedder(choice, connect=connected, environ={})


def an_archive_of(folder: Path, endpoint: str, *texts: str) -> Archive:
    put(claude_file(folder), a_transcript(*texts))
    return an_archive(folder, embedder=embedder(endpoint))


def cosine(found: ServerEmbedder, one: str, other: str) -> float:
    (rows,) = found.embed_messages([other])
    question = found.embed_query(one)
    assert isinstance(rows, Quantised)
    assert question is not None
    return float((rows.codes * rows.scales[:, None] @ question)[0])


def test_a_paraphrase_is_near(endpoint: str) -> None:
    """The figures are those of the published weights, in float32."""
    found = embedder(endpoint)

    near = cosine(found, "how long do we keep bills?", SAID[0])
    far = cosine(found, "how long do we keep bills?", SAID[1])

    assert near > far + 0.2
    assert cosine(found, SAID[2], SAID[2]) == pytest.approx(1.0, abs=2e-3)


def test_it_is_known_by_what_the_server_tells(endpoint: str) -> None:
    found = embedder(endpoint)

    assert found.identity.startswith("openai/minilm@")
    assert (found.dimensions, found.choice.model) == (384, "minilm")


def test_a_search_finds_by_meaning_alone(tmp_path: Path, endpoint: str) -> None:
    archive = an_archive_of(tmp_path, endpoint, *SAID)

    report = archive.sync()

    page = archive.search(
        "retention of bills", mode=Mode.MEANING, unit=SearchUnit.MESSAGE
    )
    assert (report.embedded, report.meaning_off) == (4, None)
    assert page.hits[0].text == SAID[0]
    assert archive.status().identity == embedder(endpoint).identity


def test_what_is_no_number_costs_one_text(tmp_path: Path, poisoned: str) -> None:
    bad = f"The {POISON} was moored beside the old hangar."
    assert _raw(poisoned, bad) == [None] * 384
    archive = an_archive_of(tmp_path, poisoned, *SAID, bad)

    report = archive.sync()

    status = archive.status()
    assert report.refused == {"its vector is not a number": 1}
    assert (status.embedded, status.refused) == (4, 1)
    assert len(archive.search(POISON).hits) == 1


def test_a_text_without_spaces_is_given_in_parts(endpoint: str) -> None:
    """The real server fails on the whole batch, with a status of 500."""
    long = "".join(f"{number:x}" for number in range(4_000))

    rows = embedder(endpoint).embed_messages([SAID[0], long, SAID[1]])

    assert [isinstance(each, Refused) for each in rows] == [False] * 3
    assert np.isfinite(rows[1].scales).all()  # type: ignore[union-attr]  # as above


def test_a_model_it_has_not_is_not_asked_for(endpoint: str) -> None:
    """This server would answer with the one it has."""
    with pytest.raises(ModelNotServedError):
        embedder(endpoint, "another").embed_query("bills")


def _raw(endpoint: str, text: str) -> list[Any]:
    body = json.dumps({"model": "any", "input": [text]}).encode()
    request = urllib.request.Request(  # noqa: S310 - a loopback address
        f"{endpoint}/v1/embeddings",
        data=body,
        headers={"Content-Type": "application/json"},
    )
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(request, timeout=30) as answer:
        found: list[Any] = json.load(answer)["data"][0]["embedding"]
    return found
