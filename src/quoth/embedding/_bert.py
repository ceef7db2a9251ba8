"""A BERT encoder's forward pass, in float32 with numpy alone.

After Devlin et al. 2018, "BERT: Pre-training of Deep Bidirectional Transformers", as an
encoder of sentences: the mean of the last layer over all tokens (Reimers and Gurevych
2019, "Sentence-BERT").
Texts of one call stand behind each other without padding; those of one length share
their attention.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bert"]

Floats = NDArray[np.float32]

_HEAD = 32
"""Numbers of one head of attention, in every MiniLM."""

_EPSILON = np.float32(1e-12)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class _Layer:
    """Weights as they are multiplied from the right, and what is added after that."""

    attention: tuple[Floats, Floats]
    out: tuple[Floats, Floats]
    out_norm: tuple[Floats, Floats]
    up: tuple[Floats, Floats]
    down: tuple[Floats, Floats]
    norm: tuple[Floats, Floats]


class Bert:
    """An encoder of the weights in *tensors*; its sizes are those of the arrays."""

    def __init__(self, tensors: Mapping[str, NDArray[Any]]) -> None:
        """Look up the weights.

        Raises:
            KeyError: One is missing.
            IndexError: One lacks a dimension.
            ValueError: One has a shape that doesn't fit the others.
        """
        self._words = tensors["embeddings.word_embeddings.weight"]
        places = tensors["embeddings.position_embeddings.weight"]
        self._places = places + tensors["embeddings.token_type_embeddings.weight"][0]
        self._norm = _pair(tensors, "embeddings.LayerNorm")
        self._layers = [_layer(tensors, name) for name in _layers_in(tensors)]
        self.words, self.dimensions = map(int, self._words.shape)
        if self._norm[1].shape != (self.dimensions,):
            raise ValueError(self._norm[1].shape)
        for layer in self._layers:
            _refuse_misfit(layer, self.dimensions)

    def encode(self, texts: Sequence[Sequence[int]]) -> Floats:
        """Return the mean vector of each list of ids, shape (texts, dimensions).

        They come sorted by their length; each has an id at least.
        """
        lengths = [len(text) for text in texts]
        rows = _normal(self._embedded(texts, lengths), self._norm)
        groups = list(_groups(lengths))
        for layer in self._layers:
            rows = _through(rows, layer, groups)
        return np.concatenate(
            [
                rows[first:last].reshape(count, length, -1).mean(axis=1)
                for first, last, count, length in groups
            ]
        )

    def _embedded(
        self, texts: Sequence[Sequence[int]], lengths: Sequence[int]
    ) -> Floats:
        ids = np.fromiter((number for text in texts for number in text), np.intp)
        places = np.concatenate([np.arange(length) for length in lengths])
        rows: Floats = self._words.take(ids, axis=0)
        rows += self._places.take(places, axis=0)
        return rows


def _through(
    rows: Floats, layer: _Layer, groups: Sequence[tuple[int, int, int, int]]
) -> Floats:
    mixed = _linear(rows, layer.attention)
    seen = np.empty_like(rows)
    for first, last, count, length in groups:
        part = mixed[first:last].reshape(count, length, 3, -1, _HEAD)
        seen[first:last] = _attended(part).reshape(last - first, -1)
    attended = _linear(seen, layer.out)
    attended += rows
    attended = _normal(attended, layer.out_norm)
    raised = _gelu(_linear(attended, layer.up))
    lowered = _linear(raised, layer.down)
    lowered += attended
    return _normal(lowered, layer.norm)


def _attended(mixed: Floats) -> Floats:
    """Return what every token takes from the others.

    From (texts, length, 3, heads, head) to (texts, length, heads, head).
    """
    queries, keys, values = mixed.transpose(2, 0, 3, 1, 4)
    weights = np.matmul(queries, keys.transpose(0, 1, 3, 2))
    weights *= np.float32(_HEAD**-0.5)
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= weights.sum(axis=-1, keepdims=True)
    seen: Floats = np.matmul(weights, values).transpose(0, 2, 1, 3)
    return seen


def _linear(rows: Floats, weights: tuple[Floats, Floats]) -> Floats:
    product: Floats = rows @ weights[0]
    product += weights[1]
    return product


def _normal(rows: Floats, weights: tuple[Floats, Floats]) -> Floats:
    """Return *rows*, changed in place, each of mean 0 and variance 1, then scaled."""
    rows -= rows.mean(axis=-1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[-1])
    rows *= (1 / np.sqrt(variance + _EPSILON))[:, None]
    rows *= weights[0]
    rows += weights[1]
    return rows


# Abramowitz and Stegun, "Handbook of Mathematical Functions", 7.1.26: erf to 1.5e-7.
_A = [np.float32(a) for a in (1.061405429, -1.453152027, 1.421413741, -0.284496736)]
_A_LAST, _P = np.float32(0.254829592), np.float32(0.3275911)


def _gelu(rows: Floats) -> Floats:
    """Return x * (1 + erf(x / sqrt 2)) / 2 of each number, in place of *rows*."""
    size = np.abs(rows)
    size *= np.float32(2**-0.5)
    t = size * _P
    t += 1
    np.reciprocal(t, out=t)
    series = t * _A[0]
    for a in (*_A[1:], _A_LAST):
        series += a
        series *= t
    size *= size
    np.negative(size, out=size)
    np.exp(size, out=size)
    series *= size
    np.subtract(1, series, out=series)
    np.copysign(series, rows, out=series)
    series += 1
    rows *= series
    rows *= np.float32(0.5)
    return rows


def _groups(lengths: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield first and last row, count and length of the texts of each length."""
    first = 0
    for length, some in groupby(lengths):
        count = sum(1 for _ in some)
        yield first, first + count * length, count, length
        first += count * length


