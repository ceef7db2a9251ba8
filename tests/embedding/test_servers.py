"""Vectors from a server on this machine: what goes to it, and what it may do wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from tests.embedding.fake_server import (
    DIMENSIONS,
    POISON,
    FakeServer,
    Reply,
    running,
    vector_of,
)

from quoth.embedding import Quantised, Refused, connected
from quoth.embedding._server import server_embedder
from quoth.embedding._server_embedder import ServerEmbedder
from quoth.errors import (
    CloudModelError,
    EmbeddingError,
    EndpointError,
    ModelNotServedError,
    QuothError,
    ServerAnswerError,
    ServerBusyError,
    ServerUnreachableError,
)
from quoth.model import EmbedderChoice, EmbedderKind
from quoth.passages import windows_of

OLLAMA, OPENAI = EmbedderKind.OLLAMA, EmbedderKind.OPENAI
PROBE = "quoth"
HARBOUR = "the harbour master closed the northern lock"
LIGHT = f"the {POISON} stands at the end of the pier"
LONG = " ".join(f"sentence {n} of a long message about tides." for n in range(60))


@pytest.fixture(params=[OLLAMA, OPENAI])
def kind(request: pytest.FixtureRequest) -> EmbedderKind:
    found: EmbedderKind = request.param
    return found


@pytest.fixture
def fake() -> Iterator[FakeServer]:
    with running(FakeServer()) as server:
        yield server


def embedder(
    fake: FakeServer, kind: EmbedderKind = OLLAMA, model: str = "tiny", **more: Any
) -> ServerEmbedder:
    name = f"{model}:latest" if kind is OPENAI and model == "tiny" else model
    choice = EmbedderChoice(kind=kind, model=name, endpoint=fake.endpoint, **more)
    found = server_embedder(choice, connect=connected, environ={})
    found._sleep = lambda _: None
    return found


def dense(rows: Quantised | Refused) -> np.ndarray[Any, np.dtype[np.float64]]:
    assert isinstance(rows, Quantised)
    return rows.codes.astype(np.float64) * rows.scales[:, None]


def right(text: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    vector = np.array(vector_of(text), np.float64)
    return np.asarray(vector / np.linalg.norm(vector))


# What it gives


def test_a_text_has_a_row_for_each_window(fake: FakeServer, kind: EmbedderKind) -> None:
    short, long, empty = embedder(fake, kind).embed_messages([HARBOUR, LONG, ""])

    windows = [window.text for window in windows_of(LONG)]
    assert dense(short) @ right(HARBOUR) == pytest.approx([1.0], abs=1e-3)
    assert len(dense(long)) == len(windows) > 3
    for row, window in zip(dense(long), windows, strict=True):
        assert row @ right(window) == pytest.approx(1.0, abs=1e-3)
    assert dense(empty).shape == (0, DIMENSIONS)


def test_a_question_has_unit_length(fake: FakeServer, kind: EmbedderKind) -> None:
    vector = embedder(fake, kind).embed_query(HARBOUR)

    assert vector is not None
    assert vector @ right(HARBOUR) == pytest.approx(1.0, abs=1e-6)


def test_nothing_has_no_vector(fake: FakeServer, kind: EmbedderKind) -> None:
    assert embedder(fake, kind).embed_query(" \n") is None
    assert fake.asked == []


def test_making_one_asks_nobody(kind: EmbedderKind) -> None:
    choice = EmbedderChoice(kind=kind, model="m", endpoint="http://127.0.0.1:1")

    made = server_embedder(choice, connect=connected, environ={})

    assert made.choice == choice


def test_an_older_ollama_is_asked_as_it_likes(fake: FakeServer) -> None:
    fake.is_old = True

    rows = embedder(fake).embed_messages([HARBOUR, LIGHT])

    assert dense(rows[1]) @ right(LIGHT) == pytest.approx([1.0], abs=1e-3)
    assert len(fake.requests("/api/embed")) == 1


def test_order_is_by_the_index(fake: FakeServer) -> None:
    def backwards(path: str, _: Any, reply: Reply) -> Reply:
        status, document = reply
        if path == "/v1/embeddings" and isinstance(document, dict):
            document["data"].reverse()
        return status, document

    fake.reply = backwards

    first, second = embedder(fake, OPENAI).embed_messages([HARBOUR, LIGHT])

    assert dense(first) @ right(HARBOUR) == pytest.approx([1.0], abs=1e-3)
    assert dense(second) @ right(LIGHT) == pytest.approx([1.0], abs=1e-3)


@pytest.mark.parametrize("path", ["", "/v1", "/v1/", "/"])
def test_the_path_of_the_protocol_is_added_once(fake: FakeServer, path: str) -> None:
    choice = EmbedderChoice(
        kind=OPENAI, model="tiny:latest", endpoint=f"{fake.endpoint}{path}"
    )

    server_embedder(choice, connect=connected, environ={}).embed_query("tides")

    asked = [path for path, _ in fake.asked if "v1" in path]
    assert asked == ["/v1/models", "/v1/embeddings"]


# Who it is


def test_an_identity_is_of_the_weights(fake: FakeServer) -> None:
    before = embedder(fake).identity
    fake.models[0]["digest"] = "cd" * 32

    after = embedder(fake).identity

    assert before == "ollama/tiny:latest@abababababab/32/w40o8c1000/p6e340b9c/1"
    assert after == before.replace("abababababab", "cdcdcdcdcdcd")


def test_an_identity_is_of_the_prefixes(fake: FakeServer, kind: EmbedderKind) -> None:
    plain = embedder(fake, kind).identity
    prefixed = embedder(fake, kind, document_prefix="passage: ").identity

    assert plain != prefixed


def test_what_llama_cpp_tells_of_a_model_tells_it_apart(fake: FakeServer) -> None:
    fake.models[0]["meta"] = {"n_params": 22_000_000, "size": 46_000_000}
    one = embedder(fake, OPENAI).identity
    fake.models[0]["meta"] = {"n_params": 33_000_000, "size": 46_000_000}

    assert embedder(fake, OPENAI).identity != one


def test_the_only_model_there_is_needs_no_name(fake: FakeServer) -> None:
    found = embedder(fake, OPENAI, model="")

    assert found.identity.startswith("openai/tiny:latest/32/")
    assert found.choice.model == "tiny:latest"


def test_of_several_models_one_has_to_be_named(fake: FakeServer) -> None:
    fake.models.append({"name": "other"})

    with pytest.raises(EmbeddingError, match="2 models"):
        embedder(fake, OPENAI, model="").embed_query("tides")


def test_where_the_server_tells_nothing_a_fixed_word_does(fake: FakeServer) -> None:
    found = embedder(fake, OPENAI)
    before = found.probe
    found.embed_query("tides")

    assert before is None
    assert found.probe is not None
    assert found.probe @ right(PROBE) == pytest.approx(1.0, abs=1e-6)


def test_where_a_digest_tells_no_word_is_needed(fake: FakeServer) -> None:
    found = embedder(fake)
    found.embed_query("tides")

    assert found.probe is None


# Prefixes


@pytest.mark.parametrize(
    ("model", "query", "document"),
    [
        ("nomic-embed-text", "search_query: ", "search_document: "),
        ("nomic-embed-text:v1.5", "search_query: ", "search_document: "),
        (
            "text-embedding-nomic-embed-text-v1.5",
            "search_query: ",
            "search_document: ",
        ),
        (r"C:\models\nomic-embed-text.gguf", "search_query: ", "search_document: "),
        ("intfloat/multilingual-e5-small", "query: ", "passage: "),
        (
            "qwen3-embedding:0.6b",
            "Instruct: Given a web search query, retrieve relevant passages that answer"
            " the query\nQuery:",
            "",
        ),
        ("all-minilm", "", ""),
        ("bge-m3", "", ""),
    ],
)
def test_a_family_gets_its_prefixes(
    fake: FakeServer, model: str, query: str, document: str
) -> None:
    fake.models = [{"name": model}]
    found = embedder(fake, model=model)

    found.embed_query("tides")
    found.embed_messages([HARBOUR])

    assert fake.texts == [f"{query}tides", PROBE, f"{document}{HARBOUR}"]


@pytest.mark.parametrize("prefix", ["", "find: "])
def test_a_prefix_that_was_chosen_counts(fake: FakeServer, prefix: str) -> None:
    fake.models = [{"name": "nomic-embed-text"}]

    embedder(fake, model="nomic-embed-text", query_prefix=prefix).embed_query("tides")

    assert fake.texts == [f"{prefix}tides", PROBE]


# Whom no text goes to


@pytest.mark.parametrize(
    ("name", "entry", "shown"),
    [
        ("gpt-oss:120b-cloud", {}, {}),
        ("deepseek:cloud", {}, {}),
        ("kimi-cloud:latest", {}, {}),
        ("me/Kimi:CLOUD", {}, {}),
        ("plain", {"remote_host": "https://models.example"}, {}),
        ("plain", {"remote_model": "plain"}, {}),
        ("plain", {}, {"remote_host": "https://models.example"}),
        ("plain", {}, {"remote_model": "plain"}),
    ],
)
def test_a_model_on_other_machines_gets_no_text(
    fake: FakeServer, name: str, entry: dict[str, str], shown: dict[str, str]
) -> None:
    fake.models = [{"name": name, **entry}]
    fake.shown = {name: shown}
    found = embedder(fake, model=name)

    for ask in (
        lambda: found.embed_messages([HARBOUR]),
        lambda: found.embed_query(HARBOUR),
        lambda: found.identity,
    ):
        with pytest.raises(CloudModelError):
            ask()

    assert fake.texts == []


def test_the_other_protocol_of_an_ollama_hides_no_other_machine(
    fake: FakeServer,
) -> None:
    """Ollama forwards there, too, and its list of that protocol doesn't say so."""
    for name, entry, shown in (
        ("kimi:1t-cloud", {}, {}),
        ("copied", {"remote_host": "https://models.example"}, {}),
        ("copied", {}, {"remote_model": "kimi"}),
    ):
        fake.models = [{"name": name, **entry}]
        fake.shown = {name: shown}

        with pytest.raises(CloudModelError):
            embedder(fake, OPENAI, model=name).embed_query(HARBOUR)

    assert fake.texts == []


