"""Sealing this process, and saying how well."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Seal", "active", "holds_to_port", "seal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seal:
    """What keeps this process from connecting.

    Attributes:
        in_kernel: Whether the kernel refuses, whatever asks it; else Python alone does,
            and what is compiled could pass it by.
        why_not: Why the kernel doesn't, as the end of a sentence.
    """

    in_kernel: bool
    why_not: str | None = None


_ACTIVE: list[Seal] = []
"""What was done to this process; a seal can't be taken off again."""


def seal(*, in_kernel: bool = True) -> Seal:
    """Let this process and its children connect to nobody any more.

    Never fails: where the kernel can't, what is returned says so.

    Args:
        in_kernel: Ask the kernel too. Its refusal goes on to every child.
    """
    from ._audit import forbid_connections
    from ._bpf import sealed_program
    from ._kernel import KernelError, filter_system_calls

    if _ACTIVE:
        return _ACTIVE[0]
    forbid_connections()
    why_not: str | None = "it was not asked to"
    if in_kernel:
        try:
            filter_system_calls(sealed_program)
            why_not = None
        except KernelError as error:
            why_not = str(error)
    _ACTIVE.append(Seal(in_kernel=why_not is None, why_not=why_not))
    return _ACTIVE[0]


def active() -> Seal | None:
    """Return what was done to this process; None when nothing was."""
    return _ACTIVE[0] if _ACTIVE else None


def holds_to_port() -> bool:
    """Say whether a process that asks a server can be held to that one port here."""
    from ._kernel import KNOWS_PORTS, landlock_version

    return landlock_version() >= KNOWS_PORTS
