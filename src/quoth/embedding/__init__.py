"""Turning text into vectors, with nothing fetched and nothing sent.

Importing this imports no numpy (70 ms): loading or using an embedder does.
"""

from __future__ import annotations

from ._connect import Connect, connected
from ._default import DefaultEmbedder
from ._hash import HashEmbedder
from ._known_words import is_common_word
from ._making import Embedders, embedder_of
from ._protocol import Embedder, Quantised, QueryVector, Refused
from ._sameness import is_same_model, packed
from ._shelf import ModelShelf
from ._static import StaticEmbedder, load_static

__all__ = [
    "Connect",
    "DefaultEmbedder",
    "Embedder",
    "Embedders",
    "HashEmbedder",
    "ModelShelf",
    "Quantised",
    "QueryVector",
    "Refused",
    "StaticEmbedder",
    "connected",
    "embedder_of",
    "is_common_word",
    "is_same_model",
    "load_static",
    "packed",
]
