"""Finding the conversations in what a service gives a person who asks for their data.

A zip, the folder it was unpacked to, or one of its JSON files. The zips of several
services look alike from outside: only `recognises` tells whose they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from quoth.errors import UnreadableUnitError
from quoth.model import Unit

from ._files import files_under, open_read_only, stamp_of

__all__ = [
    "COMPANIONS",
    "export_units",
    "holds_none",
    "is_conversations",
    "open_export",
    "open_export_at",
]

_FILE = re.compile(r"(?!\.)[^/]*conversations[^/]*\.json", re.IGNORECASE)
_IN_FOLDER = re.compile(r"(?:.*/)?conversations/[^/.][^/]*\.json", re.IGNORECASE)

COMPANIONS = frozenset(
    f"{name}.json"
    for name in (
        "codex_tasks",
        "custom_instructions",
        "export_manifest",
        "group_chats",
        "memories",
        "message_feedback",
        "model_comparisons",
        "projects",
        "shared_conversations",
        "shopping",
        "sora",
        "user",
        "user_settings",
        "users",
    )
)
"""Files that lie beside the conversations of an export and hold none."""

_CHUNK = 1024 * 1024


def export_units(roots: Sequence[Path]) -> Iterator[Unit]:
    """Yield every file of conversations under *roots*, in zips too, in path order.

    A root that is itself a JSON file or a zip may have any name. A zip that can't be
    used is a unit without a part: opening it says why.
    """
    named = set(roots)
    for unit in files_under(roots, wanted=_may_be_export):
        if _is_zip(unit.path):
            yield from _units_in_zip(unit, is_named=unit.path in named)
        elif unit.path in named or is_conversations(unit.path.as_posix()):
            yield unit


def is_conversations(name: str) -> bool:
    """Say whether a file is named as exports name those that hold conversations."""
    last = name.rpartition("/")[2]
    is_file = last not in COMPANIONS and _FILE.fullmatch(last) is not None
    return is_file or _IN_FOLDER.fullmatch(name) is not None


def holds_none(unit: Unit) -> bool:
    """Say whether a unit is a zip in good order that holds no conversations."""
    if unit.part or not _is_zip(unit.path):
        return False
    from ._zip_members import list_members

    listing = list_members(unit.path, unit.stamp, is_conversations)
    return not (listing.members or listing.problem)


def open_export(unit: Unit) -> BinaryIO:
    """Return a stream of a unit's bytes, to be read forward once and closed.

    Raises:
        UnreadableUnitError: It can't be opened; of a member of a zip also later, while
            it is read.
    """
    if not _is_zip(unit.path):
        return open_read_only(unit.path)
    from ._zip_members import list_members, open_member

    with open_read_only(unit.path) as file:
        stamp = stamp_of(os.fstat(file.fileno()))
    listing = list_members(unit.path, stamp, is_conversations)
    member = listing.members.get(unit.part)
    if member is None:
        why = listing.problem or "it holds no file of conversations of this name"
        raise UnreadableUnitError(unit.path, why=why)
    return open_member(unit.path, member)


def open_export_at(unit: Unit, offset: int) -> BinaryIO:
    """Return a stream of a unit's bytes that stands at *offset*, or at its end.

    Raises:
        UnreadableUnitError: As of `open_export`.
    """
    stream = open_export(unit)
    try:
        if not unit.part:
            stream.seek(offset)
        while unit.part and offset > 0:
            passed = len(stream.read(min(offset, _CHUNK)))
            offset = offset - passed if passed else 0
    except BaseException:
        stream.close()
        raise
    return stream


def _units_in_zip(unit: Unit, *, is_named: bool) -> Iterator[Unit]:
    """Yield a unit for each member; of a zip without any only if it is broken or named.

    A folder of downloads holds many zips that are none of ours.
    """
    from ._zip_members import list_members

    listing = list_members(unit.path, unit.stamp, is_conversations)
    for member in listing.members.values():
        stamp = f"{unit.stamp}:{member.crc:08x}:{member.size}"
        yield replace(unit, part=member.name, stamp=stamp, size=member.size)
    if not listing.members and (is_named or listing.problem):
        yield unit


def _may_be_export(name: str) -> bool:
    return name.lower().endswith((".json", ".zip"))


def _is_zip(path: Path) -> bool:
    return path.name.lower().endswith(".zip")
