"""Putting the messages of a tree in order: what is shown, and what was left for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

__all__ = ["Branch", "Node", "branches_of"]

_MOST_BRANCHES = 1_000
"""A conversation that leaves its path so often nobody held; each time costs a look at
all of it when it is stored."""

_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A place in the tree: its id is met once, its parent may be no node at all."""

    id: str
    parent: str | None
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Branch:
    """Nodes that follow one another in the order they are told in.

    What is not live was edited, answered again or cut off: a source that tells it
    yields a `Rewind` to its first message after it.
    """

    ids: tuple[str, ...]
    is_live: bool


def branches_of(nodes: Sequence[Node], *, current: str | None = None) -> list[Branch]:
    """Return all nodes in branches: the live path, and the others where they left it.

    Where that would be very many, the others come after it as one.

    Args:
        nodes: In the order of the file.
        current: The last node of the live path; if it is none, the newest leaf is, or
            where all run in circles the newest node.
    """
    known = {node.id: node for node in nodes}
    children = _children(nodes, known)
    if current not in known:
        current = _newest_leaf(nodes, children)
    path = _path_to(current, known)
    on_path = set(path)
    branches = [_lost(nodes, known, children, on_path)]
    for identity in path:
        branches.append(Branch(ids=(identity,), is_live=True))
        dead = [child for child in children.get(identity, ()) if child not in on_path]
        branches.append(Branch(ids=(*_below(dead, children),), is_live=False))
    joined = [*_joined(branches)]
    if len(joined) > _MOST_BRANCHES:
        joined.sort(key=lambda branch: not branch.is_live)
        joined = [*_joined(joined)]
    return joined


def _children(nodes: Sequence[Node], known: Mapping[str, Node]) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for node in nodes:
        if node.parent is not None and node.parent in known:
            children.setdefault(node.parent, []).append(node.id)
    return children


def _newest_leaf(
    nodes: Sequence[Node], children: Mapping[str, Sequence[str]]
) -> str | None:
    leaves = [node for node in nodes if node.id not in children] or nodes
    order = {node.id: place for place, node in enumerate(nodes)}
    newest = max(
        leaves, key=lambda node: (node.at or _EPOCH, order[node.id]), default=None
    )
    return newest.id if newest else None


def _path_to(last: str | None, known: Mapping[str, Node]) -> list[str]:
    """Return the ids from the root to *last*; a circle is left where it closes."""
    path: dict[str, None] = {}
    while last is not None and last in known and last not in path:
        path[last] = None
        last = known[last].parent
    return [*reversed(path)]


def _lost(
    nodes: Sequence[Node],
    known: Mapping[str, Node],
    children: Mapping[str, Sequence[str]],
    on_path: set[str],
) -> Branch:
    """Return what the live path does not lead to: other trees, and circles."""
    roots = [
        node.id for node in nodes if node.parent not in known and node.id not in on_path
    ]
    lost = [*_below(roots, children)]
    reached = {*lost, *_below([*on_path], children)}
    rest = [node.id for node in nodes if node.id not in reached]
    return Branch(ids=(*lost, *rest), is_live=False)


def _below(
    roots: Sequence[str], children: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """Yield every node at or below *roots* once, a parent before its children."""
    waiting = [*reversed(roots)]
    met: set[str] = set()
    while waiting:
        identity = waiting.pop()
        if identity not in met:
            met.add(identity)
            yield identity
            waiting += reversed(children.get(identity, ()))


def _joined(branches: Sequence[Branch]) -> Iterator[Branch]:
    """Yield branches with neighbours of one kind as one, and no empty ones."""
    ids: list[str] = []
    is_live = False
    for branch in branches:
        if ids and branch.ids and branch.is_live != is_live:
            yield Branch(ids=tuple(ids), is_live=is_live)
            ids = []
        if branch.ids:
            is_live = branch.is_live
            ids += branch.ids
    if ids:
        yield Branch(ids=tuple(ids), is_live=is_live)
