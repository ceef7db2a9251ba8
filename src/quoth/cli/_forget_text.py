"""What forgetting would take away, what it took, and the list of it, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from quoth.model import ForgetPlan, ForgetReport, Forgotten, Kinship, Leaving

from ._layout import columns, counted, filled, folded, one_line, shorten
from ._terminal import Terminal
from ._times import when_exactly

__all__ = ["forgotten_text", "plan_text", "question", "report_text", "undone_text"]

_MOST_CONVERSATIONS = 20
_MOST_FILES = 10
_HEAD = ("entry", "forgotten", "by", "conversations", "messages")


def plan_text(plan: ForgetPlan, *, terminal: Terminal) -> str:
    """Return each conversation that would go, what stays, and what nobody touches."""
    if not plan.conversations:
        return _folded(
            ["Nothing that is recorded fits: there is nothing to forget."], terminal
        )
    shown = plan.conversations[:_MOST_CONVERSATIONS]
    blocks = [_conversation(leaving, terminal) for leaving in shown]
    if more := plan.conversations[_MOST_CONVERSATIONS:]:
        messages = counted(sum(leaving.messages for leaving in more), "message")
        also = f"And {counted(len(more), 'more conversation')}, {messages}"
        blocks.append(_folded([f"{also}: --dry-run --json lists all."], terminal))
    return "\n\n".join([*blocks, _folded(_sentences(plan), terminal)])


def question(plan: ForgetPlan) -> str:
    """Return what a person is asked before anything happens."""
    return f"Forget {_amount(len(plan.conversations), plan.messages)}?"


def report_text(report: ForgetReport, plan: ForgetPlan, *, terminal: Terminal) -> str:
    """Return what is gone, and what to know about it."""
    return _folded(_came_of_it(report, plan), terminal)


def forgotten_text(entries: Sequence[Forgotten], *, terminal: Terminal) -> str:
    """Return the list of what was forgotten, which holds no word of it."""
    if not entries:
        return _folded(["Nothing has been forgotten."], terminal)
    rows = [_row(entry) for entry in entries]
    if table := columns([_HEAD, *rows], terminal.width):
        return "\n".join([terminal.dim(table[0]), *table[1:]])
    return "\n".join(
        line
        for entry, *values in rows
        for line in (
            terminal.bold(entry),
            *(
                f"  {name} {value}"
                for name, value in zip(_HEAD[1:], values, strict=True)
            ),
        )
    )


def undone_text(entry: Forgotten, *, terminal: Terminal) -> str:
    """Return that a ban is lifted, and what that does not do."""
    amount = _amount(entry.conversations, entry.messages)
    sentences = [
        f"Entry {entry.entry} ({amount}) is off the list: it keeps nothing out now.",
        "Nothing is back by that alone. The next quoth sync reads what is still there;"
        " an export has to be imported again.",
    ]
    return _folded(sentences, terminal)


def _conversation(leaving: Leaving, terminal: Terminal) -> str:
    title = one_line(leaving.title or "") or "(no title)"
    about = terminal.dot.join(_about(leaving))
    lines = [
        terminal.bold(shorten(title, terminal.width, ellipsis=terminal.ellipsis)),
        *(terminal.dim(f"  {line}") for line in filled(about, terminal.width - 2)),
        terminal.dim(f"  {one_line(leaving.key)}"),
    ]
    return "\n".join(lines)


def _about(leaving: Leaving) -> Iterator[str]:
    if leaving.started_at is not None:
        yield when_exactly(leaving.started_at)
    yield counted(leaving.messages, "message")
    if leaving.kinship is not Kinship.CHOSEN:
        yield _KINSHIP[leaving.kinship]


def _sentences(plan: ForgetPlan) -> Iterator[str]:
    chosen = sum(each.kinship is Kinship.CHOSEN for each in plan.conversations)
    with_them = len(plan.conversations) - chosen
    go = "goes" if with_them == 1 else "go"
    them = "it" if chosen == 1 else "them"
    taken = f", and {with_them:,} that {go} with {them}" if with_them else ""
    yield (
        f"{chosen:,} of {counted(plan.recorded, 'conversation')} (subagents counted)"
        f"{taken}: {counted(plan.messages, 'message')} would be gone."
    )
    if plan.kept_elsewhere:
        stay = counted(plan.kept_elsewhere, "message")
        yield f"{stay} stay, since conversations that are left hold them too."
    yield from _files(plan.conversations)
    if gone := sum(leaving.source_gone for leaving in plan.conversations):
        yield (
            f"Of {counted(gone, 'conversation')} the file is gone: quoth has the last"
            " copy, and nothing at all brings it back."
        )


def _files(conversations: Sequence[Leaving]) -> Iterator[str]:
    """Yield where the assistants' own files are, which no forgetting touches."""
    files = dict.fromkeys(each.path for each in conversations if not each.source_gone)
    if not files:
        return
    yield "What they were read from is not touched; it may hold more than them:"
    yield from _listed(list(files))
    yield (
        "This can't be taken back: quoth forget --undo restores nothing, it only lets"
        " a later sync read those files again."
    )


def _listed(files: Sequence[Path]) -> Iterator[str]:
    yield from (f"  {file}" for file in files[:_MOST_FILES])
    if (more := len(files) - _MOST_FILES) > 0:
        yield f"  and {counted(more, 'more file')}: --dry-run --json lists all"


def _came_of_it(report: ForgetReport, plan: ForgetPlan) -> Iterator[str]:
    if report.entry is None:
        yield "Nothing was left to forget."
        return
    yield f"Forgot {_amount(report.conversations, report.messages)}."
    yield "They stay out of every later sync and import. To let them in again:"
    yield f"  quoth forget --undo {report.entry}"
    if any(not leaving.source_gone for leaving in plan.conversations):
        yield "The files they were read from still hold them."
    if report.remains:
        yield (
            "Another program is reading the archive: a file beside it holds some of it"
            " until that ends. Then quoth sync clears it away."
        )


def _row(entry: Forgotten) -> tuple[str, ...]:
    return (
        str(entry.entry),
        when_exactly(entry.at),
        one_line(" ".join(entry.asked)),
        f"{entry.conversations:,}",
        f"{entry.messages:,}",
    )


def _amount(conversations: int, messages: int) -> str:
    held = counted(messages, "message")
    return f"{counted(conversations, 'conversation')}, {held}"


def _folded(sentences: Iterable[str], terminal: Terminal) -> str:
    return "\n".join(
        line for sentence in sentences for line in folded(sentence, terminal.width)
    )


_KINSHIP = {
    Kinship.SUBAGENT: "a subagent",
    Kinship.COPY: "holds the same messages (--only leaves it)",
}
