"""The members of a zip: listed with suspicion, inflated as they are read.

Nothing is unpacked to disk and no name of a member is ever used as a path.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, cast

from quoth.errors import UnreadableUnitError
from quoth.redaction import rules_in_force

from ._files import open_read_only

__all__ = ["Listing", "ZipMember", "list_members", "open_member"]

_LARGEST_DIRECTORY = 16 * 1024 * 1024
"""Bytes that a list of members may have: some 100,000 of them, with 150 MB in use."""

_MOST_MEMBERS = 20_000
"""Of those wanted; each becomes a unit."""

_FREE_SIZE = 64 * 1024 * 1024
_LARGEST_RATIO = 200
"""What inflates to more than the first, and by more than the second, is no text."""

_FREE_TOTAL = 1024 * 1024 * 1024
"""The same for all members together: many may be just below the first."""

_LARGEST_MEMBER = 64 * 1024**3
_LONGEST_NAME = 300

_CHUNK = 256 * 1024
_LOCAL = struct.Struct("<4s5H3L2H")
_LOCAL_SIGNATURE = b"PK\x03\x04"
_ENCRYPTED = 0x1 | 0x40 | 0x2000

_DAMAGED = (
    zipfile.BadZipFile,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,  # also of a name that is no UTF-8
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ZipMember:
    """A member that may be wanted; `problem` says why it is not read.

    `name` is shown and tells it from others; control characters and such are replaced.
    """

    name: str
    start: int
    packed: int
    size: int
    crc: int
    is_stored: bool
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """The wanted members of a zip by name, or why it has none that can be read."""

    members: Mapping[str, ZipMember]
    problem: str = ""


@lru_cache(maxsize=2)
def list_members(
    path: Path,
    stamp: str,  # noqa: ARG001 - what is remembered is of these bytes
    wanted: Callable[[str], bool],
) -> Listing:
    """Return the members of the zip at *path* whose name is *wanted*.

    Kept for the last zips: one member after the other asks for the same list.

    Args:
        stamp: Of the zip; another one stands for other bytes.
    """
    try:
        with (
            open_read_only(path) as file,
            zipfile.ZipFile(cast("BinaryIO", _Sparing(file))) as opened,
        ):
            return _listing(opened, wanted)
    except UnreadableUnitError as exc:
        return Listing(members={}, problem=exc.why)
    except _DAMAGED:
        return Listing(members={}, problem="it is no zip, or a damaged one")


class _Sparing(io.RawIOBase):
    """A file of which only parts are read: a list of members is short."""

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file

    def read(self, size: int | None = -1, /) -> bytes:
        if size is None or size < 0:
            size = _LARGEST_DIRECTORY
        if size > _LARGEST_DIRECTORY:
            raise zipfile.BadZipFile
        return self._file.read(size)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()


def _listing(opened: zipfile.ZipFile, wanted: Callable[[str], bool]) -> Listing:
    infos = opened.infolist()
    starts = sorted(info.header_offset for info in infos)
    members: dict[str, ZipMember] = {}
    for info in infos:
        clean = _clean(info.orig_filename)
        # Not by `is_dir`, which fails on a name of no characters.
        if clean.endswith("/") or not wanted(clean):
            continue
        if stat.S_ISLNK(info.external_attr >> 16):
            continue
        # It is stored, and shown where something is wrong.
        name = rules_in_force().redact(clean)[-_LONGEST_NAME:]
        problem = "its name occurs twice" if name in members else _problem(info)
        if _overlaps(info, starts, end=opened.start_dir):
            problem = "it overlaps with another"
        members[name] = _member(name, info, problem)
        if len(members) > _MOST_MEMBERS:
            why = f"it has more than {_MOST_MEMBERS} files of conversations"
            return Listing(members={}, problem=why)
    if _grows_too_much(members.values()):
        why = f"it would grow to more than {_LARGEST_RATIO} times its size"
        return Listing(members={}, problem=why)
    return Listing(members=members)


def _grows_too_much(members: Iterable[ZipMember]) -> bool:
    sound = [member for member in members if not member.problem]
    size, packed = sum(each.size for each in sound), sum(each.packed for each in sound)
    return size > max(_FREE_TOTAL, packed * _LARGEST_RATIO)


def _clean(name: str) -> str:
    """Return a name of one line, without what a terminal would act on."""
    clean = "".join(char if char.isprintable() else "?" for char in name)
    return clean.encode("utf-8", "replace").decode().replace("\\", "/")


def _member(name: str, info: zipfile.ZipInfo, problem: str) -> ZipMember:
    return ZipMember(
        name=name,
        start=info.header_offset,
        packed=info.compress_size,
        size=info.file_size,
        crc=info.CRC,
        is_stored=info.compress_type == zipfile.ZIP_STORED,
        problem=problem,
    )


def _problem(info: zipfile.ZipInfo) -> str:
    if info.flag_bits & _ENCRYPTED:
        return "it is encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is compressed in a way that is not supported"
    if info.file_size > _LARGEST_MEMBER:
        return f"it would have more than {_LARGEST_MEMBER // 2**30} GB"
    if info.file_size > max(_FREE_SIZE, info.compress_size * _LARGEST_RATIO):
        return f"it would grow to more than {_LARGEST_RATIO} times its size"
    return ""


def _overlaps(info: zipfile.ZipInfo, starts: list[int], *, end: int) -> bool:
    """Say whether another member, or the list of them, begins within this one."""
    place = bisect_right(starts, info.header_offset)
    is_shared = place >= 2 and starts[place - 2] == info.header_offset
    following = starts[place] if place < len(starts) else end
    return (
        is_shared or info.header_offset + _LOCAL.size + info.compress_size > following
    )


def open_member(path: Path, member: ZipMember) -> BinaryIO:
    """Return the bytes of a member, to be read forward once and closed.

    Raises:
        UnreadableUnitError: It can't be opened or, while it is read, is damaged.
    """
    named = f"its member {member.name}: "
    if member.problem:
        raise UnreadableUnitError(path, why=named + member.problem)
    file = open_read_only(path)
    if not _enter(file, member):
        file.close()
        raise UnreadableUnitError(path, why=f"{named}it is damaged")
    return cast("BinaryIO", _Inflating(file, path, member))


def _enter(file: BinaryIO, member: ZipMember) -> bool:
    """Go to where a member's bytes begin; say whether it is there at all."""
    if member.start < 0:  # where a zip says it begins before its file does
        return False
    file.seek(member.start)
    header = file.read(_LOCAL.size)
    if len(header) < _LOCAL.size or not header.startswith(_LOCAL_SIGNATURE):
        return False
    *_, name_size, extra_size = _LOCAL.unpack(header)
    file.seek(name_size + extra_size, io.SEEK_CUR)
    return True


