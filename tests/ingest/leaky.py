"""A history with a key of its own in every field, and an archive that let them in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from random import Random
from string import ascii_lowercase

from tests.builders import SESSION, an_archive, claude_file, later, put
from tests.redaction.secrets_made_here import ALNUM
from tests.sources import claude_records as claude

from quoth import Archive
from quoth.ingest import nearest_repository, sync
from quoth.passages import is_worth_embedding
from quoth.redaction import Redactor
from quoth.redaction._patterns import rules_from
from quoth.store import ArchiveWriter, Policy

__all__ = [
    "KNOWN_KEYS",
    "MARK",
    "NOTHING",
    "OWN",
    "OWN_KEYS",
    "PLACES",
    "RESUMED",
    "a_leaky_history",
    "a_leaky_session",
    "every_byte",
    "leaked",
    "stored_without_rules",
]

RESUMED = "00000000-0000-4000-8000-0000000000bb"

NOTHING = Redactor(lambda: rules_from({"none": "no such words here"}), stamp="0")
"""Rules that find nothing, as if the archive were older than all of them."""

OWN = {"harbour_key": "hbrkey[a-z]{24}"}
"""A person's own pattern: only with it do the rules know these keys."""

MARK = "[REDACTED:harbour_key]"

PLACES = (
    "prompt",
    "answer",
    "thought",
    "title",
    "command",
    "tool",
    "result",
    "path",
    "folder",
    "branch",
    "model",
    "tier",
    "reminder",
    "rewritten",
    "waiting",
    "kind",
)
"""Where a key stands in the history."""


def _drawn(place: str, alphabet: str, length: int) -> str:
    return "".join(Random(place).choices(alphabet, k=length))  # noqa: S311 - no secret


OWN_KEYS: Mapping[str, str] = {
    place: "hbrkey" + _drawn(place, ascii_lowercase, 24) for place in PLACES
}
"""Keys that only `OWN` knows, by where they stand."""

KNOWN_KEYS: Mapping[str, str] = {
    place: "ghp_" + _drawn(place, ALNUM, 36) for place in PLACES
}
"""Keys that quoth's own rules know."""


def a_leaky_history(folder: Path, keys: Mapping[str, str] = OWN_KEYS) -> None:
    """Write a session with a key everywhere, and one that resumes it."""
    put(claude_file(folder), a_leaky_session(keys))
    resumed = claude.said("b1", "And where were we going?", sessionId=RESUMED)
    put(
        claude_file(folder, RESUMED),
        a_leaky_session(keys, session=RESUMED) + claude.lines(resumed),
    )


def a_leaky_session(
    keys: Mapping[str, str] = OWN_KEYS, *, session: str = SESSION
) -> bytes:
    own = {
        "sessionId": session,
        "gitBranch": f"fix-{keys['branch']}",
        "cwd": f"/home/dev/{keys['folder']}/harbour",
    }
    usage = {"input_tokens": 3, "output_tokens": 4, "service_tier": keys["tier"]}
    return claude.lines(
        claude.said("m1", f"The harbour has {keys['prompt']} today, keep it.", **own),
        claude.answered(
            "m2",
            {"type": "thinking", "thinking": f"So {keys['thought']} it is."},
            f"I noted {keys['answer']} for the harbour master.",
            model=f"claude-{keys['model']}",
            usage=usage,
            **own,
        ),
        claude.answered(
            "m3",
            claude.tool_use("Bash", command=f"login --with {keys['command']}"),
            **own,
        ),
        claude.returned("m4", f"logged in as {keys['result']}", **own),
        claude.answered(
            "m5",
            claude.tool_use(f"use_{keys['tool']}", what="the harbour"),
            claude.tool_use("Write", file_path=f"/home/dev/{keys['path']}/a.txt"),
            **own,
        ),
        claude.said(
            "m6",
            f"<system-reminder>{keys['reminder']}</system-reminder>",
            isMeta=True,
            **own,
        ),
        claude.said("m7", f"An older version with {keys['rewritten']}.", **own),
        claude.said("m7", "A newer version of that without it.", **own),
        {
            "type": "ai-title",
            "aiTitle": f"The harbour's {keys['title']}",
            "sessionId": session,
        },
        {"type": f"odd-{keys['kind']}", "sessionId": session},
        {
            "type": "queue-operation",
            "operation": "enqueue",
            "content": f"And then {keys['waiting']}",
            "sessionId": session,
        },
    )


def stored_without_rules(folder: Path) -> Archive:
    """Return the archive of *folder* as a quoth that has no rules has synced it."""
    archive = an_archive(folder)
    policy = Policy(embeddable=is_worth_embedding, repo_of=nearest_repository)
    with ArchiveWriter(archive.home, policy=policy) as writer:
        sync(
            writer,
            archive.installed.sources,
            archive.roots,
            embedders=[archive.embedder],
            clock=later,
            redactor=NOTHING,
        )
    return archive


def leaked(data: bytes | str, keys: Mapping[str, str] = OWN_KEYS) -> set[str]:
    """Return where the keys stood that *data* holds, whole or as a word index does.

    An index has words in lower case, without the letters they share with others.
    """
    seen = (data.encode() if isinstance(data, str) else data).lower()
    return {place for place, key in keys.items() if key[10:].lower().encode() in seen}


def every_byte(home: Path) -> bytes:
    """Return all that is in the files of a data folder."""
    return b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file())
