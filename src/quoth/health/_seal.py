"""Is this process kept from connecting, and by what?"""

from __future__ import annotations

from collections.abc import Iterator

from quoth.model import Finding, Section
from quoth.seal import active, holds_to_port

from ._finding import ok

__all__ = ["sealed"]


def sealed() -> Iterator[Finding]:
    """Say what refuses connections here, and what this platform can't do."""
    seal = active()
    if seal is None:
        says = "Not sealed: a program that uses quoth keeps its network."
    elif seal.in_kernel:
        says = "Sealed: Python and the kernel refuse every connection of this process."
    else:
        says = (
            "Sealed by Python alone, which compiled code could pass by: the kernel"
            f" doesn't help here, since {seal.why_not}."
        )
    if seal is not None and not holds_to_port():
        says += (
            " What asks a server on this machine could reach other ports of it, too:"
            " this kernel has no Landlock that knows of ports."
        )
    yield ok(Section.PROGRAM, "seal", says)
