"""Words that are in common use, by the vocabulary of the default embedder."""

from __future__ import annotations

from functools import cache

from ._static import VOCABULARY

__all__ = ["is_common_word"]


def is_common_word(word: str) -> bool:
    """Say whether a word, in lower case, is one of some 23,000 in common use."""
    return word in _words()


@cache
def _words() -> frozenset[str]:
    return frozenset(VOCABULARY.read_text(encoding="utf-8").split())
