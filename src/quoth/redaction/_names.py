"""What quoth may know of a person and must not pass on: who, on what, working on what.

Nothing is looked up here: the caller hands in what it read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple

__all__ = ["SHORTEST_NAME", "Names", "learn_names"]

SHORTEST_NAME = 3
"""Characters. Shorter ones are found by their place alone, as in a home folder."""

_LONGEST = 100

_ACCOUNTS_AND_MACHINES = """
root user users admin administrator guest default public shared test tester demo dev
developer devel build builder runner jenkins deploy ubuntu debian fedora centos alpine
arch linux windows macos mac darwin docker vagrant vscode codespace codespaces node
python postgres mysql redis nginx www www-data nobody daemon sudo ec2-user azureuser
raspberrypi home local localhost localdomain lan internal host hostname server client
desktop laptop macbook macbook-pro macbook-air imac mac-mini computer machine
workstation container sandbox worker agent claude codex copilot gemini assistant system
bot name username you anonymous unknown none
"""
_PARTS_OF_PROJECTS = """
git github gitlab bitbucket src lib bin app apps api web www site website main master
code project projects repo repos repository work workspace workspaces frontend backend
core common utils tools scripts docs doc documentation data notes notebook config
configs dotfiles examples example sample samples template templates tmp temp var etc opt
usr mnt media store service services package packages module modules plugin plugins
library model models search index design games game blog shop mobile ios android infra
terraform ansible monorepo org
"""
_MARKS = "redacted withheld budget redaction"
_WORDS = """
will may can mark art rob bill grant frank drew chase rose grace hope joy faith dawn eve
april june august sky ray jack max ace guy dick miles page case dean the and for not
"""
"""First names that are words of English, too."""

_GENERIC = frozenset(
    f"{_ACCOUNTS_AND_MACHINES} {_PARTS_OF_PROJECTS} {_MARKS} {_WORDS}".split()
)
"""Names that tell nobody apart, and whose every occurrence would go from a text."""

_USER_KEYS = ("USER", "LOGNAME", "USERNAME")
_HOMES = (
    re.compile(r"(?:\A|/)home/([^/\s]+)"),
    re.compile(r"(?:\A|/)Users/([^/]+)"),
    re.compile(r"\A[A-Za-z]:[\\/]+Users[\\/]+([^\\/]+)", re.IGNORECASE),
)
_DASHED_HOME = re.compile(r"(?:\A-|(?<=--))(?:home|Users)-([^-/\\\s]+)")
"""A project folder of Claude Code: a path whose separators became dashes."""

_REMOTE = re.compile(
    r"(?:[a-z][a-z0-9+.-]{1,15}://)?(?:[^@/\s]{1,256}@)?"
    r"(?P<host>[A-Za-z0-9.-]{1,255})(?::[0-9]{1,5}(?=/))?[:/]"
    r"(?P<path>[^\s:?#]{1,512})"
)
_ROOT_FOLDER = re.compile(r"(?:[A-Za-z]:)?[\\/]")
_PUBLIC_HOSTS = frozenset(
    {
        *("github.com", "www.github.com", "ssh.github.com", "gist.github.com"),
        *("gitlab.com", "altssh.gitlab.com", "bitbucket.org", "codeberg.org"),
        *("git.sr.ht", "gitee.com", "dev.azure.com", "ssh.dev.azure.com"),
        *("huggingface.co", "sourceforge.net"),
    }
)
_NOT_OWNERS = frozenset({"_git", "v3", "scm", "-"})

_SECTION = re.compile(r"\s*\[\s*([\w.-]+)(?:\s+\"((?:\\.|[^\"\\])*)\")?\s*\]")
_SETTING = re.compile(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """What was learned, as it was written; each field in order, none twice."""

    users: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    repositories: tuple[str, ...] = ()

    def __or__(self, other: Names) -> Names:
        """Return what either of the two knows."""
        return Names(
            **{
                field.name: _told_apart(
                    (*getattr(self, field.name), *getattr(other, field.name))
                )
                for field in fields(Names)
            }
        )


def learn_names(
    *,
    environ: Mapping[str, str],
    home_dir: str,
    node: str,
    git_config: str | None,
    folders: Iterable[str] = (),
    remotes: Iterable[str] = (),
) -> Names:
    """Return the names in what the caller read, without those that are everyone's.

    Args:
        home_dir: The person's home folder.
        node: What the machine calls itself, as `platform.node()` gives it.
        git_config: The text of a `.gitconfig`.
        folders: Folders that were worked in, or names of Claude Code's folders.
        remotes: Addresses of repositories as git writes them, or their root folders.
    """
    settings = tuple(_git_settings(git_config or ""))
    told = [_remote(each) for each in (*remotes, *_of(settings, "remote", "url"))]
    known = [remote for remote in told if remote is not None]
    users = (
        *(environ.get(key, "") for key in _USER_KEYS),
        _last_part(home_dir),
        *(user for folder in folders for user in _users_in(folder)),
    )
    return Names(
        users=_told_apart(users),
        hosts=_told_apart(
            (node, node.partition(".")[0], *(remote.host for remote in known))
        ),
        people=_told_apart(_of(settings, "user", "name")),
        emails=_told_apart(_of(settings, "user", "email")),
        owners=_told_apart(
            (
                *_of(settings, "github", "user"),
                *_of(settings, "credential", "username"),
                *(owner for remote in known for owner in remote.owners),
            )
        ),
        repositories=_told_apart(remote.repository for remote in known),
    )


def _told_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that tell someone apart, each once in whatever case."""
    kept: dict[str, str] = {}
    for name in names:
        name = " ".join(name.split())
        folded = name.casefold()
        if SHORTEST_NAME <= len(name) <= _LONGEST and folded not in _GENERIC:
            kept.setdefault(folded, name)
    return tuple(name for name in kept.values() if not name.isdecimal())


