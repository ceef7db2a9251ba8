"""How many messages hold each frequent term, kept for the ranking."""

from __future__ import annotations

import sqlite3

from ._meta import meta, set_meta

__all__ = ["refresh_terms"]

_TERM_SHARE = 0.002
_TERM_LEAST = 200


def refresh_terms(connection: sqlite3.Connection) -> None:
    """Note how many messages hold each frequent term, when that may have changed.

    One walk of the vocabulary costs 0.17 s at 100,000 messages, a look-up of one term
    at question time up to 38 ms at a million: so frequent terms are kept, and a term
    that isn't is rare. Refreshed when the archive grew by a tenth.
    """
    indexed = connection.execute("SELECT count(*) FROM words_docsize").fetchone()[0]
    counted = meta(connection, "terms_counted_at") or 0
    if abs(indexed - counted) * 10 <= counted and (counted or not indexed):
        return
    connection.execute("DELETE FROM term")
    connection.execute(
        "INSERT INTO term (term, documents)"
        " SELECT term, doc FROM words_vocabulary WHERE doc > max(?, ? * ?)",
        (_TERM_LEAST, _TERM_SHARE, indexed),
    )
    set_meta(connection, "terms_counted_at", indexed)
