"""`quoth demo`: try it on invented histories, before trusting it with one's own."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from quoth.model import Mode

from ._last_page import remember
from ._options import as_json_option, epilog, whole_text
from ._runtime import Runtime

if TYPE_CHECKING:
    from pathlib import Path

    from quoth.model import Page, SyncReport

__all__ = ["command"]


@click.command(
    "demo",
    short_help="Try quoth on invented histories.",
    epilog=epilog("quoth demo", 'quoth demo "were buyers ever billed double?"'),
)
@click.argument("question", nargs=-1, metavar="[QUESTION...]")
@as_json_option
@click.pass_obj
def command(runtime: Runtime, question: tuple[str, ...], *, as_json: bool) -> None:
    """Search invented histories by meaning.

    They get an archive of their own, beside yours: nothing of them is ever in your
    answers.
    """
    from quoth.demo import QUESTIONS, open_demo

    home = runtime.settings().home / "demo"
    asked = whole_text(" ".join(question)).strip() or QUESTIONS[1].question
    with open_demo(home) as archive:
        report = archive.sync()
        page = archive.search(asked, mode=Mode.MEANING, limit=3)
    if as_json:
        from ._json import document, page_json

        click.echo(document(page_json(page)))
        return
    _print(runtime, home, report, page)
    remember(home, page.hits, first=1)


def _print(runtime: Runtime, home: Path, report: SyncReport, page: Page) -> None:
    from quoth.demo import another_question

    from ._clean import clean_for_terminal
    from ._layout import one_line
    from ._page_text import page_text

    terminal = runtime.output()
    if report.messages_new:
        click.echo(
            f"Made an archive of {report.conversations_new} invented conversations"
            f" in {report.took_s:.1f} s: {report.messages_new} messages,"
            f" {report.embedded} texts embedded, nothing fetched.\n"
        )
    asked = one_line(page.question)
    click.echo(f"{terminal.bold('Question, by meaning:')} {asked}\n")
    text = page_text(page, first=1, now=runtime.now(), terminal=terminal)
    click.echo(text, color=terminal.colour)
    program = runtime.program()
    first_hit = f"QUOTH_HOME={shlex.quote(str(home))} {program} show 1 --around 2"
    for explained, typed in (
        ("Ask the demo something else:", f'{program} demo "{another_question(asked)}"'),
        *([("Read the first hit:", first_hit)] if page.hits else []),
        ("Read your own histories:", f"{program} sync"),
        (
            "And find something in them:",
            f'{program} "what did we decide about caching"',
        ),
    ):
        safe = clean_for_terminal(typed, keep_newlines=False)
        click.echo(f"\n{explained}\n  {terminal.bold(safe)}", nl=False)
    click.echo()