def _last_part(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]


def _users_in(folder: str) -> Iterator[str]:
    for pattern in (*_HOMES, _DASHED_HOME):
        if match := pattern.search(folder):
            yield match.group(1)


class _Remote(NamedTuple):
    """A remote's host (empty for one that is everyone's), owners and repository."""

    host: str
    owners: tuple[str, ...]
    repository: str


def _remote(address: str) -> _Remote | None:
    """Return what an address or a root folder tells, or None for anything else."""
    if _ROOT_FOLDER.match(address):
        return _Remote("", (), _last_part(address).removesuffix(".git"))
    match = _REMOTE.fullmatch(address.strip())
    if match is None or "." not in match["host"]:
        return None
    host = match["host"].lower()
    parts = [part.lstrip("~") for part in match["path"].strip("/").split("/")]
    parts = [part for part in parts if part and part not in _NOT_OWNERS]
    if len(parts) < 2:
        return None
    *owners, repository = parts
    return _Remote(
        "" if host in _PUBLIC_HOSTS else host,
        tuple(owners),
        repository.removesuffix(".git"),
    )


def _git_settings(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield section, name and value as git reads them, all of them in lower case.

    `configparser` refuses what git allows: indented names, and the same name twice.
    """
    section = ""
    for line in text.splitlines():
        if head := _SECTION.match(line):
            section = head.group(1).lower()
            line = line[head.end() :]
        if setting := _SETTING.fullmatch(line):
            yield section, setting.group(1).lower(), _git_value(setting.group(2))


def _git_value(written: str) -> str:
    """Return a value without its quotes and the comment behind it."""
    value, quoted = "", False
    for char in re.findall(r"\\.|.", written):
        if char == '"':
            quoted = not quoted
        elif char in "#;" and not quoted:
            break
        else:
            value += char[-1]
    return value.strip()


def _of(settings: Iterable[tuple[str, str, str]], section: str, name: str) -> list[str]:
    return [value for *place, value in settings if place == [section, name]]