def test_a_cloud_name_is_refused_where_nothing_else_tells(fake: FakeServer) -> None:
    fake.models = [{"name": "kimi:1t-cloud"}]
    fake.reply = lambda path, _, given: (
        (404, b"404 page not found") if path.startswith("/api/") else given
    )

    with pytest.raises(CloudModelError):
        embedder(fake, OPENAI, model="").embed_query(HARBOUR)

    assert fake.texts == []


@pytest.mark.parametrize("reply", [(500, {"error": "oops"}), (200, {"error": "oops"})])
def test_no_text_goes_out_while_the_server_does_not_say_where_it_runs(
    fake: FakeServer, reply: Reply
) -> None:
    fake.reply = lambda path, _, given: reply if path == "/api/show" else given

    with pytest.raises(ServerAnswerError):
        embedder(fake).embed_messages([HARBOUR])

    assert fake.texts == []


def test_an_answer_from_elsewhere_is_refused(fake: FakeServer) -> None:
    def remote(path: str, _: Any, reply: Reply) -> Reply:
        status, document = reply
        if path == "/api/embed" and isinstance(document, dict):
            document["remote_host"] = "https://models.example"
        return status, document

    fake.reply = remote

    with pytest.raises(CloudModelError):
        embedder(fake).embed_messages([HARBOUR])


