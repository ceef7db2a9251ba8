"""Models, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from quoth.model import (
    CheckedEmbedder,
    EmbedderChoice,
    EmbedderKind,
    FoundModel,
    FoundModels,
    Status,
)

from ._layout import columns, counted, folded, one_line, size
from ._terminal import Terminal

__all__ = ["added_lines", "models_text", "pull_question", "pulled_lines", "used_lines"]

_HEAD = ("", "kind", "model", "size", "digest", "")
_DIGITS = 12


def models_text(
    found: FoundModels, chosen: EmbedderChoice, *, terminal: Terminal
) -> str:
    """Return the models as a table, the one that was chosen marked."""
    rows = [_row(each, chosen) for each in found.models]
    table = columns([_HEAD, *rows], terminal.width)
    if table is not None:
        lines = [terminal.dim(table[0]), *table[1:]]
    else:
        parts = (terminal.dot.join(filter(None, row)) for row in rows)
        lines = [line for each in parts for line in folded(each, terminal.width)]
    if found.problem:
        asked = one_line(found.endpoint or "the server")
        lines += folded(f"{asked} could not be asked: {found.problem}", terminal.width)
    return "\n".join(lines)


def _row(found: FoundModel, chosen: EmbedderChoice) -> tuple[str, ...]:
    is_chosen = found.kind is chosen.kind and found.name == chosen.model
    return (
        "*" if is_chosen else "",
        found.kind.value,
        one_line(found.name),
        "" if found.size is None else size(found.size),
        one_line(found.digest or "")[:_DIGITS],
        _remark(found),
    )


def _remark(found: FoundModel) -> str:
    if found.is_remote:
        return "sends text away: refused"
    if not found.is_there:
        return "quoth models add PATH"
    if found.embeds is False:
        return "makes no vectors"
    if found.kind is EmbedderKind.STATIC:
        return "comes with quoth"
    return ""


def added_lines(added: FoundModel, *, terminal: Terminal) -> Iterator[str]:
    """Yield what was taken in, and what to do with it."""
    taken = size(added.size or 0)
    yield from _folded(
        [
            f"Took in {added.kind.value}, {taken}, SHA-256 {added.digest}.",
            f"Use it with: quoth models use {added.kind.value}",
        ],
        terminal,
    )


def pull_question(name: str, place: str, *, terminal: Terminal) -> str:
    """Return what a person should know before they agree to a download."""
    return "\n".join(
        _folded(
            [
                f"The Ollama at {one_line(place)} would download {one_line(name)}.",
                "It fetches it from where it is set to; by default that is its makers'"
                " registry. How large it is and under what licence, it doesn't tell"
                " before.",
                "quoth sends it that name, and nothing of yours.",
            ],
            terminal,
        )
    )


def pulled_lines(pulled: FoundModel, *, terminal: Terminal) -> Iterator[str]:
    """Yield what is there now, and what to do with it."""
    name = one_line(pulled.name)
    large = "" if pulled.size is None else f", {size(pulled.size)}"
    yield from _folded(
        [f"{name} is there{large}.", f"Use it with: quoth models use ollama {name}"],
        terminal,
    )


def used_lines(
    checked: CheckedEmbedder, status: Status, *, terminal: Terminal
) -> Iterator[str]:
    """Yield what was chosen, and what is still to be done."""
    name = one_line(checked.choice.name)
    says = [f"{name} gives vectors of {checked.dimensions:,} numbers, and is chosen."]
    if status.coming is not None and status.coming.lacking:
        lacking = counted(status.coming.lacking, "message")
        says.append(
            f"{lacking} lack its vectors: quoth embed makes them. Until then searches"
            " ask the embedder from before."
        )
    elif status.coming is not None:
        says.append("It has all it needs. The next quoth embed lets searches ask it.")
    yield from _folded(says, terminal)


def _folded(sentences: Iterable[str], terminal: Terminal) -> Iterator[str]:
    for sentence in sentences:
        yield from folded(sentence, terminal.width)
