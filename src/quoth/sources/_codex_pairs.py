"""Codex writes most turns twice, as an event and as a response item: keeping one.

Of a pair the first to come is kept, in whichever order. Only opposite kinds make a
pair, so what was really said twice stays said twice.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from quoth.model import Message, Noise, Origin, Role

from ._bounds import cut_short
from ._codex_text import INJECTED_LIMIT
from ._moments import moment_of

__all__ = [
    "EVENT",
    "RESPONSE",
    "Echoes",
    "Prompts",
    "Replies",
    "as_injected",
    "digest_of",
    "packed",
    "unpacked",
]

EVENT = "event_msg"
RESPONSE = "response_item"

_MOST_LOOSE = 32
_MOST_HELD = 50
_ENDS = 32
"""Words at each end of a reply that tell whether another one says the same."""

_SAME_MOMENT = timedelta(seconds=1)


def digest_of(text: str) -> str:
    """Return what texts have in common that differ at most in their blanks."""
    return hashlib.sha256(" ".join(text.split()).encode()).hexdigest()[:12]


def _ends(text: str) -> tuple[list[str], list[str]]:
    """Return hashes of the first words and, from the back, of the last ones.

    Hashes, for a checkpoint is stored: redaction knows no secret by a part of it.
    """
    words = text.split()
    return (
        [digest_of(word) for word in words[:_ENDS]],
        [digest_of(word) for word in words[: -_ENDS - 1 : -1]],
    )


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many words two texts begin alike with."""
    pairs = enumerate(zip(one, other, strict=False))
    differing = (place for place, (a, b) in pairs if a != b)
    return next(differing, min(len(one), len(other)))


def as_injected(message: Message) -> Message:
    """Return *message* as text that the program put in, within bounds."""
    return replace(
        message,
        role=Role.SYSTEM,
        noise=Noise.INJECTED,
        text=cut_short(message.text, INJECTED_LIMIT),
    )


class Replies:
    """Pairs what the assistant said and thought; all of it is in *state*."""

    def __init__(self, state: dict[str, Any]) -> None:
        self._loose: list[list[str]] = state.setdefault("loose", [])
        self._state = state

    def is_new(self, text: str, *, kind: str, of: str) -> bool:
        """Say whether *text* is no repetition; it then waits for its double."""
        digest = digest_of(text)
        opposite = [EVENT if kind == RESPONSE else RESPONSE, of, digest]
        if opposite in self._loose:
            self._loose.remove(opposite)
            self.interrupt()  # its last double came: the next reply is another one
            return False
        self._loose.append([kind, of, digest])
        del self._loose[:-_MOST_LOOSE]
        return True

    def is_alike(self, text: str, *, kind: str, at: datetime | None) -> bool:
        """Say whether *text* is, but for a part, what the other kind has just said.

        The event lacks what the program takes out of the item, such as citations.
        """
        last = self._state.get("last")
        then = moment_of(last["at"]) if last else None
        if last is None or last["kind"] == kind or then is None or at is None:
            return False
        if abs(at - then) > _SAME_MOMENT:
            return False
        head, tail = _ends(text)
        alike = _shared(last["head"], head) + _shared(last["tail"], tail)
        longest: int = max(last["size"], len(text.split()))
        if alike < min(longest, 2 * _ENDS) / 2:
            return False
        self.interrupt()
        return True

    def said(self, message: Message, *, kind: str) -> None:
        """Remember the ends of a reply, until anything else comes between."""
        head, tail = _ends(message.text)
        self._state["last"] = {
            "kind": kind,
            "at": message.at.isoformat() if message.at else None,
            "head": head,
            "tail": tail,
            "size": len(message.text.split()),
        }

    def interrupt(self) -> None:
        """Something else came between: the next reply is no double of the last."""
        self._state["last"] = None

    def forget(self) -> None:
        """A new prompt came: what is said from here on answers that."""
        self.interrupt()
        self._loose.clear()


