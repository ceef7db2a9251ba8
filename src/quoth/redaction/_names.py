"""What quoth may know of a person and must not pass on: who, on what, working on what.

Nothing is looked up here: the caller hands in what it read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import NamedTuple

from ._common_words import COMMON_WORDS

__all__ = ["SHORTEST_NAME", "Names", "included_settings", "learn_names"]

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
bot name username you anonymous unknown none noreply no-reply postmaster webmaster
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

_PERSONS_TOO = frozenset(_WORDS.split())
_GENERIC = (
    COMMON_WORDS
    | _PERSONS_TOO
    | frozenset(f"{_ACCOUNTS_AND_MACHINES} {_PARTS_OF_PROJECTS} {_MARKS}".split())
)
"""Names that tell nobody apart, and whose every occurrence would go from a text."""

_USER_KEYS = ("USER", "LOGNAME", "USERNAME", "SUDO_USER")
_HOST_KEYS = ("COMPUTERNAME", "HOSTNAME")
_PERSON_KEYS = ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME")
_EMAIL_KEYS = ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL", "EMAIL")
_NOREPLY = re.compile(r"[0-9]+\+(?=.*@users\.noreply\.)")
"""How GitHub numbers the address that hides another."""

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
    emails = (*_of(settings, "user", "email"), *_set(environ, _EMAIL_KEYS))
    users = (
        *_set(environ, _USER_KEYS),
        _last_part(home_dir),
        *(user for folder in folders for user in _users_in(folder)),
        *map(_account, emails),
    )
    hosts = (node, node.partition(".")[0], *_set(environ, _HOST_KEYS))
    return Names(
        users=_told_apart(users),
        hosts=_told_apart((*hosts, *(remote.host for remote in known))),
        people=_told_apart(
            (*_of(settings, "user", "name"), *_set(environ, _PERSON_KEYS))
        ),
        emails=_told_apart(emails),
        owners=_told_apart(
            (
                *_of(settings, "github", "user"),
                *_of(settings, "credential", "username"),
                *(owner for remote in known for owner in remote.owners),
            )
        ),
        repositories=_told_apart(name for remote in known for name in _named(remote)),
    )


def included_settings(git_config: str) -> list[str]:
    """Return the files that a `.gitconfig` includes, as it writes them."""
    settings = tuple(_git_settings(git_config))
    return [
        path
        for section in ("include", "includeif")
        for path in _of(settings, section, "path")
    ]


def _set(environ: Mapping[str, str], keys: Iterable[str]) -> list[str]:
    return [environ[key] for key in keys if key in environ]


def _account(email: str) -> str:
    """Return what stands before the `@`, without what only sorts the mail."""
    local = _NOREPLY.sub("", email, count=1).partition("@")[0]
    return local.partition("+")[0]


def _told_apart(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names that tell someone apart, each once in whatever case."""
    kept: dict[str, str] = {}
    for name in names:
        name = " ".join(name.split())
        if SHORTEST_NAME <= len(name) <= _LONGEST and not _is_everyones(name):
            kept.setdefault(name.casefold(), name)
    return tuple(kept.values())


def _is_everyones(name: str) -> bool:
    """Whether a name is a number, a common word, or several that are no first names."""
    words = name.casefold().split()
    if len(words) == 1:
        return words[0] in _GENERIC or name.isdecimal()
    return all(word in _GENERIC and word not in _PERSONS_TOO for word in words)


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


def _named(remote: _Remote) -> Iterator[str]:
    """Yield a repository's name, and with its owners' where one of both is a word.

    A common word is no name, but what stands beside one that is belongs to it.
    """
    yield remote.repository
    parts = (*remote.owners, remote.repository)
    if 0 < len(_told_apart(parts)) < len({part.casefold() for part in parts}):
        yield "/".join(parts)


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
