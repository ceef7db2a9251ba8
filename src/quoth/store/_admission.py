"""What of a batch may be recorded: all but what was forgotten or a rule forbids."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from quoth.model import Batch, Conversation, Kind, Message, Noise, Rewind, Role

from ._checkpoints import ANEW
from ._keys import conversation_key
from ._never_index import Forbidding
from ._remembered import ids_in
from ._tombstones import Bans

__all__ = ["Admission", "Admitted"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Admitted:
    """What was left of a batch.

    Attributes:
        kept_out: Messages that were not let in, without noise.
        thinned: Conversations that lost messages and stay, by their native id.
        forbidden: Keys of conversations that a rule bans from now on.
    """

    batch: Batch
    kept_out: int = 0
    thinned: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """Whether the batch tells of nothing that may be recorded."""
        batch = self.batch
        return not (batch.conversations or batch.records or batch.usage)


class Admission:
    """Lets in what may be recorded of one reading of one unit, batch after batch.

    Args:
        source: The name of the unit's source.
        forbidding: The person's rules.
        is_forbidden: The unit is in a place of which nothing is recorded.
        is_recorded: Says of a key whether the archive has such a conversation.
        rule_entry: Returns the entry of the list that rules add to.
    """

    def __init__(
        self,
        source: str,
        *,
        forbidding: Forbidding,
        is_forbidden: bool,
        is_recorded: Callable[[str], bool],
        rule_entry: Callable[[], int],
    ) -> None:
        self._source = source
        self._forbidding = forbidding
        self._is_forbidden = is_forbidden
        self._is_recorded = is_recorded
        self._rule_entry = rule_entry
        self._thinned: set[str] = set()
        self._waiting: dict[str, Conversation] = {}
        self._harmless: set[str] = set()
        self.has_kept_out = False

    def admit(self, batch: Batch, bans: Bans) -> Admitted:
        """Return what of *batch* may be recorded.

        A conversation that loses a message loses its title as well, which was made of
        it or sums it up. One that has nothing left and isn't recorded yet waits for
        more.
        """
        forbidden = self._forbid(batch, bans) if self._forbidding else frozenset()
        self._ban_kin(batch, bans)
        out = self._out(batch, bans)
        banned = {
            place
            for place, record in enumerate(batch.records)
            if isinstance(record, Message)
            and record.conversation not in out
            and self._is_banned(record, bans)
        }
        self._thinned |= {batch.records[place].conversation for place in banned}
        records = [
            record
            for place, record in enumerate(batch.records)
            if record.conversation not in out
            and place not in banned
            and not self._sums_up(record)
        ]
        if len(records) == len(batch.records) and not (out or self._thinned):
            batch = self._without_traces(batch, bans)
            return Admitted(batch=batch, forbidden=forbidden)
        self.has_kept_out = True
        batch = self._without_traces(batch, bans)
        return self._thinned_out(batch, records, out, forbidden)

    def _thinned_out(
        self,
        batch: Batch,
        records: list[Message | Rewind],
        out: Collection[str],
        forbidden: frozenset[str],
    ) -> Admitted:
        speaking = {
            record.conversation
            for record in records
            if isinstance(record, Message) and record.noise is None
        }
        silent = {
            native_id
            for native_id in self._thinned - speaking
            if not self._is_recorded(self._key(native_id))
        }
        left_out = {*out, *silent}
        conversations = self._conversations(batch, out, silent, speaking)
        records = [each for each in records if each.conversation not in left_out]
        return Admitted(
            batch=replace(
                batch,
                conversations=tuple(conversations),
                records=tuple(records),
                usage=tuple(
                    each for each in batch.usage if each.conversation not in left_out
                ),
            ),
            kept_out=_speaking(batch.records) - _speaking(records),
            thinned=frozenset(self._thinned - left_out),
            forbidden=forbidden,
        )

    def _conversations(
        self,
        batch: Batch,
        out: Collection[str],
        silent: Collection[str],
        speaking: Collection[str],
    ) -> Iterator[Conversation]:
        told = {each.native_id: each for each in batch.conversations}
        for native_id in speaking:
            if (waited := self._waiting.pop(native_id, None)) is not None:
                told.setdefault(native_id, waited)
        for native_id in self._thinned & told.keys():
            told[native_id] = replace(told[native_id], title=None, title_origin=None)
        for native_id, conversation in told.items():
            if native_id in silent:
                self._waiting[native_id] = conversation
            elif native_id not in out:
                yield conversation

    def _without_traces(self, batch: Batch, bans: Bans) -> Batch:
        """Return the batch with a checkpoint that repeats nothing of what is out."""
        if self._remembers_banned(batch, bans):
            self.has_kept_out = True
            return replace(batch, checkpoint=ANEW)
        if not self.has_kept_out:
            return batch
        told = batch.checkpoint
        apart = told.state.get(told.by_conversation)
        if self._thinned or not isinstance(apart, Mapping):
            return replace(batch, checkpoint=ANEW)
        kept = {
            native_id: known
            for native_id, known in apart.items()
            if bans.conversation(self._key(native_id)) is None
        }
        state = {**told.state, told.by_conversation: kept}
        return replace(batch, checkpoint=replace(told, state=state))

    def _remembers_banned(self, batch: Batch, bans: Bans) -> bool:
        """Say whether a checkpoint has something of a banned message; see `ids_in`."""
        told = batch.checkpoint
        state = {**told.state}
        state.pop(told.by_conversation, None)
        found = {*ids_in(state)} - self._harmless
        if any(bans.message(self._source, each) for each in found):
            return True
        self._harmless |= found
        return False

    def _forbid(self, batch: Batch, bans: Bans) -> frozenset[str]:
        """Ban what a rule forbids; return the keys of it."""
        names = {
            told.native_id
            for told in batch.conversations
            if self._is_forbidden or self._forbidding.conversation(told)
        }
        names |= {
            record.conversation
            for record in batch.records
            if isinstance(record, Message)
            and (self._is_forbidden or self._forbidding.message(record))
        }
        keys = {self._key(name) for name in names}
        keys -= {key for key in keys if bans.conversation(key) is not None}
        for key in keys:
            bans.add_conversation(self._rule_entry(), key)
        return frozenset(keys)

    def _ban_kin(self, batch: Batch, bans: Bans) -> None:
        """Ban what is new and belongs to what is banned: an agent's work, a copy."""
        for told in batch.conversations:
            relatives = []
            if told.kind is Kind.SUBAGENT and told.parent:
                relatives.append(self._key(told.parent))
            if told.copy_of:
                relatives.append(conversation_key(*told.copy_of))
            entries = map(bans.conversation, relatives)
            entry = next((each for each in entries if each is not None), None)
            key = self._key(told.native_id)
            if entry is not None and not self._is_recorded(key):
                bans.add_conversation(entry, key)

    def _out(self, batch: Batch, bans: Bans) -> set[str]:
        names = {told.native_id for told in batch.conversations}
        names |= {record.conversation for record in batch.records}
        names |= {usage.conversation for usage in batch.usage}
        return {
            name for name in names if bans.conversation(self._key(name)) is not None
        }

    def _is_banned(self, message: Message, bans: Bans) -> bool:
        if bans.message(self._source, message.native_id):
            return True
        is_speech = message.role in (Role.USER, Role.ASSISTANT)
        return is_speech and message.noise is None and bans.text(message.text)

    def _sums_up(self, record: Message | Rewind) -> bool:
        """Say whether a record tells once more what its conversation lost."""
        return (
            isinstance(record, Message)
            and record.noise is Noise.SUMMARY
            and record.conversation in self._thinned
        )

    def _key(self, native_id: str) -> str:
        return conversation_key(self._source, native_id)


def _speaking(records: Collection[Message | Rewind]) -> int:
    return sum(
        isinstance(record, Message) and record.noise is None for record in records
    )