class _Inflating(io.RawIOBase):
    """What a member holds, bounded by what its zip says it holds."""

    def __init__(self, file: BinaryIO, path: Path, member: ZipMember) -> None:
        super().__init__()
        self._file = file
        self._path = path
        self._member = member
        self._unread = member.packed
        self._due = member.size
        self._crc = 0
        self._inflater = zlib.decompressobj(-zlib.MAX_WBITS)

    def close(self) -> None:
        self._file.close()
        super().close()

    def read(self, size: int = -1, /) -> bytes:
        """Return *size* bytes, fewer before the end or damage, none at a sound end.

        Raises:
            UnreadableUnitError: The member is damaged from here on.
        """
        wanted = self._due if size < 0 else min(size, self._due)
        parts: list[bytes] = []
        while wanted > 0 and (part := self._next(min(wanted, _CHUNK))):
            parts.append(part)
            wanted -= len(part)
            self._due -= len(part)
            self._crc = zlib.crc32(part, self._crc)
        is_sound = self._due or self._crc == self._member.crc
        if not parts and size and (wanted or not is_sound):
            why = f"its member {self._member.name}: it is damaged"
            raise UnreadableUnitError(self._path, why=why)
        return b"".join(parts)

    def _next(self, most: int) -> bytes:
        """Return what comes next, nothing at the end or where it is damaged."""
        if self._member.is_stored:
            return self._packed(most)
        while not self._inflater.eof:
            packed = self._inflater.unconsumed_tail or self._packed(_CHUNK)
            try:
                data = self._inflater.decompress(packed, most)
            except zlib.error:
                return b""
            if data or not packed:
                return data
        return b""

    def _packed(self, most: int) -> bytes:
        data = self._file.read(min(most, self._unread))
        self._unread -= len(data)
        return data
