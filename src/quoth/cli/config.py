"""`quoth config`: see the settings, and change them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from quoth.config import (
    CONFIG_FILE,
    NEVER_INDEX,
    SETTINGS,
    Chosen,
    Origin,
    Setting,
    Value,
    chosen_settings,
    home_of,
    set_setting,
    setting_named,
    unset_setting,
)
from quoth.errors import ArchiveError

from ._clean import clean_for_terminal
from ._complaints import complain
from ._options import as_json_option, epilog
from ._runtime import Runtime

__all__ = ["command"]


def _described(setting: Setting) -> str:
    takes = setting.kind.written if setting.kind else f"from ${setting.variable}"
    return f"{setting.name} ({takes})\n  {setting.meaning}"


_TABLE = "\n".join(map(_described, SETTINGS))
_REDACTS_FOR_GOOD = (
    "The next quoth sync lets it go through what is recorded, too, and what it replaces"
    " there stays replaced."
)
_COMES_IN_AGAIN = (
    "The next quoth sync reads what it kept out, where that is still there."
)


@click.group(
    "config",
    short_help="See the settings, and change them.",
    help=f"See the settings, and change them.\n\n\b\n{_TABLE}",
    epilog=epilog("quoth config list", "quoth config set sync_before_search false"),
    invoke_without_command=True,
)
@click.pass_context
def command(ctx: click.Context) -> None:
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@command.command(
    "list",
    short_help="Show every setting.",
    epilog=epilog("quoth config list"),
)
@as_json_option
@click.pass_obj
def list_all(runtime: Runtime, *, as_json: bool) -> None:
    """Show every setting, its default, and where its value comes from."""
    file, settings = _file(runtime), _settings(runtime)
    if as_json:
        from ._json import document, settings_json

        click.echo(document(settings_json(file, settings)))
        return
    from ._config_text import settings_text

    terminal = runtime.output()
    text = settings_text(file, settings, terminal=terminal)
    click.echo(text, color=terminal.colour)


@command.command(
    "get",
    short_help="Print the value of one setting.",
    epilog=epilog("quoth config get sync_before_search"),
)
@click.argument("key")
@as_json_option
@click.pass_obj
def get(runtime: Runtime, *, key: str, as_json: bool) -> None:
    """Print the value of the setting KEY: each item of a list on a line."""
    setting = setting_named(key, sources=_sources())
    found = (each for each in _settings(runtime) if each.setting == setting)
    chosen = next(found, _unset(setting))
    if as_json:
        from ._json import document, setting_json

        click.echo(document(setting_json(chosen)))
        return
    from ._config_text import value_lines

    for line in value_lines(chosen.value):
        click.echo(line)


@command.command(
    "set",
    short_help="Change a setting.",
    epilog=epilog(
        "quoth config set sync_before_search false",
        "quoth config set paths.codex ~/backup/codex /mnt/old/codex",
        "quoth config set never_index.paths '~/work/law*' '*/private/*'",
        "quoth config set redact.acme_key 'ACME-[A-Z0-9]{20,40}'",
    ),
)
@click.argument("key")
@click.argument("values", nargs=-1, required=True, metavar="VALUE...")
@click.pass_obj
def set_one(runtime: Runtime, *, key: str, values: tuple[str, ...]) -> None:
    """Write the setting KEY into the file, in place of what it was.

    Comments and all else in the file stay as they are. Several values are a list.
    """
    setting = setting_named(key, sources=_sources())
    value = set_setting(_home(runtime), setting, values, home_dir=runtime.home_dir)
    click.echo(f"{setting.name} is set in {_shown(_file(runtime))}.")
    for place in _missing(value):
        complain(f"There is nothing at {place} yet.")
    if setting in NEVER_INDEX:
        _warn_of_what_goes(runtime, setting.name)
    if setting.name.startswith("redact."):
        _say(_REDACTS_FOR_GOOD, runtime)


@command.command(
    "unset",
    short_help="Give a setting its default again.",
    epilog=epilog("quoth config unset paths.codex"),
)
@click.argument("key")
@click.pass_obj
def unset(runtime: Runtime, *, key: str) -> None:
    """Take the setting KEY out of the file, so that its default holds again."""
    if unset_setting(_home(runtime), key):
        click.echo(f"{_shown(key)} is no longer in {_shown(_file(runtime))}.")
        if key in {each.name for each in NEVER_INDEX}:
            _say(_COMES_IN_AGAIN, runtime)
        return
    setting = setting_named(key, sources=_sources())
    click.echo(f"{setting.name} was not in {_shown(_file(runtime))}.")


@command.command(
    "path",
    short_help="Print where the file of settings is.",
    epilog=epilog("quoth config path"),
)
@click.pass_obj
def path(runtime: Runtime) -> None:
    """Print where the file of settings is, or would be."""
    click.echo(_shown(_file(runtime)))


def _say(sentence: str, runtime: Runtime) -> None:
    from ._layout import folded

    for line in folded(sentence, runtime.output().width):
        click.echo(line)


def _home(runtime: Runtime) -> Path:
    return home_of(runtime.environ, home_dir=runtime.home_dir)


def _file(runtime: Runtime) -> Path:
    return _home(runtime) / CONFIG_FILE


def _settings(runtime: Runtime) -> tuple[Chosen, ...]:
    return chosen_settings(
        runtime.environ, home_dir=runtime.home_dir, sources=_sources()
    )


def _sources() -> Sequence[str]:
    # Imported here: help must not load the archive.
    from quoth.archive import source_names

    return source_names()


def _warn_of_what_goes(runtime: Runtime, name: str) -> None:
    from ._layout import counted

    try:
        with runtime.open_archive(runtime.settings()) as archive:
            forbidden = archive.count_forbidden()
    except ArchiveError as error:
        complain(f"It can't be told how much of what is recorded will go: {error}")
        return
    if forbidden:
        complain(
            f"{counted(forbidden, 'recorded conversation')} will be forgotten at the"
            " next quoth sync, which can't be undone where the source is gone.",
            f"To keep what is recorded: quoth config unset {name}",
        )


def _unset(setting: Setting) -> Chosen:
    """Return a rule of the person's own that is written nowhere: it has no pattern."""
    value = setting.default or ""
    return Chosen(setting=setting, value=value, default=value, origin=Origin.DEFAULT)


def _missing(value: Value) -> list[Path]:
    places = value if isinstance(value, tuple) else ()
    return [place for place in places if isinstance(place, Path) and not place.exists()]


def _shown(text: Path | str) -> str:
    return clean_for_terminal(str(text), keep_newlines=False)
