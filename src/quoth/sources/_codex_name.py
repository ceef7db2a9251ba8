"""What the name of a rollout tells."""

from __future__ import annotations

import re
from datetime import datetime
from pathlib import Path

from ._files import spelled
from ._moments import moment_of

__all__ = ["FileName"]

_NAME = re.compile(r"rollout-(\d{4}-\d\d-\d\d)(?:T(\d\d)-(\d\d)-(\d\d))?-(.+)")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


class FileName:
    """What the name of a rollout tells: its ids and when it was begun."""

    def __init__(self, path: Path) -> None:
        path = Path(spelled(path))
        stem = path.name.removesuffix(".zst").removesuffix(".jsonl")
        match = _NAME.fullmatch(stem.removesuffix(".json"))
        self.key = match[5] if match else path.stem
        """The thread's id; of a continuation, with the id of its own rollout."""
        uuid = _UUID.match(self.key)
        self.thread = uuid[0] if uuid else self.key
        self.begun = _begun(match) if match else None


def _begun(match: re.Match[str]) -> datetime | None:
    """The name is in local time of a zone nobody wrote down; it is taken as UTC."""
    clock = ":".join(part or "00" for part in match.group(2, 3, 4))
    return moment_of(f"{match[1]}T{clock}")