def test_a_model_that_is_not_there_is_never_named(
    fake: FakeServer, kind: EmbedderKind
) -> None:
    """Some servers would download it."""
    found = embedder(fake, kind, model="absent")

    with pytest.raises(ModelNotServedError) as caught:
        found.embed_messages([HARBOUR])

    assert "absent" not in json.dumps(fake.asked)
    assert fake.texts == []
    assert "quoth models" in (caught.value.hint or "")


def test_the_server_is_looked_at_again_by_each_process(fake: FakeServer) -> None:
    embedder(fake).embed_query("tides")
    fake.models[0]["remote_host"] = "https://models.example"

    with pytest.raises(CloudModelError):
        embedder(fake).embed_query("tides")

    assert fake.texts == ["tides", PROBE]


@pytest.mark.parametrize(
    "reply",
    [
        (200, b"<html>please log in</html>"),
        (200, {"error": "Unexpected endpoint or method. (GET /api/tags)"}),
        (200, []),
        (200, {}),
        (404, b"404 page not found"),
        (401, {"error": {"message": "Invalid API Key", "code": 401}}),
    ],
)
def test_what_is_no_such_server_gets_no_text(
    fake: FakeServer, kind: EmbedderKind, reply: Reply
) -> None:
    fake.reply = lambda *_: reply

    with pytest.raises(ServerAnswerError, match=fake.endpoint):
        embedder(fake, kind).embed_messages([HARBOUR])

    assert fake.texts == []


