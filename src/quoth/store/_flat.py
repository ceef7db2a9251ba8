"""The flat copy: every vector of one identity in one file, laid out to be scanned.

The database holds the truth; this file may vanish at any time and be written again.
It knows nothing of SQLite. All numbers are little-endian:

    0       header of 512 bytes: magic, version, dimensions, generation,
            count, last id, length of the identity, the identity, zeros
    512     codes    int8     (count, dimensions)
    ...     scales   float32  (count,)    from the next multiple of 64
    ...     owners   int64    (count,)    from the next multiple of 64

A vector's owner is the id of the embedding it belongs to, one row per window.
"""

from __future__ import annotations

import mmap as mmap_module
import os
import re
import stat
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from mmap import MAP_SHARED, PROT_READ, mmap
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

from quoth.errors import VectorWidthError

from ._files import replacing
from ._nearest import Nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["FlatVectors", "Nearest", "Row", "Scored", "flat_path"]

Row: TypeAlias = tuple[int, bytes, bytes]
"""An embedding's id, its codes (int8, n x dimensions) and its scales (float32, n)."""

MAGIC = b"quothvec"
VERSION = 1
HEADER = Struct("<8sIIqqqI")
HEADER_SIZE = 512
ALIGNED = 64

_POPULATE: int = getattr(mmap_module, "MAP_POPULATE", 0)  # Linux
"""All of it is about to be read: one call instead of a fault for every 4 kB."""


_LONGEST_NAME = 100


