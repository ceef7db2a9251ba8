"""BERT's uncased WordPiece, in the standard library alone.

Follows the `tokenizers` library, which made the ids the table was trained on: its
`BertNormalizer` (clean, split ideographs, strip accents, lower), `BertPreTokenizer`
and `WordPiece`. No special tokens are added and nothing is cut off.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from itertools import chain
from string import punctuation

__all__ = ["UNKNOWN", "WordPiece"]

UNKNOWN = "[UNK]"

LONGEST_WORD = 100
"""Characters; `max_input_chars_per_word` of BERT."""

REMEMBERED = 100_000
"""Words whose ids are kept, some 15 MB in each of two places. The first 8 MB of
LongMemEval-S hold 91,000."""

LONGEST_REMEMBERED = 24
"""Characters; longer ones (hashes, addresses) hardly ever come back."""

# https://github.com/google-research/bert, tokenization.py, _is_chinese_char
_IDEOGRAPHS = (
    range(0x3400, 0x4DC0),
    range(0x4E00, 0xA000),
    range(0xF900, 0xFB00),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B820),
    range(0x2B820, 0x2CEB0),
    range(0x2F800, 0x2FA20),
)

_CONTROLS = {"Cc", "Cf", "Co", "Cs"}
"""Unassigned characters stay, so that a newer Unicode changes as little as it can."""


class WordPiece:
    """A vocabulary, and the rule that finds text in it."""

    def __init__(self, tokens: Iterable[str]) -> None:
        self._ids = {token: number for number, token in enumerate(tokens)}
        self._unknown = self._ids[UNKNOWN]
        self._longest = max(map(len, self._ids))
        self._cleaned, self._folded = _Cleaned(), _Folded()
        # "Rust", "rust," and "(rust" are three words to the outer, one to the inner.
        self._pieces = _Remembered(self._cut)
        self._known = _Remembered(self.known_among)

    def __len__(self) -> int:
        return len(self._ids)

    def id_of(self, token: str) -> int:
        """Return the id of one token of the vocabulary."""
        return self._ids[token]

    def encode(self, text: str) -> list[int]:
        """Return the ids of *text*, an unknown word being the id of `[UNK]`."""
        clean = text.translate(self._cleaned)
        folded = unicodedata.normalize("NFD", clean).translate(self._folded)
        return list(chain.from_iterable(map(self._pieces.__getitem__, folded.split())))

    def known_among(self, text: str) -> tuple[int, ...]:
        """Return the ids of *text* without the unknown."""
        return tuple([i for i in self.encode(text) if i != self._unknown])

    def known_ids(self, words: Iterable[str]) -> list[tuple[int, ...]]:
        """Return `known_among` of each word, remembering many."""
        return list(map(self._known.__getitem__, words))

    def _cut(self, word: str) -> tuple[int, ...]:
        """Return the longest token that begins *word*, and so on with the rest."""
        if len(word) > LONGEST_WORD:
            return (self._unknown,)
        pieces: list[int] = []
        start = 0
        while start < len(word):
            found = self._longest_in(word, start)
            if found is None:
                return (self._unknown,)
            number, start = found
            pieces.append(number)
        return tuple(pieces)

    def _longest_in(self, word: str, start: int) -> tuple[int, int] | None:
        """Return the id of the longest token at *start*, and where it ends."""
        mark = "##" if start else ""
        for end in range(min(len(word), start + self._longest), start, -1):
            number = self._ids.get(mark + word[start:end])
            if number is not None:
                return number, end
        return None


class _Remembered(dict[str, tuple[int, ...]]):
    """Word to ids, worked out when first asked for, emptied when full."""

    def __init__(self, work_out: Callable[[str], tuple[int, ...]]) -> None:
        self._work_out = work_out

    def __missing__(self, word: str) -> tuple[int, ...]:
        ids = self._work_out(word)
        if len(word) <= LONGEST_REMEMBERED:
            if len(self) >= REMEMBERED:
                self.clear()
            self[word] = ids
        return ids


class _Cleaned(dict[int, str]):
    """Code point to text: controls go, white space is a space, ideographs stand alone.

    A table for `str.translate` that fills itself, which runs at C speed.
    """

    def __missing__(self, code: int) -> str:
        self[code] = text = self._clean(chr(code))
        return text

    @staticmethod
    def _clean(char: str) -> str:
        if char in "\t\n\r":
            return " "
        if char == "\ufffd" or unicodedata.category(char) in _CONTROLS:
            return ""
        if any(ord(char) in block for block in _IDEOGRAPHS):
            return f" {char} "
        return char


class _Folded(dict[int, str]):
    """Code point (decomposed) to text: accents go, letters are small, marks apart."""

    def __missing__(self, code: int) -> str:
        self[code] = text = self._fold(chr(code))
        return text

    @staticmethod
    def _fold(char: str) -> str:
        if unicodedata.category(char) == "Mn":
            return ""
        # By the character, as the original does: no final sigma.
        small = char.lower()
        return f" {small} " if _is_punctuation(small) else small


def _is_punctuation(char: str) -> bool:
    return char in punctuation or unicodedata.category(char).startswith("P")