# One bad text


def poisoned(value: Callable[[list[float]], object]) -> Callable[[str], object]:
    return lambda text: value(vector_of(text)) if POISON in text else vector_of(text)


BAD = {
    "not a number": lambda row: [float("nan"), *row[1:]],
    "infinite": lambda row: [float("inf"), *row[1:]],
    "null": lambda row: [None] * len(row),
    "zeros": lambda row: [0.0] * len(row),
    "nothing": lambda _: [],
    "narrow": lambda row: row[:-1],
    "endless": lambda row: row * 1_000,
    "words": lambda row: ["0.1"] * len(row),
    "truth": lambda row: [True] * len(row),
    "beyond a float": lambda row: [10**400, *row[1:]],
    "beyond its square": lambda row: [1e200, *row[1:]],
    "no list": lambda _: None,
}


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_one_bad_vector_costs_one_text(
    fake: FakeServer, kind: EmbedderKind, value: Callable[[list[float]], object]
) -> None:
    fake.vector = poisoned(value)

    rows = embedder(fake, kind).embed_messages([HARBOUR, LIGHT, LONG])

    assert [isinstance(each, Refused) for each in rows] == [False, True, False]
    assert POISON not in str(rows[1])
    assert fake.texts.count(LIGHT) == 2


@pytest.mark.parametrize(
    "reply",
    [
        (500, {"error": "failed to encode response: json: unsupported value: NaN"}),
        (400, {"error": "embedding contains NaN or Inf values"}),
        (200, {"error": {"message": "The model has crashed", "code": None}}),
    ],
)
def test_a_batch_that_fails_is_halved_to_the_bad_text(
    fake: FakeServer, kind: EmbedderKind, reply: Reply
) -> None:
    def failing(_: str, asked: Any, given: Reply) -> Reply:
        is_bad = POISON in json.dumps(asked)
        return reply if is_bad else given

    fake.reply = failing
    texts = [f"{HARBOUR} {number}" for number in range(30)]

    rows = embedder(fake, kind).embed_messages([*texts[:17], LIGHT, *texts[17:]])

    assert [isinstance(each, Refused) for each in rows].index(True) == 17
    assert sum(isinstance(each, Refused) for each in rows) == 1
    assert len(fake.asked) < 30


def test_too_few_vectors_are_taken_for_none(
    fake: FakeServer, kind: EmbedderKind
) -> None:
    """Which text has none can't be told from their number."""

    def short(_: str, asked: Any, reply: Reply) -> Reply:
        status, document = reply
        if isinstance(document, dict) and asked and len(asked.get("input", "")) > 1:
            rows: Any = document.get("embeddings", document.get("data"))
            rows.pop(0)
        return status, document

    fake.reply = short

    rows = embedder(fake, kind).embed_messages([HARBOUR, LIGHT])

    assert dense(rows[0]) @ right(HARBOUR) == pytest.approx([1.0], abs=1e-3)
    assert dense(rows[1]) @ right(LIGHT) == pytest.approx([1.0], abs=1e-3)


