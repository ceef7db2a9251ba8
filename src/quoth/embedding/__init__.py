"""Turning text into vectors, with nothing fetched and nothing sent.

Importing this imports no numpy (70 ms): loading or using an embedder does.
"""

from __future__ import annotations

from ._default import DefaultEmbedder
from ._hash import HashEmbedder
from ._protocol import Embedder, Quantised, QueryVector, folder_name
from ._static import StaticEmbedder, load_static

__all__ = [
    "DefaultEmbedder",
    "Embedder",
    "HashEmbedder",
    "Quantised",
    "QueryVector",
    "StaticEmbedder",
    "folder_name",
    "load_static",
]
