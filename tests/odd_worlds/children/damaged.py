"""Use archives whose database was damaged at random, in every way there is.

Usage: damaged.py FOLDER TIMES SEED. Prints how often it answered and how often it was
refused, and what else came of it. A process of its own: SQLite could crash it.
"""

import json
import os
import random
import sys
from collections import Counter
from functools import partial
from pathlib import Path

from tests.builders import USES, an_archive, archive_in, synced

from quoth.errors import QuothError
from quoth.store import DATABASE

PAGE = 4096


def cut_short(content: bytearray, chance: random.Random) -> None:
    del content[chance.randrange(len(content)) :]


def flipped(content: bytearray, chance: random.Random) -> None:
    for _ in range(20):
        content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)


def zeroed(content: bytearray, chance: random.Random) -> None:
    at = PAGE * chance.randrange(len(content) // PAGE)
    content[at : at + PAGE] = bytes(PAGE)


def overwritten(content: bytearray, chance: random.Random) -> None:
    at = PAGE * chance.randrange(len(content) // PAGE)
    content[at : at + PAGE] = chance.randbytes(PAGE)


def with_another_head(content: bytearray, chance: random.Random) -> None:
    content[16:100] = chance.randbytes(84)


def with_a_broken_schema(content: bytearray, chance: random.Random) -> None:
    """Where SQLite quotes the schema in what it says, and that is no text."""
    at = content.index(b"CREATE TABLE", chance.randrange(PAGE))
    content[at : at + 12] = b"CREATE \xd8\xcf\xff\xfe\xc0"


WAYS = (
    cut_short,
    flipped,
    zeroed,
    overwritten,
    with_another_head,
    with_a_broken_schema,
)


def used(folder: Path, use: str) -> str:
    """Return how using the archive ends: a bug is told by its kind alone."""
    with an_archive(folder) as archive:
        try:
            (archive.sources if use == "sources" else partial(USES[use], archive))()
        except QuothError as exc:
            return "refused" if str(exc) and exc.code else "unexplained"
        except Exception as exc:  # the claim is that there is none
            return f"{use}: {type(exc).__name__}"
    return "answered"


def damaged_often(folder: Path, times: int, seed: int) -> Counter[str]:
    synced(folder).close()
    home = archive_in(folder)
    whole = (home / DATABASE).read_bytes()
    chance = random.Random(seed)  # noqa: S311 - places, no secrets
    outcomes: Counter[str] = Counter()
    for number in range(times):
        content = bytearray(whole)
        WAYS[number % len(WAYS)](content, chance)
        for left in home.glob(f"{DATABASE}*"):
            left.unlink()
        (home / DATABASE).write_bytes(content)
        for use in ("search", "show", "status", "verify", "sources", "sync"):
            outcomes[used(folder, use)] += 1
    return outcomes


if __name__ == "__main__":
    _, folder, times, seed = sys.argv
    outcomes = damaged_often(Path(folder), int(times), int(seed))
    os.write(1, json.dumps(outcomes).encode())
