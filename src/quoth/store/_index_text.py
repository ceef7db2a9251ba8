"""What the word index sees of a text: the same rules for messages and for questions."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["cjk_runs", "identifier_parts", "split_cjk", "split_names", "unaccented"]

# Hiragana, Katakana, both Han blocks, compatibility forms, Hangul: scripts written
# without spaces, or, for Korean, with particles glued on. `unicode61` would make one
# token of a run. The astral Han blocks are in for rare names.
_CJK = (
    "\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0002fa1f"
)
# Left to `re` to compile at their first use: ranges as wide take it a millisecond.
_CJK_CHARACTER = f"[{_CJK}]"
_CJK_RUN = f"[{_CJK}]+"

# A name is cut out between everything that is no ASCII letter or digit, `_` too. Past
# 100 characters it is no name but encoded bytes, and its parts would only be ballast.
_CAMEL = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z])"
    r"(?=[A-Z]{2,}+[a-z]|[A-Z]*+[a-z0-9]++[A-Z])"
    r"[A-Za-z0-9]{2,100}+(?![A-Za-z0-9])"
)
_CAMEL_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SYMBOLS = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", ".net": "dotnet"}
_SYMBOL = re.compile(r"(?i)(?<![\w+#.])(?:c\+\+|c#|f#|\.net)(?![^\W\d]|[+#])")


def split_cjk(text: str) -> str:
    """Return *text* with a space around every CJK character, else unchanged."""
    if text.isascii() or not re.search(_CJK_CHARACTER, text):
        return text
    return re.sub(_CJK_CHARACTER, lambda match: f" {match[0]} ", text)


def unaccented(text: str) -> str:
    """Return *text* without the marks on its letters, as the index folds it."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text)
    return "".join(one for one in apart if not unicodedata.combining(one))


def cjk_runs(text: str) -> list[str]:
    """Return the runs of CJK characters in *text*."""
    return [] if text.isascii() else re.findall(_CJK_RUN, text)


def split_names(text: str) -> str:
    """Return *text* with a space between the parts of camelCase names."""
    return _CAMEL.sub(lambda match: " ".join(_CAMEL_PART.findall(match[0])), text)


def identifier_parts(text: str) -> str:
    """Return the parts of camelCase names, and `C++` and its like spelled in letters.

    One line each: a name is two or more words, a symbol is one. snake_case, dotted
    names and paths need no help: the tokenizer parts them.
    """
    found = [" ".join(_CAMEL_PART.findall(name)) for name in _CAMEL.findall(text)]
    folded = text.lower()
    if any(symbol in folded for symbol in _SYMBOLS):
        found += [_SYMBOLS[symbol.lower()] for symbol in _SYMBOL.findall(text)]
    return "\n".join(dict.fromkeys(found)).lower()