def _layers_in(tensors: Mapping[str, NDArray[Any]]) -> Iterator[str]:
    number = 0
    while f"encoder.layer.{number}.output.dense.weight" in tensors:
        yield f"encoder.layer.{number}"
        number += 1


def _layer(tensors: Mapping[str, NDArray[Any]], name: str) -> _Layer:
    parts = [
        _pair(tensors, f"{name}.attention.self.{part}")
        for part in ("query", "key", "value")
    ]
    return _Layer(
        # One multiplication for all three: copied, as they lie apart in the file.
        attention=(
            np.concatenate([weight.T for weight, _ in parts], axis=1),
            np.concatenate([bias for _, bias in parts]),
        ),
        out=_turned(tensors, f"{name}.attention.output.dense"),
        out_norm=_pair(tensors, f"{name}.attention.output.LayerNorm"),
        up=_turned(tensors, f"{name}.intermediate.dense"),
        down=_turned(tensors, f"{name}.output.dense"),
        norm=_pair(tensors, f"{name}.output.LayerNorm"),
    )


def _refuse_misfit(layer: _Layer, width: int) -> None:
    wide = layer.up[1].size
    pairs = (
        ((width, 3 * width), layer.attention),
        ((width, width), layer.out),
        ((width, wide), layer.up),
        ((wide, width), layer.down),
    )
    for shape, (weight, bias) in pairs:
        if (weight.shape, bias.shape) != (shape, shape[1:]):
            raise ValueError(weight.shape, bias.shape)
    for each in (*layer.out_norm, *layer.norm):
        if each.shape != (width,):
            raise ValueError(each.shape)


def _turned(tensors: Mapping[str, NDArray[Any]], name: str) -> tuple[Floats, Floats]:
    weight, bias = _pair(tensors, name)
    return weight.T, bias


def _pair(tensors: Mapping[str, NDArray[Any]], name: str) -> tuple[Floats, Floats]:
    return (
        np.asarray(tensors[f"{name}.weight"], np.float32),
        np.asarray(tensors[f"{name}.bias"], np.float32),
    )