def flat_path(home: Path, identity: str) -> Path:
    """Return where the flat copy of an identity is: `vectors/a_b_1/all.vec`."""
    folder = re.sub(r"[^A-Za-z0-9._-]|^\.", "_", identity)
    if len(folder) > _LONGEST_NAME:  # a server may call a model as it likes
        digest = sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
        folder = f"{folder[:_LONGEST_NAME]}_{digest[:16]}"
    return home / "vectors" / folder / "all.vec"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Header:
    dimensions: int
    generation: int
    count: int
    last_id: int
    identity: str

    @property
    def scales_at(self) -> int:
        return _aligned(HEADER_SIZE + self.count * self.dimensions)

    @property
    def owners_at(self) -> int:
        return _aligned(self.scales_at + 4 * self.count)

    @property
    def size(self) -> int:
        return self.owners_at + 8 * self.count

    def packed(self) -> bytes:
        name = self.identity.encode()
        numbers = (self.dimensions, self.generation, self.count, self.last_id)
        packed = HEADER.pack(MAGIC, VERSION, *numbers, len(name)) + name
        if len(packed) > HEADER_SIZE:
            raise ValueError(f"an identity of {len(name)} bytes")
        return packed.ljust(HEADER_SIZE, b"\0")

    @classmethod
    def unpacked(cls, data: bytes) -> _Header:
        """Return the header in 512 bytes; raise ValueError when it is none of ours."""
        magic, version, *numbers, length = HEADER.unpack_from(data)
        dimensions, generation, count, last_id = numbers
        if (magic, version) != (MAGIC, VERSION) or count < 0:
            raise ValueError("another format")
        name = data[HEADER.size : HEADER.size + length].decode()
        return cls(
            dimensions=dimensions,
            generation=generation,
            count=count,
            last_id=last_id,
            identity=name,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scored:
    """Every vector's cosine with one question, to be ranked once or several times.

    `scores` float32 and `owners` int64, ascending, one of each per vector.
    """

    scores: NDArray[np.float32]
    owners: NDArray[np.int64]

    def ranked(
        self, *, allowed: NDArray[np.int64] | Sequence[int] | None = None
    ) -> Iterator[Nearest]:
        """Return owners in chunks, nearest first, by the best of their windows.

        The order is exact and total: equal scores go to the smaller id. Whoever wants
        ten after a filter walks until ten survived; what is not walked is not sorted.
        Only *allowed* owners are ranked, all when it is None.
        """
        from ._scan import best_per_owner

        return best_per_owner(self.scores, self.owners, allowed=allowed)

    def best_of(self, owners: Sequence[int]) -> dict[int, float]:
        """Return the cosine of the best window of each of *owners* that has any."""
        import numpy as np

        starts = np.searchsorted(self.owners, owners, "left").tolist()
        ends = np.searchsorted(self.owners, owners, "right").tolist()
        return {
            owner: float(self.scores[start:end].max())
            for owner, start, end in zip(owners, starts, ends, strict=True)
            if start < end
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FlatVectors:
    """A read-only map of the file; row i is `codes[i] * scales[i]` of `owners[i]`.

    `codes` int8 (n, dimensions), `scales` float32 (n,), `owners` int64 (n,) ascending.
    `last_id` is the highest id written, with vectors or without; 0 when there was
    none. `late` are vectors kept beside the map. A file that is replaced stays
    readable here.
    """

    identity: str
    dimensions: int
    generation: int
    last_id: int
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]
    owners: NDArray[np.int64]
    late: FlatVectors | None = None

    @classmethod
    def of(cls, rows: Sequence[Row], *, identity: str, dimensions: int) -> FlatVectors:
        """Return *rows*, in any order, without a file and with generation 0.

        Raises:
            VectorWidthError: They have another width.
        """
        import numpy as np

        ids, codes, scales = zip(*sorted(rows), strict=True) if rows else ((), (), ())
        windows = [len(some) // 4 for some in scales]
        if sum(map(len, codes)) != sum(windows) * dimensions:
            stored = sum(map(len, codes)) // max(sum(windows), 1)
            raise VectorWidthError(query=dimensions, stored=stored)
        return cls(
            identity=identity,
            dimensions=dimensions,
            generation=0,
            last_id=max(ids, default=0),
            codes=np.frombuffer(b"".join(codes), np.int8).reshape(-1, dimensions),
            scales=np.frombuffer(b"".join(scales), "<f4"),
            owners=np.repeat(np.array(ids, np.int64), windows),
        )

    def cosines_among(self, count: int) -> tuple[float, float]:
        """Return the mean and the standard deviation of the cosines of unrelated rows.

        Of *count* rows with as many others, all taken at equal distances.
        """
        import numpy as np

        rows = np.linspace(0, self.count - 1, 2 * count).astype(np.intp)
        some = self.codes[rows].astype(np.float32) * self.scales[rows][:, None]
        cosines = some[::2] @ some[1::2].T
        return float(cosines.mean()), float(cosines.std())

    @classmethod
    def write(
        cls,
        path: Path,
        *,
        identity: str,
        dimensions: int,
        generation: int,
        rows: Iterable[Row],
    ) -> None:
        """Put *rows* at *path*, whole or not at all, readable by the owner alone.

        Raises:
            ValueError: ids do not ascend, or codes and scales differ in their length.
        """
        with replacing(path) as file:
            file.write(bytes(HEADER_SIZE))
            scales, owners, last_id = _write_codes(file, rows, dimensions)
            header = _Header(
                dimensions=dimensions,
                generation=generation,
                count=len(owners),
                last_id=last_id,
                identity=identity,
            )
            file.seek(header.scales_at)
            file.write(scales)
            file.seek(header.owners_at)
            file.write(_little_endian(owners))
            file.truncate(header.size)
            file.seek(0)
            file.write(header.packed())

    @staticmethod
    def remove_unfinished(path: Path) -> None:
        """Remove what killed writers left, so that no vector outlives its text.

        Whoever calls this keeps other writers of *path* out.
        """
        for left in path.parent.glob(f".{path.name}.*.new"):
            left.unlink(missing_ok=True)

    @classmethod
    def open(cls, path: Path) -> FlatVectors | None:
        """Return the vectors at *path*; None if absent, cut short or another format."""
        import numpy as np

        mapped = _mapped(path)
        if mapped is None:
            return None
        try:
            header = _Header.unpacked(mapped[:HEADER_SIZE])
        except ValueError:
            return None
        if header.size != len(mapped):
            return None
        count, width = header.count, header.dimensions
        codes = np.frombuffer(mapped, np.int8, count * width, HEADER_SIZE)
        return cls(
            identity=header.identity,
            dimensions=width,
            generation=header.generation,
            last_id=header.last_id,
            codes=codes.reshape(count, width),
            scales=np.frombuffer(mapped, "<f4", count, header.scales_at),
            owners=np.frombuffer(mapped, "<i8", count, header.owners_at),
        )

    @property
    def count(self) -> int:
        """How many vectors there are, those beside the file included."""
        return len(self.owners) + (self.late.count if self.late else 0)

    def with_rows(self, rows: Sequence[Row]) -> FlatVectors:
        """Return these vectors and *rows* beside them, of higher ids; none is copied.

        `last_id` stays what the file holds. A second call replaces the first's rows.
        """
        late = self.of(rows, identity=self.identity, dimensions=self.dimensions)
        return replace(self, late=late)

    def scores(self, query: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the cosine of every vector with *query*, -inf where there is none.

        In the order of the owners, those beside the file last.

        Raises:
            VectorWidthError: *query* has another width.
        """
        import numpy as np

        from ._scan import cosines

        if query.shape != (self.dimensions,):
            raise VectorWidthError(query=query.size, stored=self.dimensions)
        scores = cosines(self.codes, self.scales, query)
        return (
            np.concatenate([scores, self.late.scores(query)]) if self.late else scores
        )

    def scored(self, query: NDArray[np.float32]) -> Scored:
        """Return every vector's cosine with *query*, ready to be ranked.

        Raises:
            VectorWidthError: *query* has another width.
        """
        import numpy as np

        owners = self.owners
        if self.late:
            owners = np.concatenate([owners, self.late.owners])
        return Scored(scores=self.scores(query), owners=owners)


def _write_codes(
    file: BinaryIO, rows: Iterable[Row], dimensions: int
) -> tuple[bytearray, array[int], int]:
    """Write the codes of *rows*; return all scales, all owners and the last id."""
    all_scales, owners, last_id = bytearray(), array("q"), 0
    for number, codes, scales in rows:
        windows = len(scales) // 4
        if number <= last_id or len(codes) != windows * dimensions:
            raise ValueError(f"embedding {number} is out of order or of another width")
        file.write(codes)
        all_scales += scales
        owners.extend([number] * windows)
        last_id = number
    return all_scales, owners, last_id


def _mapped(path: Path) -> mmap | None:
    """Return a map of the regular file at *path*, or None when there is none."""
    # Not blocking: opening a pipe would wait for its other end.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags)
    except OSError:
        return None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size < HEADER_SIZE:
            return None
        return mmap(descriptor, 0, MAP_SHARED | _POPULATE, PROT_READ)
    finally:
        os.close(descriptor)


def _little_endian(numbers: array[int]) -> array[int]:
    if sys.byteorder == "big":  # pragma: no cover - no such machine in CI
        numbers.byteswap()
    return numbers


def _aligned(size: int) -> int:
    return -(-size // ALIGNED) * ALIGNED
