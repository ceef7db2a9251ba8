"""`quoth forget`: take conversations out of the archive, and keep them out."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quoth.errors import UsageError
from quoth.model import ForgetPlan, Selection

from ._exits import FAILED
from ._last_page import recalled
from ._options import (
    as_json_option,
    at_least,
    day_or_moment,
    epilog,
    reference_from,
    refuse_an_empty_range,
    whole_text,
)
from ._runtime import Runtime

if TYPE_CHECKING:
    from quoth.archive import Archive

__all__ = ["command"]

_MOST_PHRASE = 10_000
"""Bytes."""


@click.command(
    "forget",
    short_help="Take conversations out, and keep them out.",
    epilog=epilog(
        "quoth forget 3 --dry-run",
        "quoth forget claude_code:8e25f7b1 --only --dry-run",
        "quoth forget --repo harbor --until 26w --dry-run",
        "quoth forget --source codex --since 7d --yes",
        "quoth forget --matching 'vesting schedule' --dry-run",
        "quoth forget --list",
    ),
)
@click.argument("what", metavar="[KEY|N]...", nargs=-1)
@click.option(
    "--repo",
    metavar="NAME",
    help="All about this repository or folder: all of its path, or one part of it.",
)
@click.option("--source", metavar="NAME", help="All had with this assistant.")
@click.option(
    "--since",
    type=day_or_moment(end=False),
    metavar="WHEN",
    help="With something said on this day or after it: 2026-05-01, 7d, yesterday.",
)
@click.option(
    "--until",
    type=day_or_moment(end=True),
    metavar="WHEN",
    help="With something said up to and with this day.",
)
@click.option(
    "--matching",
    metavar="PHRASE",
    help="With this phrase anywhere in them, also in what tools were given and gave "
    "back, in any case. What is typed here stays in your shell's history: with - the "
    "phrase is read from standard input.",
)
@click.option(
    "--only",
    is_flag=True,
    help="Leave resumed and forked copies of them. Subagents go in any case.",
)
@click.option("--dry-run", is_flag=True, help="Say what would go, and stop.")
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.option("--list", "lists", is_flag=True, help="Show what has been forgotten.")
@click.option(
    "--undo",
    type=at_least(1),
    metavar="ENTRY",
    help="Let in again what an entry of that list keeps out, by its number: --undo 2. "
    "Nothing is restored: the next sync reads what is still there.",
)
@as_json_option
@click.pass_obj
def command(
    runtime: Runtime,
    *,
    what: tuple[str, ...],
    repo: str | None,
    source: str | None,
    since: datetime | None,
    until: datetime | None,
    matching: str | None,
    only: bool,
    dry_run: bool,
    yes: bool,
    lists: bool,
    undo: int | None,
    as_json: bool,
) -> int:
    """Take whole conversations out of the archive, and keep them out of it.

    Each KEY is a conversation's, or the beginning of one where no other begins like it;
    N is the hit with that number on the last page that was printed in this terminal.
    Of several options, a conversation has to meet all.
    Its subagents go with it, and so do the resumed and forked copies that hold its
    messages.

    First it says what would go, and then it asks. Gone is gone: from the archive, its
    index and every other file that quoth keeps. A later sync, an import or a restored
    backup doesn't bring it back. The assistants' own files are not touched.
    """
    settings = runtime.settings()
    asked = (what, repo, source, since, until, matching, only, dry_run, yes)
    if lists or undo is not None:
        _refuse_a_choice(any(map(bool, asked)) or (lists and undo is not None))
        with runtime.open_archive(settings) as archive:
            _list_or_undo(archive, runtime, undo, as_json=as_json)
        return 0
    _refuse_what_is_empty(repo=repo, source=source, matching=matching)
    refuse_an_empty_range(since, until)
    if as_json and not (dry_run or yes):
        raise UsageError(
            "--json can't ask.", hint="Give --dry-run to look, or --yes to forget."
        )
    phrase = _phrase(matching, runtime)
    _refuse_what_is_empty(matching=phrase)
    selection = Selection(
        keys=tuple(_key(each, settings.home) for each in what),
        repo=whole_text(repo) if repo else None,
        source=source,
        since=since,
        until=until,
        phrase=phrase,
        family=not only,
    )
    with runtime.open_archive(settings) as archive:
        plan = archive.plan_forget(selection)
        return _carry_out(
            archive, plan, runtime, dry_run=dry_run, yes=yes, as_json=as_json
        )


def _carry_out(
    archive: Archive,
    plan: ForgetPlan,
    runtime: Runtime,
    *,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Show the plan, ask, forget, and return the exit status."""
    from ._forget_text import plan_text, report_text

    terminal = runtime.output()
    if not as_json:
        text = plan_text(plan, dry_run=dry_run, terminal=terminal)
        click.echo(text, color=terminal.colour)
    report = None
    if plan.conversations and not dry_run:
        if not (yes or _agreed(plan, runtime)):
            click.echo("quoth: Nothing was forgotten.", err=True)
            return FAILED
        report = archive.forget(plan)
    if as_json:
        from ._json import document, forget_json

        click.echo(document(forget_json(plan=plan, report=report)))
    elif report is not None:
        click.echo(f"\n{report_text(report, plan, terminal=terminal)}")
    return 0


