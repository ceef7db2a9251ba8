"""Arrays out of a safetensors file, mapped. Nothing in such a file can be executed.

The format: eight bytes with the length of a JSON header, the header, and the data that
it names by their places. https://huggingface.co/docs/safetensors
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["NotSafetensorsError", "tensors_in"]

_MOST_HEADER = 1 << 20
"""Bytes. That of a model with six layers has 10,000."""

_LENGTH = 8
_KINDS = {"F32": "<f4", "F16": "<f2", "I64": "<i8"}


class NotSafetensorsError(Exception):
    """A file is none, or a broken one."""


def tensors_in(path: Path) -> Mapping[str, NDArray[Any]]:
    """Return every array in a file by its name; nothing is read before it is used.

    Raises:
        NotSafetensorsError: It is no such file, or its header doesn't fit its data.
        OSError: It can't be read.
    """
    import numpy as np

    data = np.memmap(path, np.uint8, "r")
    header, start = _header_of(data)
    told = {name: each for name, each in header.items() if name != "__metadata__"}
    found = {name: _array(data[start:], each) for name, each in told.items()}
    _refuse_overlap([each["data_offsets"] for each in told.values()])
    return found


def _header_of(data: NDArray[Any]) -> tuple[Mapping[str, Any], int]:
    length = int.from_bytes(bytes(data[:_LENGTH]), "little")
    start = _LENGTH + length
    if not 2 <= length <= _MOST_HEADER or start > len(data):
        raise NotSafetensorsError
    try:
        header = json.loads(bytes(data[_LENGTH:start]), object_pairs_hook=_once_each)
    except (ValueError, RecursionError) as error:
        raise NotSafetensorsError from error
    if not isinstance(header, dict):
        raise NotSafetensorsError
    return header, start


def _once_each(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise NotSafetensorsError
    return found


def _refuse_overlap(places: Sequence[list[int]]) -> None:
    if any(first[1] > second[0] for first, second in pairwise(sorted(places))):
        raise NotSafetensorsError


def _array(data: NDArray[Any], told: object) -> NDArray[Any]:
    """Return the array at the place that a header tells."""
    import numpy as np

    try:
        kind = np.dtype(_KINDS[told["dtype"]])  # type: ignore[index]  # it may be anything
        first, last = told["data_offsets"]  # type: ignore[index]  # as above
        shape = tuple(told["shape"])  # type: ignore[index]  # as above
        numbers = (first, last, *shape)
        if any(type(each) is not int or each < 0 for each in numbers):
            raise NotSafetensorsError
        content = data[first:last]
        if len(content) != last - first:
            raise NotSafetensorsError
        return content.view(kind).reshape(shape)
    except (KeyError, TypeError, ValueError) as error:
        raise NotSafetensorsError from error