class Echoes:
    """Pairs events of two types that tell the same; all of it is in *loose*.

    What was typed or said may stand in an event of its own and, once more, in that of
    an item which was completed.
    """

    def __init__(self, loose: list[list[str]]) -> None:
        self._loose = loose

    def is_new(self, text: str, *, told_in: str, by: str) -> bool:
        """Say whether *text* is no repetition; it then waits for its double."""
        digest = digest_of(text)
        for loose in self._loose:
            if loose[0] == by and loose[1] != told_in and loose[2] == digest:
                self._loose.remove(loose)
                return False
        self._loose.append([by, told_in, digest])
        del self._loose[:-_MOST_LOOSE]
        return True

    def forget(self, by: str) -> None:
        """The other side has spoken: what one side says now is no repetition."""
        self._loose[:] = [loose for loose in self._loose if loose[0] != by]


class Prompts:
    """Pairs what the person typed; all of it is in *state*.

    A response item of role user may be a prompt or text that the program put in, and
    only the event that comes with a prompt tells. So an item is held back until its
    event comes, or the assistant does something. With an event in between, items
    unlike it were put in; without one, they are the prompts.
    """

    def __init__(self, state: dict[str, Any]) -> None:
        self._held: list[dict[str, Any]] = state.setdefault("held", [])
        self._loose: list[list[Any]] = state.setdefault("loose", [])
        self._state = state

    def aside(self, message: Message) -> Iterator[Message]:
        """Yield what is due, now that *message*, which is no prompt, has come."""
        if not self._held:
            yield message
            return
        self._held.append({"message": packed(message)})
        yield from self._overflowing()

    def response(self, message: Message) -> Iterator[Message]:
        """Yield what is due, now that a response item came that may be a prompt."""
        digest = digest_of(message.text)
        if self._pairs(EVENT, digest):
            return
        self._held.append({"message": packed(message), "hash": digest})
        yield from self._overflowing()

    def event(self, message: Message) -> Iterator[Message]:
        """Yield what is due, now that an event told what the person typed."""
        digest = digest_of(message.text)
        self._state["told"] = True
        hashes = [held.get("hash") for held in self._held]
        if digest in hashes:
            yield from self._released(hashes.index(digest) + 1, prompt=digest)
            return
        if self._pairs(RESPONSE, digest):
            return
        yield from self._released(len(self._held))
        self._loose.append([EVENT, digest, self._state.get("turn", 0)])
        del self._loose[:-_MOST_LOOSE]
        yield message

    def settle(self) -> Iterator[Message]:
        """Yield what was held back, now that the turn has gone on without an event."""
        if not self._held and not self._state.get("told"):
            return
        turn = self._state.get("turn", 0)
        told = bool(self._state.get("told"))
        if not told:
            hashes = [held["hash"] for held in self._held if "hash" in held]
            self._loose += [[RESPONSE, digest, turn] for digest in hashes]
        yield from self._released(len(self._held), prompt=None if told else "")
        self._state["told"] = False
        self._state["turn"] = turn + 1
        self._loose[:] = [loose for loose in self._loose if loose[2] >= turn]

    def _overflowing(self) -> Iterator[Message]:
        if len(self._held) >= _MOST_HELD:
            yield from self.settle()

    def _pairs(self, kind: str, digest: str) -> bool:
        for loose in self._loose:
            if loose[:2] == [kind, digest]:
                self._loose.remove(loose)
                return True
        return False

    def _released(self, count: int, *, prompt: str | None = None) -> Iterable[Message]:
        """Take the first *count* off; *prompt* is the hash of the one, '' for all."""
        released = self._held[:count]
        del self._held[:count]
        for held in released:
            message = unpacked(held["message"])
            typed = "hash" not in held or prompt in ("", held["hash"])
            yield message if typed else as_injected(message)


def packed(message: Message) -> dict[str, Any]:
    """Return a message of role user or system as plain JSON values."""
    return {
        "conversation": message.conversation,
        "native_id": message.native_id,
        "role": message.role.value,
        "text": message.text,
        "at": message.at.isoformat() if message.at else None,
        "approximate_time": message.approximate_time,
        "cwd": message.cwd,
        "branch": message.branch,
        "noise": message.noise.value if message.noise else None,
        "is_command": message.is_command,
        "origin": [message.origin.offset, message.origin.length, message.origin.path],
    }


def unpacked(values: dict[str, Any]) -> Message:
    """Return the message that plain JSON values stand for."""
    offset, length, path = values["origin"]
    noise = values["noise"]
    return Message(
        **{
            **values,
            "role": Role(values["role"]),
            "at": moment_of(values["at"]),
            "noise": Noise(noise) if noise else None,
            "origin": Origin(offset=offset, length=length, path=path),
        }
    )
