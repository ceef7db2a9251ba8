"""The tree of messages in a conversation of ChatGPT."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from ._branches import Branch, Node, branches_of
from ._moments import moment_of

__all__ = ["Tree", "object_at"]


class Tree:
    """Nodes by their id, each below its parent and with the message it holds.

    A node without a message is there only for what hangs on it.
    """

    def __init__(self, mapping: Mapping[str, Any]) -> None:
        self._nodes = {
            identity: node
            for identity, node in mapping.items()
            if isinstance(node, dict)
        }
        self._parents = _parents_in(self._nodes)
        self._times = {
            identity: moment_of(self.message(identity).get("create_time"))
            for identity in self._nodes
        }

    def message(self, identity: str) -> Mapping[str, Any]:
        """Return the message of a node, {} if it has none."""
        return object_at(self._nodes[identity], "message")

    def time(self, identity: str) -> datetime | None:
        """Return when the message of a node was written, if it says so."""
        return self._times[identity]

    def parent(self, identity: str) -> str:
        """Return the node above, '' if there is none."""
        return self._parents[identity]

    def branches(self, current: object) -> list[Branch]:
        """Return all nodes in branches; *current* is where the live one ends."""
        nodes = [
            Node(
                id=identity,
                parent=self.parent(identity),
                at=self._times[identity],
            )
            for identity in self._nodes
        ]
        known = current if isinstance(current, str) else None
        return branches_of(nodes, current=known)


def object_at(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the object that *key* holds, {} if it holds anything else."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def _parents_in(nodes: Mapping[str, Mapping[str, Any]]) -> dict[str, str]:
    """Return what each node is below: the node it names, else one that lists it.

    Where that is no node, or nobody says, it is the one before it in the file: what led
    up to it is shown all the same. A node that says it is below nothing begins a tree.
    """
    listed = dict(_listed_in(nodes))
    parents: dict[str, str] = {}
    before = ""
    for identity, node in nodes.items():
        named = node.get("parent")
        parent = named if isinstance(named, str) else listed.get(identity, "")
        is_root = "parent" in node and not named
        if parent not in nodes:
            parent = listed.get(identity, "" if is_root else before)
        parents[identity] = parent
        before = identity
    return parents


def _listed_in(nodes: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield each node that another one lists as its child, with that other one."""
    for identity, node in nodes.items():
        children = node.get("children")
        for child in children if isinstance(children, list) else ():
            if isinstance(child, str):
                yield child, identity
