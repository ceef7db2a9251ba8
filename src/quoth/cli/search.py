"""`quoth search`: find what was said."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

import click

from quoth.errors import ArchiveBusyError, ArchiveInaccessibleError
from quoth.model import Filters, Include, Mode, Page, Role, SearchUnit

from ._complaints import complain
from ._last_page import remember
from ._leaving import print_answer
from ._options import (
    as_json_option,
    at_least,
    choice_of,
    day_or_moment,
    epilog,
    redact_option,
    refuse_an_empty_range,
    whole_text,
)
from ._runtime import Runtime
from ._terminal import Terminal

if TYPE_CHECKING:
    from quoth.archive import Archive

__all__ = ["command"]


@click.command(
    "search",
    short_help="Find what was said.",
    epilog=epilog(
        'quoth search "vesting schedule" --since 3w',
        "quoth search -- --error-on-warnings",
    ),
)
@click.argument("question", nargs=-1, metavar="QUESTION...")
@click.option(
    "-n",
    "--limit",
    type=at_least(1),
    metavar="N",
    default=10,
    show_default=True,
    help="Show at most this many hits.",
)
@click.option(
    "--offset",
    type=at_least(0),
    metavar="N",
    default=0,
    help="Leave out this many hits first: the next page.",
)
@click.option(
    "--unit",
    type=choice_of(SearchUnit),
    default=SearchUnit.CONVERSATION.value,
    show_default=True,
    help="What a hit is: a conversation, or each message.",
)
@click.option(
    "--mode",
    type=choice_of(Mode),
    default=Mode.BOTH.value,
    show_default=True,
    help="Find by the words, by the meaning, or by both.",
)
@click.option(
    "--source",
    metavar="NAME",
    help="Only from this assistant: one that `quoth sources` lists.",
)
@click.option(
    "--repo",
    metavar="NAME",
    help="Only from this repository or folder: all of its path, or one part of it.",
)
@click.option("--role", type=choice_of(Role), help="Only what this side wrote.")
@click.option(
    "--since",
    type=day_or_moment(end=False),
    metavar="WHEN",
    help="From this day or moment on: 2026-05-01, 7d, 3w, yesterday.",
)
@click.option(
    "--until",
    type=day_or_moment(end=True),
    metavar="WHEN",
    help="Up to and with this day, or up to this moment: 2026-05-01T14:00.",
)
@click.option("--within", metavar="KEY", help="Only in this conversation.")
@click.option(
    "--exclude",
    metavar="KEY",
    multiple=True,
    help="Not in this conversation. It may be given more than once.",
)
@click.option(
    "--not",
    "without",
    metavar="WORD",
    multiple=True,
    help="Nothing that holds this word or phrase. It may be given more than once.",
)
@click.option(
    "--any-time",
    is_flag=True,
    help='Take what the question says of time, as in "last week", for plain words.',
)
@click.option(
    "--include",
    type=choice_of(Include),
    multiple=True,
    help="superseded: search what was rewritten, rewound or dropped too. echoes: what "
    "an assistant asked a memory for, and its answers. subagents: list them on their "
    "own; they are searched anyway. It may be given more than once.",
)
@click.option(
    "--explain", is_flag=True, help="Say of each hit what its score is the sum of."
)
@redact_option
@click.option("--no-sync", is_flag=True, help="Don't look for new messages first.")
@as_json_option
@click.pass_obj
def command(
    runtime: Runtime,
    *,
    question: tuple[str, ...],
    limit: int,
    offset: int,
    unit: str,
    mode: str,
    source: str | None,
    repo: str | None,
    role: str | None,
    since: datetime | None,
    until: datetime | None,
    within: str | None,
    exclude: tuple[str, ...],
    without: tuple[str, ...],
    any_time: bool,
    explain: bool,
    include: tuple[str, ...],
    redacted: bool,
    no_sync: bool,
    as_json: bool,
) -> None:
    """Find what was said, by words and by meaning.

    Any of the words may match. Put "double quotes" around a phrase that has to be there
    as it stands. A question of several words works without `search` too.
    """
    text = _question_of(question)
    filters = Filters(
        within=within,
        exclude=exclude,
        source=source,
        repo=whole_text(repo) if repo else None,
        role=Role(role) if role else None,
        since=since,
        until=until,
        without=tuple(map(whole_text, without)),
        include=frozenset(map(Include, include)),
    )
    refuse_an_empty_range(since, until)
    settings = runtime.settings()
    with runtime.open_archive(settings) as archive:
        if settings.sync_before_search and not no_sync:
            _refresh(archive)
        page = archive.search(
            text,
            mode=Mode(mode),
            unit=SearchUnit(unit),
            limit=limit,
            offset=offset,
            filters=filters,
            read_dates=not any_time,
            asked_at=runtime.now().astimezone(),
            explain=explain,
        )
        print_answer(
            archive,
            page,
            partial(_rendered, now=runtime.now(), first=offset + 1),
            redacted=redacted,
            terminal=None if as_json else runtime.output(),
        )
    if not as_json:
        remember(settings.home, page.hits, first=offset + 1)


_REFRESH_S = 0.3


def _refresh(archive: Archive) -> None:
    """Read a bit of what is new; where the archive can't be written, say so.

    What is recorded answers all the same: a full disk must not hide it.
    """
    try:
        archive.refresh(budget_s=_REFRESH_S)
    except (ArchiveInaccessibleError, ArchiveBusyError) as error:
        complain(f"New messages were not looked for: {error}")


def _question_of(words: tuple[str, ...]) -> str:
    question = whole_text(" ".join(words))
    if not question.strip():
        raise click.UsageError("There is no question to search for.")
    return question


def _rendered(
    page: Page,
    redacted: Mapping[str, int] | None,
    terminal: Terminal | None,
    *,
    now: datetime,
    first: int,
) -> str:
    if terminal is None:
        from ._json import document, page_json

        return document(page_json(page, redacted=redacted))
    from ._page_text import page_text

    return page_text(page, first=first, now=now, terminal=terminal)