def _agreed(plan: ForgetPlan, runtime: Runtime) -> bool:
    from ._forget_text import question

    if not runtime.can_ask():
        raise UsageError(
            "Nothing was forgotten: there is no terminal to ask on.",
            hint="Give --yes to forget without being asked.",
        )
    try:
        return click.confirm(question(plan), err=True)
    except click.Abort:
        # On a line of its own, not behind the question.
        click.echo("\nquoth: Nothing was forgotten.", err=True)
        raise


def _list_or_undo(
    archive: Archive, runtime: Runtime, undo: int | None, *, as_json: bool
) -> None:
    from ._forget_text import forgotten_text, undone_text
    from ._json import document, forget_json

    terminal = runtime.output()
    if undo is None:
        entries = archive.forgotten()
        text = forgotten_text(entries, terminal=terminal)
        found = forget_json(entries=entries)
    else:
        undone = archive.undo_forget(undo)
        text = undone_text(undone, terminal=terminal)
        found = forget_json(undone=undone)
    click.echo(document(found) if as_json else text, color=terminal.colour)


def _refuse_a_choice(given: bool) -> None:
    if given:
        raise UsageError(
            "--list and --undo go with nothing else.", hint="Give one of them alone."
        )


def _refuse_what_is_empty(**values: str | None) -> None:
    """Raise for an option without a value: left out, it would choose far more."""
    for name, value in values.items():
        if value is not None and not value.strip():
            raise UsageError(
                f"--{name} is empty.", hint="Give it a value, or leave it off."
            )


def _key(what: str, home: Path) -> str:
    if what.isascii() and what.isdecimal():
        return recalled(home, int(what))[0]
    reference = reference_from(what)
    if reference.seq is not None:
        raise UsageError(
            "A conversation is forgotten whole, never one message of it.",
            hint=f"Leave off #{reference.seq}.",
        )
    return reference.key


def _phrase(given: str | None, runtime: Runtime) -> str | None:
    """Return the phrase, which - stands for when it is not to be in a history file."""
    if given != "-":
        return None if given is None else whole_text(given)
    if runtime.can_ask():
        return _typed_phrase()
    content: bytes = sys.stdin.buffer.read(_MOST_PHRASE + 1)
    if len(content) > _MOST_PHRASE:
        raise UsageError("The phrase is longer than 10 kB.")
    return content.decode("utf-8", "replace").strip()


def _typed_phrase() -> str:
    try:
        typed: str = click.prompt("Phrase", err=True)
    except click.Abort:
        # What follows begins a line of its own.
        click.echo(err=True)
        raise
    return typed
