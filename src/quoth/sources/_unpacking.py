"""Reading zstd-compressed files as they unpack: nothing on disk, little in memory."""

from __future__ import annotations

import errno
import io
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from quoth.errors import UnreadableUnitError

from ._files import open_read_only

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer
    from zstandard import ZstdDecompressionObj, ZstdDecompressor

__all__ = ["can_unpack", "is_compressed", "open_unpacked"]

LARGEST = 8 * 1024**3
"""Bytes. Plain rollouts of 1.2 GB are on record; what comes to more is a bomb."""

RATIO = 500
RATIO_FROM = 64 * 1024**2
"""How often its own size a file may unpack to, once it came to this many bytes."""

WIDEST_WINDOW = 32 * 1024**2
"""Bytes that are kept to refer back to. Level 19 wants 8 MB, the default level 2."""

FED = 512
"""Bytes unpacked at a time: they come to 16 MB at the very most."""

_BUFFER = 128 * 1024


def is_compressed(path: Path) -> bool:
    """Say from its name whether a file is compressed."""
    return path.name.endswith(".zst")


def can_unpack() -> bool:
    """Say whether the package that unpacks is installed."""
    return find_spec("zstandard") is not None


def open_unpacked(path: Path) -> BinaryIO:
    """Open a compressed file for reading the bytes it was made from.

    Going forward is one pass, going back begins anew. What can't be unpacked is an
    `OSError` when reading comes to it.

    Raises:
        UnreadableUnitError: It cannot be opened, or nothing installed can unpack it.
    """
    try:
        import zstandard
    except ImportError as exc:
        why = "it is compressed; to read it: pip install zstandard"
        raise UnreadableUnitError(path, why=why) from exc
    unpacked = _Unpacked(
        open_read_only(path),
        zstandard.ZstdDecompressor(max_window_size=WIDEST_WINDOW),
        damage=zstandard.ZstdError,
    )
    return io.BufferedReader(unpacked, _BUFFER)


class _Unpacked(io.RawIOBase):
    """The bytes that a file of zstd frames unpacks to."""

    def __init__(
        self,
        file: BinaryIO,
        decompressor: ZstdDecompressor,
        *,
        damage: type[Exception],
    ) -> None:
        super().__init__()
        self._file = file
        self._decompressor = decompressor
        self._damage = damage
        self._begin()

    def _begin(self) -> None:
        self._file.seek(0)
        self._frame: ZstdDecompressionObj | None = None
        self._packed = b""
        self._made = memoryview(b"")
        self._taken = self._total = self._offset = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer) -> int:
        target = memoryview(buffer)
        piece = self._piece(len(target))
        target[: len(piece)] = piece
        return len(piece)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        if whence == io.SEEK_END:
            raise io.UnsupportedOperation("where it ends is not known")
        if whence == io.SEEK_CUR:
            offset += self._offset
        if offset < self._offset:
            self._begin()
        while self._offset < offset and self._piece(offset - self._offset):
            pass
        return self._offset

    def _piece(self, size: int) -> memoryview:
        """Return at most *size* of the bytes that come next, none at the end."""
        while not self._made and self._feed():
            pass
        piece, self._made = self._made[:size], self._made[size:]
        self._offset += len(piece)
        return piece

    def _feed(self) -> bool:
        """Unpack some more; say whether there was anything left to unpack."""
        if not self._packed:
            self._packed = self._file.read(FED)
            self._taken += len(self._packed)
        if not self._packed:
            if self._frame is not None:
                raise OSError(errno.EIO, "the compressed data breaks off")
            return False
        frame = self._frame or self._decompressor.decompressobj()
        try:
            made = frame.decompress(self._packed)
        except self._damage as exc:
            why = "the compressed data can't be unpacked from here on"
            raise OSError(errno.EIO, why) from exc
        self._packed = frame.unused_data if frame.eof else b""
        self._frame = None if frame.eof else frame
        self._total += len(made)
        self._refuse_bomb()
        self._made = memoryview(made)
        return True

    def _refuse_bomb(self) -> None:
        if self._total > LARGEST:
            why = f"it unpacks to more than {LARGEST // 1024**3} GB"
            raise OSError(errno.EFBIG, why)
        if self._total > max(RATIO_FROM, self._taken * RATIO):
            raise OSError(
                errno.EFBIG, f"it unpacks to more than {RATIO} times its size"
            )
