"""The protocol of OpenAI, as servers on this machine speak it: llama.cpp, LM Studio."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from quoth.errors import EmbeddingError, ModelNotServedError, ServerAnswerError
from quoth.loopback import Asker, LoopbackUrl
from quoth.model import EmbedderKind, FoundModel

from ._dialect import RejectedError, Served, Vector, document_of, refuse_failures
from ._ollama import refuse_hidden_remote

__all__ = ["OpenAi"]


class OpenAi:
    """A server that may serve another model than it was asked for, and says so."""

    kind = EmbedderKind.OPENAI

    def listed(
        self, asker: Asker, url: LoopbackUrl, *, timeout_s: float | None = None
    ) -> tuple[FoundModel, ...]:
        """Return the models that the server says it has."""
        entries = _entries(asker, url, timeout_s)
        return tuple(
            FoundModel(kind=self.kind, name=name, size=_size(entry))
            for name, entry in entries.items()
        )

    def served(
        self, asker: Asker, url: LoopbackUrl, model: str, *, timeout_s: float | None
    ) -> Served:
        """Return the model of that name; without a name, the only one there is."""
        entries = _entries(asker, url, timeout_s)
        if not model and len(entries) == 1:
            (model,) = entries
        if not model:
            raise EmbeddingError(
                f"The server at {url.origin} has {len(entries)} models, and none of"
                " them was named.",
                hint="quoth models list openai shows them.",
            )
        if model not in entries:
            raise ModelNotServedError(
                model, url.origin, hint="quoth models list openai shows what it has."
            )
        refuse_hidden_remote(asker, url, model, timeout_s=timeout_s)
        meta = entries[model].get("meta")
        told = meta if isinstance(meta, dict) else {}
        return Served(name=model, version=_version(told), most_tokens=_context(told))

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
        request = {
            "model": served.name,
            "input": [*texts],
            "encoding_format": "float",
        }
        body = json.dumps(request).encode()
        answer = asker.post("/v1/embeddings", body, timeout_s=timeout_s)
        document = refuse_failures(answer, url)
        if not _is_same(document.get("model"), served.name):
            why = "it answered with another model than it was asked for"
            raise ServerAnswerError(url.origin, why=why)
        return _in_order(document.get("data"), len(texts))


def _entries(
    asker: Asker, url: LoopbackUrl, timeout_s: float | None
) -> dict[str, Mapping[str, Any]]:
    document = document_of(asker.get("/v1/models", timeout_s=timeout_s), url)
    data = document.get("data")
    if not isinstance(data, list):
        why = "it has no list of models, as an OpenAI server has"
        raise ServerAnswerError(url.origin, why=why)
    return {
        each["id"]: each
        for each in data
        if isinstance(each, dict) and isinstance(each.get("id"), str)
    }


def _size(entry: Mapping[str, Any]) -> int | None:
    meta = entry.get("meta")
    size = meta.get("size") if isinstance(meta, dict) else None
    return size if isinstance(size, int) else None


def _version(meta: Mapping[str, Any]) -> str:
    """Return what tells models of one name apart, where the server says anything."""
    told = {key: meta[key] for key in ("n_params", "size", "n_embd") if key in meta}
    if not told:
        return ""
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:12]


def _context(meta: Mapping[str, Any]) -> int | None:
    length = meta.get("n_ctx_train") or meta.get("n_ctx")
    return length if isinstance(length, int) and length > 0 else None


def _is_same(answered: object, asked: str) -> bool:
    """Say whether it is the model that was asked for; LM Studio adds `@q4_k_m`.

    A server that doesn't say has told nothing against it.
    """
    if not isinstance(answered, str) or not answered:
        return True
    return _plain(answered) == _plain(asked)


def _plain(name: str) -> str:
    file = name.lower().replace("\\", "/").rpartition("/")[2]
    return file.partition("@")[0].removesuffix(".gguf")


def _in_order(data: object, count: int) -> list[Vector]:
    """Return the vectors by their index, which may come in any order.

    Raises:
        RejectedError: Some are missing, or there are more.
    """
    if not isinstance(data, list):
        raise RejectedError
    found: dict[int, Vector] = {}
    for place, each in enumerate(data):
        if not isinstance(each, dict):
            raise RejectedError
        index = each.get("index", place)
        vector = each.get("embedding")
        if isinstance(index, int):
            found[index] = vector if isinstance(vector, list) else None
    if sorted(found) != list(range(count)) or len(data) != count:
        raise RejectedError
    return [found[index] for index in range(count)]
