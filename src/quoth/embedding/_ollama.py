"""Ollama's own protocol. https://github.com/ollama/ollama/blob/main/docs/api.md"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from quoth.errors import (
    CloudModelError,
    EmbeddingError,
    ModelNotServedError,
    ServerAnswerError,
)
from quoth.loopback import Answer, Asker, LoopbackUrl
from quoth.model import EmbedderKind, FoundModel

from ._dialect import (
    RejectedError,
    Served,
    Vector,
    complaint_of,
    document_of,
    refuse_failures,
)

__all__ = [
    "Ollama",
    "is_cloud_name",
    "pull",
    "refuse_cloud_name",
    "refuse_hidden_remote",
]

_PULL_S = 3600.0
"""A model of some gigabytes over a slow line."""

_DIGEST = 12


class Ollama:
    """A server that may also send text to other machines, for some of its models.

    Such a model is told by its name, or by `remote_host` and `remote_model` in what the
    server says of it. It is refused before any text goes to the server.
    """

    kind = EmbedderKind.OLLAMA

    def __init__(self) -> None:
        self._is_old = False
        """Whether only the older request is known there, one text at a time."""

    def listed(
        self, asker: Asker, url: LoopbackUrl, *, timeout_s: float | None = None
    ) -> tuple[FoundModel, ...]:
        """Return the models that the server says it has."""
        return tuple(map(_found, _tags(asker, url, timeout_s)))

    def served(
        self, asker: Asker, url: LoopbackUrl, model: str, *, timeout_s: float | None
    ) -> Served:
        """Return the model of that name, with or without its tag."""
        refuse_cloud_name(model)
        if not model:
            raise EmbeddingError(
                "No model was named.", hint="quoth models use ollama NAME names one."
            )
        entries = {str(tag["name"]): tag for tag in _tags(asker, url, timeout_s)}
        name = next(
            (each for each in (model, f"{model}:latest") if each in entries), ""
        )
        if not name:
            raise ModelNotServedError(
                model,
                url.origin,
                hint=f"quoth models pull {model} has it downloaded, after asking.",
            )
        told = _local(asker, url, entries[name], timeout_s)
        return Served(
            name=name,
            version=str(entries[name].get("digest") or "")[:_DIGEST],
            most_tokens=_context_length(told),
        )

    def vectors(
        self,
        asker: Asker,
        url: LoopbackUrl,
        served: Served,
        texts: Sequence[str],
        *,
        timeout_s: float | None,
    ) -> list[Vector]:
        """Return what the server gives for each of *texts*."""
        if not self._is_old:
            request = {"model": served.name, "input": [*texts], "truncate": False}
            answer = _posted(asker, "/api/embed", request, timeout_s)
            if not _is_unknown_path(answer, url):
                found = _answered(answer, url, served.name).get("embeddings")
                if not isinstance(found, list) or len(found) != len(texts):
                    raise RejectedError
                return found
            self._is_old = True
        return [self._old_vector(asker, url, served, text, timeout_s) for text in texts]

    def _old_vector(
        self,
        asker: Asker,
        url: LoopbackUrl,
        served: Served,
        text: str,
        timeout_s: float | None,
    ) -> Vector:
        request = {"model": served.name, "prompt": text}
        answer = _posted(asker, "/api/embeddings", request, timeout_s)
        if _is_unknown_path(answer, url):
            raise ServerAnswerError(url.origin, why="it is no Ollama that embeds")
        found = _answered(answer, url, served.name).get("embedding")
        return found if isinstance(found, list) else None


def is_cloud_name(name: str) -> bool:
    """Say whether a name, or its tag, is of a model on its makers' machines."""
    parts = name.lower().rpartition("/")[2].split(":")
    return any(part.strip().endswith("cloud") for part in parts)


def refuse_cloud_name(name: str) -> None:
    """Do nothing, unless a model would run on other machines.

    Raises:
        CloudModelError: Its name says so.
    """
    if is_cloud_name(name):
        raise CloudModelError(name)


def refuse_hidden_remote(
    asker: Asker, url: LoopbackUrl, name: str, *, timeout_s: float | None
) -> None:
    """Do nothing, unless an Ollama answers there and would send text elsewhere.

    Its list in another protocol names such models, and doesn't say what they are.

    Raises:
        CloudModelError: The model would run on other machines.
        ServerError: The server can't be used, or fails to say.
    """
    refuse_cloud_name(name)
    answer = asker.get("/api/tags", timeout_s=timeout_s)
    if answer.status >= 500:
        _refuse_silence(answer, url)
    try:
        entries = _entries_in(document_of(answer, url), url)
    except ServerAnswerError:
        return
    for entry in entries:
        if entry["name"] in (name, f"{name}:latest"):
            _local(asker, url, entry, timeout_s)


