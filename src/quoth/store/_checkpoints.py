"""Checkpoints as they are stored: JSON in a column."""

from __future__ import annotations

import json

from quoth.model import Checkpoint

__all__ = ["ANEW", "checkpoint_from", "checkpoint_json"]


def checkpoint_json(checkpoint: Checkpoint) -> str:
    """Return what a column holds of a checkpoint."""
    return json.dumps(
        {
            "offset": checkpoint.offset,
            "head": checkpoint.head,
            "tail": checkpoint.tail,
            "state": checkpoint.state,
        },
        separators=(",", ":"),
    )


def checkpoint_from(stored: object) -> Checkpoint | None:
    """Return the checkpoint in *stored*; None for a bad one, so that all is read."""
    try:
        match json.loads(stored) if isinstance(stored, str) else None:
            case {
                "offset": int(offset),
                "head": str(head),
                "tail": str(tail),
                "state": dict(state),
            } if offset >= 0:
                return Checkpoint(offset=offset, head=head, tail=tail, state=state)
    except (ValueError, RecursionError):
        pass
    return None


ANEW = Checkpoint(state={"anew": True})
"""Stands for no checkpoint where a unit was read: the next reading begins anew.

What a source keeps to go on from may repeat what was said, so there is none for a unit
that holds something which may not be recorded.
"""
