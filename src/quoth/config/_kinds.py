"""The types a setting can have: how its values are written, checked and shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from glob import escape
from pathlib import Path

__all__ = [
    "ENDPOINT",
    "GLOBS",
    "PATTERN",
    "PLACES",
    "SWITCH",
    "TEXT",
    "Kind",
    "Value",
    "folder_from",
    "number",
    "one_of",
    "texts",
]

Value = bool | float | Path | str | tuple[Path, ...] | tuple[str, ...]
"""A setting's value, checked: a switch, number, folder, pattern, places, or texts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One type of setting.

    Attributes:
        written: What a person may write, for the help and for a complaint.
        from_words: Turns the words of a command line into what stands in the file.
        from_file: Turns what stands in the file into the value; the folder is the
            person's own, which `~` stands for.

    Both raise ValueError with the end of a sentence that begins with the setting.
    """

    written: str
    from_words: Callable[[Sequence[str]], object]
    from_file: Callable[[object, Path], Value]


def folder_from(text: str, home_dir: Path) -> Path:
    """Return a path as a person writes it, with `~` for their own folder."""
    if text == "~" or text.startswith("~/"):
        return home_dir / text[2:]
    return Path(text)


def _switch_from_words(words: Sequence[str]) -> object:
    word = words[0].lower() if len(words) == 1 else ""
    if word not in _SAID:
        raise ValueError("must be true or false")
    return _SAID[word]


def _switch_from_file(written: object, _: Path) -> bool:
    if not isinstance(written, bool):
        raise ValueError("must be true or false")  # noqa: TRY004 - not a caller's bug
    return written


def _places_from_file(written: object, home_dir: Path) -> tuple[Path, ...]:
    if not isinstance(written, list):
        raise ValueError("must be a list of paths")  # noqa: TRY004 - as above
    if len(written) > _MOST_PLACES:
        raise ValueError(f"has more than {_MOST_PLACES} paths")
    places = (_place(one, home_dir) for one in written)
    return tuple(dict.fromkeys(places))


def _place(written: object, home_dir: Path) -> Path:
    if not isinstance(written, str):
        raise ValueError("must be a list of paths")  # noqa: TRY004 - as above
    if not _is_writable(written):
        raise ValueError("has a path that cannot be written down")
    path = folder_from(written, home_dir)
    if not path.is_absolute():
        raise ValueError("needs paths that begin with / or ~/")
    if ".." in path.parts:
        raise ValueError("needs paths without .. in them")
    return path


def texts(what: str, *, shortest: int) -> Kind:
    """Return the kind of a list of texts, called *what*, of *shortest* characters."""

    def from_file(written: object, _: Path) -> tuple[str, ...]:
        found = _listed(written, what)
        if any(len(" ".join(one.split())) < shortest for one in found):
            raise ValueError(f"needs {what} of at least {shortest} characters")
        return found

    return Kind(
        written=f"{what} of at least {shortest} characters",
        from_words=list,
        from_file=from_file,
    )


def one_of(words: Sequence[str]) -> Kind:
    """Return the kind of a setting that is one of *words*."""
    written = ", ".join(words)

    def from_words(given: Sequence[str]) -> object:
        return given[0].lower() if len(given) == 1 else ""

    def from_file(found: object, _: Path) -> str:
        if not isinstance(found, str) or found not in words:
            raise ValueError(f"must be one of {written}")
        return found

    return Kind(written=f"one of {written}", from_words=from_words, from_file=from_file)


def _text_from_words(words: Sequence[str]) -> object:
    if len(words) != 1:
        raise ValueError("takes one text")
    return words[0]


def _text_from_file(written: object, _: Path) -> str:
    if not isinstance(written, str):
        raise ValueError("must be a text in quotes")  # noqa: TRY004 - as above
    if not _is_writable(written):
        raise ValueError("has something that cannot be written down")
    if len(written) > _LONGEST_TEXT:
        raise ValueError(f"is longer than {_LONGEST_TEXT} characters")
    return written


def number(least: float, most: float) -> Kind:
    """Return the kind of a number between two others."""
    said = f"a number from {least:g} to {most:g}"

    def from_words(words: Sequence[str]) -> object:
        try:
            (word,) = words
            return float(word)
        except ValueError:
            raise ValueError(f"must be {said}") from None

    def from_file(written: object, _: Path) -> Value:
        is_number = isinstance(written, int | float) and not isinstance(written, bool)
        if not is_number or not least <= float(str(written)) <= most:
            raise ValueError(f"must be {said}")
        return float(str(written))

    return Kind(written=said, from_words=from_words, from_file=from_file)


def _endpoint_from_file(written: object, home_dir: Path) -> str:
    # Imported here: most people have no server.
    from quoth.errors import EndpointError
    from quoth.loopback import LoopbackUrl

    try:
        return str(LoopbackUrl.parse(_text_from_file(written, home_dir)))
    except EndpointError as error:
        # What somebody took for an endpoint may hold a password: it isn't shown.
        raise ValueError(
            "must be an address of this machine, such as http://localhost:11434"
        ) from error


def _globs_from_file(written: object, home_dir: Path) -> tuple[str, ...]:
    return tuple(_glob(one, home_dir) for one in _listed(written, "paths"))


def _glob(written: str, home_dir: Path) -> str:
    if not written.startswith(("/", "~/", "*")):
        raise ValueError("needs paths that begin with /, ~/ or *")
    if not any(map(str.isalnum, written)):
        raise ValueError("needs paths with more than wildcards in them")
    # The person's own folder is no pattern, whatever it is called.
    return escape(str(home_dir)) + written[1:] if written[0] == "~" else written


def _listed(written: object, what: str) -> tuple[str, ...]:
    if not isinstance(written, list) or not all(
        isinstance(one, str) for one in written
    ):
        raise ValueError(f"must be a list of {what}")
    if len(written) > _MOST_PLACES:
        raise ValueError(f"has more than {_MOST_PLACES} {what}")
    if not all(map(_is_writable, written)):
        raise ValueError("has something that cannot be written down")
    return tuple(dict.fromkeys(written))


def _pattern_from_words(words: Sequence[str]) -> object:
    if len(words) != 1:
        raise ValueError("takes one pattern")
    return words[0]


def _pattern_from_file(written: object, _: Path) -> str:
    # Imported here: most people have no patterns of their own.
    from quoth.redaction import checked_pattern

    if not isinstance(written, str):
        raise ValueError("must be a pattern in quotes")  # noqa: TRY004 - as above
    if not _is_writable(written):
        raise ValueError("has something that cannot be written down")
    return checked_pattern(written)


def _is_writable(text: str) -> bool:
    """Say whether *text* can stand in the file and be the name of one."""
    if "\0" in text:
        return False
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


_MOST_PLACES = 100
_LONGEST_TEXT = 1_000
_SAID = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
}

SWITCH = Kind(
    written="true or false",
    from_words=_switch_from_words,
    from_file=_switch_from_file,
)
PLACES = Kind(
    written="folders or files, each beginning with / or ~/",
    from_words=list,
    from_file=_places_from_file,
)
GLOBS = Kind(
    written="paths with wildcards, each beginning with /, ~/ or *",
    from_words=list,
    from_file=_globs_from_file,
)
PATTERN = Kind(
    written="a pattern",
    from_words=_pattern_from_words,
    from_file=_pattern_from_file,
)
TEXT = Kind(
    written="a text",
    from_words=_text_from_words,
    from_file=_text_from_file,
)
ENDPOINT = Kind(
    written="an address of this machine",
    from_words=_text_from_words,
    from_file=_endpoint_from_file,
)
