"""What forgetting would take away, what it took, and the list of it, for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from quoth.model import ForgetPlan, ForgetReport, Forgotten, Kinship, Leaving

from ._layout import columns, counted, filled, folded, one_line, shorten, width_of
from ._terminal import Terminal
from ._times import when_exactly

__all__ = ["forgotten_text", "plan_text", "question", "report_text", "undone_text"]

# So few that the question stands below them on one screen.
_MOST_CONVERSATIONS = 10
_MOST_FILES = 5
_HEAD = ("entry", "forgotten", "by", "conversations", "messages")


def plan_text(plan: ForgetPlan, *, dry_run: bool, terminal: Terminal) -> str:
    """Return each conversation that would go, what stays, and what nobody touches."""
    if not plan.conversations:
        return _folded(
            ["Nothing that is recorded fits: there is nothing to forget."], terminal
        )
    shown = plan.conversations[:_MOST_CONVERSATIONS]
    lines = [_conversation(leaving, terminal) for leaving in shown]
    if more := plan.conversations[_MOST_CONVERSATIONS:]:
        messages = counted(sum(leaving.messages for leaving in more), "message")
        also = f"And {counted(len(more), 'more conversation')}, {messages}"
        lines.append(_folded([f"{also}: --dry-run --json lists all."], terminal))
    sentences = [*_sentences(plan), *([_HOW_TO_DO_IT] if dry_run else [])]
    return "\n".join([*lines, "", _folded(sentences, terminal)])


def question(plan: ForgetPlan) -> str:
    """Return what a person is asked before anything happens."""
    whole = sum(not leaving.stay for leaving in plan.conversations)
    return f"Forget {_amount(whole, plan.messages)}?"


def report_text(report: ForgetReport, plan: ForgetPlan, *, terminal: Terminal) -> str:
    """Return what is gone, and what to know about it."""
    return _folded(_came_of_it(report, plan), terminal)


def forgotten_text(entries: Sequence[Forgotten], *, terminal: Terminal) -> str:
    """Return the list of what was forgotten, which holds no word of it."""
    if not entries:
        return _folded(["Nothing has been forgotten."], terminal)
    listed = _as_table([_row(entry) for entry in entries], terminal)
    return "\n".join([*listed, _folded(_how_to_lift(entries), terminal)])


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
    about, key = terminal.dot.join(_about(leaving)), one_line(leaving.key)
    both = f"{about}{terminal.dot}{key}"
    fits = width_of(both) <= terminal.width - 2
    lines = [both] if fits else [*filled(about, terminal.width - 2), key]
    shown = shorten(title, terminal.width, ellipsis=terminal.ellipsis)
    return "\n".join(
        [terminal.bold(shown), *(terminal.dim(f"  {line}") for line in lines)]
    )


def _about(leaving: Leaving) -> Iterator[str]:
    if leaving.started_at is not None:
        yield f"{leaving.started_at.astimezone():%Y-%m-%d}"
    yield counted(leaving.messages, "message")
    if leaving.kinship is not Kinship.CHOSEN:
        yield _KINSHIP[leaving.kinship]
    if leaving.stay:
        yield f"keeps {counted(leaving.stay, 'message')} begun anew in it"


def _sentences(plan: ForgetPlan) -> Iterator[str]:
    chosen = sum(each.kinship is Kinship.CHOSEN for each in plan.conversations)
    parted = sum(leaving.stay > 0 for leaving in plan.conversations)
    with_them = len(plan.conversations) - chosen - parted
    go = "goes" if with_them == 1 else "go"
    them = "it" if chosen == 1 else "them"
    taken = f", and {with_them:,} that {go} with {them}" if with_them else ""
    yield (
        f"{chosen:,} of {counted(plan.recorded, 'conversation')} (subagents and empty"
        f" ones counted){taken}: {counted(plan.messages, 'message')} would be gone."
    )
    if parted:
        loses, its = ("loses", "its title") if parted == 1 else ("lose", "their titles")
        yield (
            f"{counted(parted, 'more conversation')} {loses} what is a copy, and {its}:"
            " what was begun anew there stays."
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
    yield "What this was read from stays as it is, and may hold more:"
    yield from _listed(list(files))
    yield (
        "This can't be taken back: quoth forget --undo restores nothing, it only lets"
        " a later sync read that again."
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
    one = report.conversations == 1
    stay, them, were = (
        ("It stays", "it", "it was") if one else ("They stay", "them", "they were")
    )
    yield f"{stay} out of every later sync and import. To let {them} in again:"
    yield f"  quoth forget --undo {report.entry}"
    if any(not leaving.source_gone for leaving in plan.conversations):
        yield f"What {were} read from still holds {them}."
    if report.remains:
        yield (
            "Another program is reading the archive: a file beside it holds some of it"
            " until that ends. Then quoth sync clears it away."
        )


def _as_table(rows: Sequence[tuple[str, ...]], terminal: Terminal) -> Iterator[str]:
    """Yield the rows as a table, or one under the other where that is too wide."""
    if table := columns([_HEAD, *rows], terminal.width):
        yield terminal.dim(table[0])
        yield from table[1:]
        return
    for entry, *values in rows:
        yield terminal.bold(entry)
        for name, value in zip(_HEAD[1:], values, strict=True):
            yield f"  {name} {value}"


def _how_to_lift(entries: Sequence[Forgotten]) -> Iterator[str]:
    by_rule = [_RULE in entry.asked for entry in entries]
    if not all(by_rule):
        yield "To let one in again: quoth forget --undo ENTRY"
    if any(by_rule):
        yield "What a rule keeps out is let in by changing the rule: quoth config list"


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


_HOW_TO_DO_IT = (
    "Nothing is forgotten yet. Without --dry-run, quoth asks first and then does it."
)
_RULE = "rule"
"""How an entry says that a `never_index` setting made it."""

_KINSHIP = {
    Kinship.SUBAGENT: "a subagent",
    Kinship.COPY: "holds the same messages (--only leaves it)",
}
