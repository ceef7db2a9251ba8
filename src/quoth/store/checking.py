"""What `quoth doctor` asks of the store and does to it.

Apart from the package itself, so that nothing of it is loaded for a search.
"""

from ._copy_check import CopyState, state_of_copy
from ._integrity import (
    Fault,
    conversation_faults,
    doc_value_faults,
    file_faults,
    has_log,
    owner_faults,
    row_faults,
    title_faults,
    unit_faults,
    vector_faults,
    word_faults,
)
from ._lock import holder_of
from ._rebuild import REBUILD_STEPS, discard_vectors, make_indexes_anew
from ._sample import sampled_citations, sampled_vectors
from ._sqlite import NEEDED, SQLITE_VERSION, lacking_features
from ._writer import SYNC_LOCK

__all__ = [
    "NEEDED",
    "REBUILD_STEPS",
    "SQLITE_VERSION",
    "SYNC_LOCK",
    "CopyState",
    "Fault",
    "conversation_faults",
    "discard_vectors",
    "doc_value_faults",
    "file_faults",
    "has_log",
    "holder_of",
    "lacking_features",
    "make_indexes_anew",
    "owner_faults",
    "row_faults",
    "sampled_citations",
    "sampled_vectors",
    "state_of_copy",
    "title_faults",
    "unit_faults",
    "vector_faults",
    "word_faults",
]
