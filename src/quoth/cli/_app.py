"""The program: finds the command, and turns what goes wrong into output and status."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, TextIO

import click

from quoth.errors import QuothError, UsageError
from quoth.seal import seal

from . import _exits as exits
from ._complaints import complain, print_bug
from ._runtime import Runtime, the_runtime

__all__ = ["app", "main"]

_MODULES: Mapping[str, str] = {
    "search": "quoth.cli.search",
    "show": "quoth.cli.show",
    "sync": "quoth.cli.sync",
    "import": "quoth.cli.importing",
    "embed": "quoth.cli.embed",
    "models": "quoth.cli.models",
    "sources": "quoth.cli.sources",
    "status": "quoth.cli.status",
    "verify": "quoth.cli.verify",
    "redact": "quoth.cli.redact",
    "forget": "quoth.cli.forget",
    "doctor": "quoth.cli.doctor",
    "config": "quoth.cli.config",
    "demo": "quoth.cli.demo",
}
"""Each command's module, imported only when the command is used or described."""

_ASKING = frozenset({"search", "sync", "import", "embed", "models", "doctor"})
"""What may ask a server of models, besides a bare question."""

_SEARCHING = frozenset({"quoth", "search", "demo"})
"""What takes a question: there, what begins with a dash may be a word of it."""


class App(click.Group):
    """The group of all commands, loaded one by one."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click asks
        return list(_MODULES)

    def get_command(
        self,
        ctx: click.Context,  # noqa: ARG002 - click asks
        cmd_name: str,
    ) -> click.Command | None:
        if cmd_name not in _MODULES:
            return None
        command: click.Command = import_module(_MODULES[cmd_name]).command
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take one argument of several words for a question."""
        given = args[1:] if args[:1] == ["--"] else args
        if len(given) == 1 and any(map(str.isspace, given[0])):
            args = ["search", "--", given[0]]
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in _MODULES and not ctx.resilient_parsing:
            raise _unknown_command(args)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Caught before click sees it: it would report an error of its own.
            _forget_stdout()
            return exits.READER_LEFT

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run one command and exit with its status."""
        _let_any_text_through(sys.stdout, sys.stderr)
        sys.exit(self._status_of_run(*args, **{**extra, "standalone_mode": False}))

    def _status_of_run(self, *args: Any, **extra: Any) -> int:
        try:
            return super().main(*args, **extra) or exits.DONE
        except click.ClickException as error:
            complain(*_sentences(error))
            return error.exit_code
        except QuothError as error:
            complain(str(error), error.hint)
            wrong_usage = isinstance(error, UsageError)
            return exits.WRONG_USAGE if wrong_usage else exits.FAILED
        except (click.Abort, KeyboardInterrupt):
            complain("Interrupted.")
            return exits.INTERRUPTED
        except OSError as error:
            if not _is_of_output(error):
                raise
            _forget_stdout()
            why = (error.strerror or type(error).__name__).lower()
            complain(f"The output can't be written: {why}.")
            return exits.FAILED


@click.group(
    "quoth",
    cls=App,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog='\b\nFor example:\n  quoth sync\n  quoth "vesting schedule"\n  quoth show 1',
)
@click.version_option(package_name="quoth", message="quoth %(version)s")
@click.pass_context
def app(ctx: click.Context) -> None:
    """Find, quote and recall what you and your AI assistants have said.

    Everything stays on this machine. One argument of several words is searched for:
    quoth "several words" is quoth search "several words".
    """
    ctx.obj = ctx.obj or the_runtime()
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the command line of this process."""
    # Read when numpy is imported: its threads cost more to start than they save here.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.excepthook = print_bug
    runtime = _connected(sys.argv[1:])
    # What a proof starts has to be able to connect, and children inherit the filter.
    seal(in_kernel=not _proves(sys.argv[1:]))
    app.main(prog_name="quoth", obj=runtime)


def _proves(arguments: list[str]) -> bool:
    """Say whether this process watches others that try to connect."""
    return arguments[:1] == ["doctor"] and "--prove" in arguments[1:]


def _connected(arguments: list[str]) -> Runtime | None:
    """Fork what asks a server, if this command may, before this process is sealed.

    What is wrong with the settings is said later, where it is said for all commands.
    """
    command = arguments[0] if arguments else ""
    if command not in _ASKING and not any(map(str.isspace, command)):
        return None
    try:
        runtime = the_runtime()
        kind = runtime.settings().embedding.kind
    except QuothError:
        return None
    if command != "models" and not kind.is_server:
        return runtime
    from quoth.seal.processes import ModelProcesses

    return runtime.connecting(ModelProcesses.start().connect)


def _unknown_command(args: list[str]) -> UsageError:
    from difflib import get_close_matches
    from shlex import join

    close = get_close_matches(args[0], _MODULES, n=1)
    meant = f"Did you mean quoth {close[0]}? To" if close else "To"
    return UsageError(
        f"There is no command {args[0]!r}.",
        hint=f"{meant} search for it:\n  quoth search {join(args)}\n"
        "All commands: quoth --help",
    )


def _sentences(error: click.ClickException) -> tuple[str, str | None]:
    message = error.format_message()
    message = message if message.endswith((".", "?", ")")) else f"{message}."
    context = error.ctx if isinstance(error, click.UsageError) else None
    if context is None:
        return message, None
    hint = f"{context.get_usage()}\nHelp: {context.command_path} --help"
    if isinstance(error, click.NoSuchOption) and context.command.name in _SEARCHING:
        hint += "\nTo search for a word that begins with a dash, put -- before it."
    return message, hint


def _let_any_text_through(*streams: TextIO) -> None:
    """Make a character that a stream's encoding lacks an escape, not a crash."""
    for stream in streams:
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def _is_of_output(error: OSError) -> bool:
    """Say whether printing failed: everything is printed by click's `echo`."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return False
    return traceback.tb_frame.f_code is click.echo.__code__


def _forget_stdout() -> None:
    """Point stdout nowhere, so that the last flush at exit has nothing to fail at."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
