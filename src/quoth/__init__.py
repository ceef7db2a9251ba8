"""Find, quote and recall what you and your AI assistants have said, on this machine.

import quoth
with quoth.open_archive(Path("~/.local/share/quoth").expanduser()) as archive:
    page = archive.search("how did we fix the dead-letter queue?")
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import errors
    from .archive import Archive, open_archive
    from .model import (
        Count,
        Filters,
        ForgetPlan,
        ForgetReport,
        Forgotten,
        Hit,
        Include,
        Mode,
        NeverIndex,
        Page,
        Role,
        SearchUnit,
        Selection,
        Status,
        SyncReport,
        Transcript,
        Verdict,
    )

__all__ = [
    "Archive",
    "Count",
    "Filters",
    "ForgetPlan",
    "ForgetReport",
    "Forgotten",
    "Hit",
    "Include",
    "Mode",
    "NeverIndex",
    "Page",
    "Role",
    "SearchUnit",
    "Selection",
    "Status",
    "SyncReport",
    "Transcript",
    "Verdict",
    "errors",
    "open_archive",
]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is: a command's start-up pays for no more."""
    if name == "errors":
        return import_module("quoth.errors")
    if name in ("Archive", "open_archive"):
        return getattr(import_module("quoth.archive"), name)
    if name in __all__:
        return getattr(import_module("quoth.model"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__]
