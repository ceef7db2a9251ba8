"""Reading a unit: whatever goes wrong on the way is a failure of that unit alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from quoth.errors import QuothError, UnreadableUnitError
from quoth.model import Unit

__all__ = ["reading"]


@contextmanager
def reading(unit: Unit) -> Iterator[None]:
    """Turn what the system or a source says of *unit* within into its failure.

    A file may open and then not be readable: a disk that breaks, a share that goes. And
    one odd file that a source fails on must not end the reading of all others for good.

    Raises:
        UnreadableUnitError: The system refused, or the source has a fault.
    """
    try:
        yield
    except QuothError:
        raise
    except OSError as exc:
        why = (exc.strerror or type(exc).__name__).lower()
        raise UnreadableUnitError(unit.path, why=why) from exc
    except Exception as exc:
        # The kind of error alone: what it says may quote what was being read.
        why = f"what reads it has a fault ({type(exc).__name__})"
        raise UnreadableUnitError(unit.path, why=why) from exc
