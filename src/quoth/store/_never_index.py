"""What a person never wants recorded: their rules, asked of what a source tells."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from quoth.model import NOTHING_KEPT_OUT, Conversation, Message, NeverIndex, Role

from ._scope import names_repo

__all__ = ["Forbidding", "forbids_path", "rules_number"]


def rules_number(rules: NeverIndex) -> int:
    """Return a number that differs between different rules; 0 for none."""
    if rules == NOTHING_KEPT_OUT:
        return 0
    told = "\0\0".join(
        "\0".join(sorted(some))
        for some in (rules.paths, rules.repositories, rules.markers)
    )
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:7], "big") + 1


def forbids_path(rules: NeverIndex, path: str | None) -> bool:
    """Say whether a file, or a folder with all in it, is never to be recorded."""
    return path is not None and any(
        fnmatchcase(path, glob) or fnmatchcase(f"{path}/", glob) for glob in rules.paths
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidding:
    """A person's rules, asked of what is read; `repo_of` as in `Policy`."""

    rules: NeverIndex = NOTHING_KEPT_OUT
    repo_of: Callable[[str], str | None] = lambda _: None

    def __bool__(self) -> bool:
        return self.rules != NOTHING_KEPT_OUT

    def conversation(self, told: Conversation) -> bool:
        """Say whether a conversation is not to be recorded for where it was held."""
        repo = told.repo or (told.cwd and self.repo_of(told.cwd))
        return self.place(repo, told.cwd)

    def place(self, repo: str | None, cwd: str | None) -> bool:
        """Say whether nothing said about a repository, in a folder, is recorded."""
        return forbids_path(self.rules, cwd) or any(
            names_repo(wanted, repo, cwd) for wanted in self.rules.repositories
        )

    def folder(self, cwd: str | None) -> bool:
        """Say whether nothing said in a folder is recorded."""
        return bool(cwd) and self.place(cwd and self.repo_of(cwd), cwd)

    def message(self, said: Message) -> bool:
        """Say whether a message marks its conversation as not to be recorded."""
        return self.folder(said.cwd) or (
            said.noise is None
            and said.role in (Role.USER, Role.ASSISTANT)
            and self.text(said.text)
        )

    def text(self, said: str) -> bool:
        """Say whether what a person or an assistant said holds a marker."""
        return any(marker in said for marker in self.rules.markers)
