"""Find, quote and recall what you and your AI assistants have said, on this machine.

    import quoth
    with quoth.open_archive(Path("~/.local/share/quoth").expanduser()) as archive:
        page = archive.search("how did we fix the dead-letter queue?")
"""

from . import errors
from .archive import Archive, open_archive
from .model import (
    Count,
    Filters,
    Hit,
    Include,
    Mode,
    Page,
    Role,
    SearchUnit,
    Status,
    SyncReport,
    Transcript,
    Verdict,
)

__all__ = [
    "Archive",
    "Count",
    "Filters",
    "Hit",
    "Include",
    "Mode",
    "Page",
    "Role",
    "SearchUnit",
    "Status",
    "SyncReport",
    "Transcript",
    "Verdict",
    "errors",
    "open_archive",
]