@pytest.mark.parametrize("value", BAD.values(), ids=BAD)
def test_a_server_that_is_broken_costs_no_text(
    fake: FakeServer, kind: EmbedderKind, value: Callable[[list[float]], object]
) -> None:
    """Were every text refused, none would be asked for again."""
    found = embedder(fake, kind)
    assert found.dimensions == DIMENSIONS
    fake.vector = lambda text: value(vector_of(text))

    with pytest.raises(ServerAnswerError):
        found.embed_messages([HARBOUR, LIGHT])


# Texts that are too long


LENGTHS = [
    (400, {"error": "the input length exceeds the context length"}),
    (
        500,
        {
            "error": {
                "message": "input (702 tokens) is too large to process. increase the"
                " physical batch size (current batch size: 512)",
                "code": 500,
            }
        },
    ),
    (
        400,
        {"error": "Trying to keep the first 9 tokens when context the overflows."},
    ),
]


@pytest.mark.parametrize("reply", LENGTHS)
@pytest.mark.parametrize("most", [60, 300])
def test_what_is_too_long_is_given_in_parts(
    fake: FakeServer, kind: EmbedderKind, reply: Reply, most: int
) -> None:
    def short(_: str, asked: Any, given: Reply) -> Reply:
        texts = asked.get("input", []) if isinstance(asked, dict) else []
        return reply if any(len(text) > most for text in texts) else given

    fake.reply = short

    rows = embedder(fake, kind).embed_messages([HARBOUR, LONG, "x1" * 1500])

    assert [isinstance(each, Refused) for each in rows] == [False] * 3
    assert len(dense(rows[1])) == len(windows_of(LONG))
    assert all(len(text) <= 1000 for text in fake.texts)
    accepted = "".join(text for text in fake.texts if len(text) <= most)
    assert accepted.count("x1") >= 1500


def test_a_model_that_takes_nothing_refuses_the_text(fake: FakeServer) -> None:
    found = embedder(fake)
    assert found.dimensions
    fake.most = 10

    assert found.embed_messages([HARBOUR]) == [Refused("it is too long for the model")]


def test_a_short_window_of_the_model_is_kept_to(fake: FakeServer) -> None:
    """Some servers cut a long text in silence."""
    fake.shown = {"tiny:latest": {"model_info": {"bert.context_length": 128}}}

    embedder(fake).embed_messages(["y2" * 1500])

    assert max(map(len, fake.texts)) <= 256


# A server that is busy, down, or gone


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again(
    fake: FakeServer, kind: EmbedderKind, status: int
) -> None:
    turns = iter(range(1000))

    def flaky(_: str, asked: Any, given: Reply) -> Reply:
        is_busy = asked is not None and next(turns) % 2 == 0
        return (status, {"error": "server busy"}) if is_busy else given

    fake.reply = flaky

    rows = embedder(fake, kind).embed_messages([HARBOUR, LONG])

    assert not any(isinstance(each, Refused) for each in rows)


def test_a_server_that_stays_busy_is_given_up(
    fake: FakeServer, kind: EmbedderKind
) -> None:
    fake.reply = lambda path, asked, given: (
        (503, {"error": {"message": "Loading model", "code": 503}})
        if asked is not None and "show" not in path
        else given
    )

    with pytest.raises(ServerBusyError):
        embedder(fake, kind).embed_messages([HARBOUR])

    assert len(fake.texts) == 4


def test_nobody_there_is_said(kind: EmbedderKind) -> None:
    with running(FakeServer()) as gone:
        found = embedder(gone, kind)

    with pytest.raises(ServerUnreachableError):
        found.embed_messages([HARBOUR])
    with pytest.raises(ServerUnreachableError):
        found.embed_query(HARBOUR)


def test_a_question_waits_two_seconds_and_no_more(
    fake: FakeServer, kind: EmbedderKind
) -> None:
    def hanging(_: str, asked: Any, given: Reply) -> Reply:
        if asked is not None:
            fake.held.wait(10)
        return given

    found = embedder(fake, kind)
    assert found.dimensions
    fake.reply = hanging

    with pytest.raises(QuothError, match="given up after"):
        found.embed_query(HARBOUR)


