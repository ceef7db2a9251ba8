"""`quoth doctor`: is all well, and if not, what to do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from quoth.config import Settings, home_of
from quoth.errors import SettingError
from quoth.model import Finding, Health, HealthState, Section

from ._exits import DONE, FAILED
from ._options import as_json_option, epilog
from ._runtime import Runtime

if TYPE_CHECKING:
    from quoth.archive import Archive

    from ._terminal import Terminal

__all__ = ["command", "commands_of"]

_LOOKING = "Looking at {} ..."


@click.command(
    "doctor",
    short_help="Say whether all is well, and what to do if not.",
    epilog=epilog("quoth doctor", "quoth doctor --repair"),
)
@click.option(
    "--repair", is_flag=True, help="Make everything that is derived anew, then look."
)
@click.option(
    "--deep", is_flag=True, help="Compare every message with its source, not some."
)
@click.option(
    "--prove",
    is_flag=True,
    help="Instead, run every command on an invented archive and show that nothing"
    " leaves.",
)
@click.option(
    "--dwell",
    type=click.FloatRange(min=0, max=600),
    metavar="SECONDS",
    help="With --prove: watch all of quoth, loaded, for that long.",
)
@as_json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    repair: bool,
    deep: bool,
    prove: bool,
    dwell: float | None,
    as_json: bool,
) -> int:
    """Look at the data folder, this Python, the sources and the archive.

    Nothing is changed without --repair, and that never removes what was said. The exit
    status is 1 when there is a problem, 0 when there is none. With --prove it is 0 only
    when nothing left and nothing was written elsewhere, and all of that was seen.
    """
    if prove and (repair or deep):
        raise click.UsageError("--prove looks at no archive of yours: use it alone.")
    if dwell is not None and not prove:
        raise click.UsageError("--dwell says how long --prove watches: add --prove.")
    runtime: Runtime = ctx.obj
    if prove:
        return _prove(ctx, runtime, dwell_s=dwell or 0.0, as_json=as_json)
    return _look(runtime, repair=repair, deep=deep, as_json=as_json)


def _prove(
    ctx: click.Context, runtime: Runtime, *, dwell_s: float, as_json: bool
) -> int:
    from quoth import health
    from quoth.demo import QUESTIONS, roots

    with _progress(runtime, "Running {} ...") as progress:
        proof = health.prove(
            commands=list(commands_of(ctx.find_root().command, ctx)),
            histories=roots(),
            question=QUESTIONS[0].question,
            dwell_s=dwell_s,
            progress=progress,
        )
    if as_json:
        from ._json import document
        from ._proof_json import proof_json

        click.echo(document(proof_json(proof)))
    else:
        from ._proof_text import proof_text

        terminal = runtime.output()
        click.echo(proof_text(proof, terminal=terminal), color=terminal.colour)
    return DONE if proof.proven else FAILED


def commands_of(
    command: click.Command, ctx: click.Context, above: Sequence[str] = ()
) -> Iterator[str]:
    """Yield the words that call each command which does something."""
    if not isinstance(command, click.Group):
        yield " ".join(above)
        return
    for name in command.list_commands(ctx):
        found = command.get_command(ctx, name)
        if found is not None:
            yield from commands_of(found, ctx, (*above, name))


def _look(runtime: Runtime, *, repair: bool, deep: bool, as_json: bool) -> int:
    from quoth import health

    opened, bad_setting = _opened(runtime)
    look = health.repair if repair else health.examine
    with opened as archive, _progress(runtime, _LOOKING) as progress:
        report = look(
            archive,
            home_named_by=_named_by(runtime),
            deep=deep,
            known_before=bad_setting,
            progress=progress,
        )
    _print(report, runtime, as_json=as_json)
    failed = report.count(HealthState.PROBLEM) or (
        report.repair is not None and report.repair.failed
    )
    return FAILED if failed else DONE


def _opened(runtime: Runtime) -> tuple[Archive, tuple[Finding, ...]]:
    """Return the archive, by the usual settings where those of the file are wrong."""
    try:
        return runtime.open_archive(runtime.settings()), ()
    except SettingError as error:  # of the file, or for a source that isn't there
        finding = Finding(
            section=Section.PLACES,
            check="settings",
            state=HealthState.PROBLEM,
            says=str(error),
            advice=error.hint,
        )
        home = home_of(runtime.environ, home_dir=runtime.home_dir)
        return runtime.open_archive(Settings(home=home)), (finding,)


def _named_by(runtime: Runtime) -> str:
    return "QUOTH_HOME" if runtime.environ.get("QUOTH_HOME") else "the default"


@contextmanager
def _progress(runtime: Runtime, saying: str) -> Iterator[Callable[[str], None]]:
    """Give what shows on one line what is looked at, where a line can be rewritten."""
    terminal = runtime.errors()
    if not terminal.live:
        yield lambda _: None
        return
    try:
        yield lambda about: _rewrite(saying.format(about), terminal)
    finally:
        _rewrite("", terminal)


def _rewrite(line: str, terminal: Terminal) -> None:
    from ._layout import shorten

    short = shorten(line, terminal.width - 1, ellipsis=terminal.ellipsis)
    sys.stderr.write(f"\r\x1b[K{short}")
    sys.stderr.flush()


def _print(report: Health, runtime: Runtime, *, as_json: bool) -> None:
    if as_json:
        from ._health_json import health_json
        from ._json import document

        click.echo(document(health_json(report)))
    else:
        from ._health_text import health_text

        terminal = runtime.output()
        click.echo(health_text(report, terminal=terminal), color=terminal.colour)