def pull(asker: Asker, url: LoopbackUrl, name: str) -> FoundModel:
    """Have the server download a model, and return it. Its name is all that is sent.

    Raises:
        EmbeddingError: It could not be downloaded, or would run elsewhere.
        ServerError: The server can't be used.
    """
    refuse_cloud_name(name)
    answer = _posted(asker, "/api/pull", {"model": name, "stream": False}, _PULL_S)
    document = document_of(answer, url)
    if answer.status != 200 or complaint_of(document) is not None:
        raise EmbeddingError(
            f"The server at {url.origin} did not download {name}.",
            hint="See that the name is right, and what the server's own log says.",
        )
    wanted = {name, f"{name}:latest"}
    found = [_found(tag) for tag in _tags(asker, url, None) if tag["name"] in wanted]
    if not found:
        raise ModelNotServedError(name, url.origin, hint="See the server's own log.")
    return found[0]


def _tags(
    asker: Asker, url: LoopbackUrl, timeout_s: float | None
) -> list[Mapping[str, Any]]:
    answer = asker.get("/api/tags", timeout_s=timeout_s)
    return _entries_in(document_of(answer, url), url)


def _entries_in(
    document: Mapping[str, Any], url: LoopbackUrl
) -> list[Mapping[str, Any]]:
    models = document.get("models")
    if not isinstance(models, list):
        raise ServerAnswerError(url.origin, why="it is no Ollama")
    return [
        {**each, "name": str(each.get("name") or each.get("model"))}
        for each in models
        if isinstance(each, dict) and (each.get("name") or each.get("model"))
    ]


def _local(
    asker: Asker, url: LoopbackUrl, entry: Mapping[str, Any], timeout_s: float | None
) -> Mapping[str, Any]:
    """Return what the server says of a model it lists, unless it runs elsewhere."""
    name = str(entry["name"])
    told = _shown(asker, url, name, timeout_s)
    if _is_remote(name, entry) or _is_remote(name, told):
        raise CloudModelError(name)
    return told


def _shown(
    asker: Asker, url: LoopbackUrl, name: str, timeout_s: float | None
) -> Mapping[str, Any]:
    """Return what the server says of a model it has; nothing where it doesn't know how.

    Only the name is sent. A failure is no answer: it may be a model of elsewhere.
    """
    answer = _posted(asker, "/api/show", {"model": name}, timeout_s)
    if answer.status in (404, 405):
        return {}
    document = document_of(answer, url)
    if answer.status != 200 or complaint_of(document) is not None:
        _refuse_silence(answer, url)
    return document


def _refuse_silence(answer: Answer, url: LoopbackUrl) -> NoReturn:
    document_of(answer, url)  # busy is another thing
    raise ServerAnswerError(url.origin, why="it doesn't say where its model runs")


def _found(tag: Mapping[str, Any]) -> FoundModel:
    name, size, digest = tag["name"], tag.get("size"), tag.get("digest")
    abilities = tag.get("capabilities")
    return FoundModel(
        kind=EmbedderKind.OLLAMA,
        name=name,
        size=size if isinstance(size, int) else None,
        digest=digest if isinstance(digest, str) else None,
        is_remote=_is_remote(name, tag),
        embeds="embedding" in abilities if isinstance(abilities, list) else None,
    )


def _is_remote(name: str, said: Mapping[str, Any]) -> bool:
    told = said.get("remote_host") or said.get("remote_model")
    return bool(told) or is_cloud_name(name)


def _context_length(told: Mapping[str, Any]) -> int | None:
    about = told.get("model_info")
    if not isinstance(about, dict):
        return None
    lengths = (it for key, it in about.items() if key.endswith(".context_length"))
    length = next(lengths, None)
    return length if isinstance(length, int) and length > 0 else None


def _posted(
    asker: Asker, path: str, request: Mapping[str, Any], timeout_s: float | None
) -> Answer:
    return asker.post(path, json.dumps(request).encode(), timeout_s=timeout_s)


def _is_unknown_path(answer: Answer, url: LoopbackUrl) -> bool:
    """Say whether the server has no such request, which a missing model is not."""
    if answer.status not in (404, 405):
        return False
    try:
        complaint = complaint_of(document_of(answer, url))
    except ServerAnswerError:  # "404 page not found", as plain text
        return True
    return complaint is None or "model" not in complaint


def _answered(answer: Answer, url: LoopbackUrl, model: str) -> Mapping[str, Any]:
    document = refuse_failures(answer, url)
    if document.get("remote_host") or document.get("remote_model"):
        raise CloudModelError(model)
    return document