def test_another_model_than_was_asked_for_is_refused(fake: FakeServer) -> None:
    def other(path: str, _: Any, reply: Reply) -> Reply:
        status, document = reply
        if path == "/v1/embeddings" and isinstance(document, dict):
            document["model"] = "another"
        return status, document

    fake.reply = other

    with pytest.raises(ServerAnswerError, match="another model"):
        embedder(fake, OPENAI).embed_messages([HARBOUR])


@pytest.mark.parametrize(
    "said", ["TINY:latest@q4_k_m", "/models/tiny:latest.gguf", "", None]
)
def test_a_model_may_be_spelled_otherwise(fake: FakeServer, said: str | None) -> None:
    def spelled(path: str, _: Any, reply: Reply) -> Reply:
        status, document = reply
        if path == "/v1/embeddings" and isinstance(document, dict):
            document["model"] = said
        return status, document

    fake.reply = spelled

    assert embedder(fake, OPENAI).embed_query("tides") is not None


# Where it is


@pytest.mark.parametrize(
    ("said", "endpoint"),
    [
        ("0.0.0.0", "http://127.0.0.1:11434"),  # noqa: S104 - it is not bound
        ("0.0.0.0:9999", "http://127.0.0.1:9999"),
        ("localhost", "http://localhost:11434"),
        (":9999", "http://127.0.0.1:9999"),
        ("http://127.0.0.1:9999/", "http://127.0.0.1:9999"),
        ("[::]:9999", "http://[::1]:9999"),
        ("[::1]", "http://[::1]:11434"),
        ("https://localhost", "https://localhost:443"),
        ("http://localhost", "http://localhost:80"),
        (' "127.0.0.1:9999" ', "http://127.0.0.1:9999"),
        ("", "http://127.0.0.1:11434"),
    ],
)
def test_ollamas_own_variable_is_read_as_it_reads_it(said: str, endpoint: str) -> None:
    choice = EmbedderChoice(kind=OLLAMA, model="tiny")
    found = server_embedder(choice, connect=connected, environ={"OLLAMA_HOST": said})

    assert str(found._url) == endpoint


@pytest.mark.parametrize(
    "said", ["192.0.2.7:11434", "http://models.example", "user:pw@localhost", "a b"]
)
def test_another_machine_is_refused_at_the_first_use(said: str) -> None:
    choice = EmbedderChoice(kind=OLLAMA, model="tiny")
    found = server_embedder(choice, connect=connected, environ={"OLLAMA_HOST": said})

    with pytest.raises(EndpointError):
        found.embed_query("tides")


def test_what_was_chosen_comes_before_the_variable(fake: FakeServer) -> None:
    choice = EmbedderChoice(kind=OLLAMA, model="tiny", endpoint=fake.endpoint)
    found = server_embedder(choice, connect=connected, environ={"OLLAMA_HOST": "a b"})

    assert found.embed_query("tides") is not None


def test_the_other_protocol_has_no_usual_place() -> None:
    choice = EmbedderChoice(kind=OPENAI, model="tiny")
    found = server_embedder(choice, connect=connected, environ={"OLLAMA_HOST": ""})

    with pytest.raises(EndpointError, match="none was given"):
        found.embed_query("tides")


def test_no_proxy_is_asked(
    fake: FakeServer, kind: EmbedderKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    assert embedder(fake, kind).embed_query("tides") is not None


def test_many_texts_go_in_requests_of_a_bounded_size(
    fake: FakeServer, kind: EmbedderKind
) -> None:
    texts = [f"{HARBOUR} number {number}" for number in range(200)]

    rows = embedder(fake, kind).embed_messages([*texts, *["z" * 990] * 80])

    sizes = [
        (len(asked["input"]), sum(map(len, asked["input"])))
        for path, asked in fake.asked
        if path in ("/api/embed", "/v1/embeddings")
    ]
    assert len(rows) == 280
    assert max(count for count, _ in sizes) == 64
    assert max(length for _, length in sizes) <= 32_000


def test_a_huge_answer_is_given_up(fake: FakeServer) -> None:
    fake.reply = lambda *_: (200, b" " * (65 << 20))

    with pytest.raises(ServerAnswerError):
        embedder(fake).embed_query("tides")

    assert fake.texts == []
