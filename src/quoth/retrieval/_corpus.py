"""What a question is asked of: the messages of an archive at one moment, as columns."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from quoth.model import Count, Include
from quoth.store import ArchiveReader, DocValues, Scope

from ._query import quoted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Corpus"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Corpus:
    """Columns by the id of a message, and of a conversation.

    `about` tells what the question is about, `searched` what of that may be found, and
    `echoes` what is withheld since it only asks a memory for others, or answers that;
    `listed` under which conversation each conversation is listed.
    """

    reader: ArchiveReader
    scope: Scope
    values: DocValues
    about: NDArray[np.bool_]
    searched: NDArray[np.bool_]
    echoes: NDArray[np.bool_]
    listed: NDArray[np.int32]
    _asked: dict[str, NDArray[np.int64]] = field(default_factory=dict)

    @classmethod
    def of(cls, reader: ArchiveReader, scope: Scope) -> Corpus:
        """Return what *scope* holds at the reader's moment."""
        import numpy as np

        values = reader.doc_values()
        about, searched = reader.in_scope(scope, values)
        echoes = np.zeros(len(about), np.bool_)
        if Include.ECHOES not in scope.filters.include:
            found = reader.echoes()
            echoes[found[found < len(about)]] = True
            searched &= ~echoes
        corpus = cls(
            reader=reader,
            scope=scope,
            values=values,
            about=about,
            searched=searched,
            echoes=echoes,
            listed=reader.listed_under(scope, values),
        )
        for words in scope.filters.without:
            holders = corpus.holders(quoted(words))
            about[holders] = searched[holders] = False
        return corpus

    def holders(self, match: str) -> NDArray[np.int64]:
        """Return the ids, ascending, of all messages that match an FTS5 expression.

        Asked once for each expression: the index takes 2 ms for a frequent word.
        """
        if match not in self._asked:
            found = self.reader.postings(match)
            self._asked[match] = found[found < len(self.about)]
        return self._asked[match]

    @cached_property
    def messages(self) -> int:
        """How many messages there are in the archive, whatever the question."""
        import numpy as np

        return int(np.count_nonzero(self.values.is_there))

    @cached_property
    def rows(self) -> NDArray[np.int32]:
        """The conversation that each message is listed under."""
        return self.listed[self.values.home]

    @cached_property
    def written(self) -> NDArray[np.int64]:
        """When each message was written, in milliseconds."""
        return self.reader.when_written(self.values)

    def count(self, found: NDArray[np.bool_], *, exact: bool = True) -> Count:
        """Count some messages, and the conversations they are listed under."""
        import numpy as np

        return self.count_of(np.flatnonzero(found), exact=exact)

    def count_of(self, messages: NDArray[np.int64], *, exact: bool = True) -> Count:
        """Count the same of messages told by their ids."""
        import numpy as np

        rows = np.bincount(self.rows[messages])
        return Count(
            messages=int(rows.sum()),
            conversations=int(np.count_nonzero(rows)),
            exact=exact,
        )
