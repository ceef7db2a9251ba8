"""Asking the kernel to refuse what Python doesn't see: Linux alone."""

from __future__ import annotations

import ctypes
import os
import platform
import sys
from collections.abc import Callable
from functools import lru_cache
from struct import pack

from ._bpf import CALLS, Calls, Instruction, packed

__all__ = [
    "KNOWS_PORTS",
    "KernelError",
    "filter_system_calls",
    "landlock_version",
    "only_port",
]

_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER, _FOR_ALL_THREADS = 1, 1

_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_ASK_VERSION = 1
_BIND_TCP, _CONNECT_TCP = 1, 2
_RULE_OF_PORT = 2
KNOWS_PORTS = 4
"""The version of Landlock that first knew of TCP."""


class KernelError(Exception):
    """The kernel can't do it; the text says why, as the end of a sentence."""


def filter_system_calls(program: Callable[[Calls], list[Instruction]]) -> None:
    """Have this process, all its threads and children be refused what *program* says.

    Raises:
        KernelError: It isn't Linux, another machine, or not allowed here.
    """
    calls = CALLS.get(platform.machine())
    if sys.platform != "linux" or calls is None:
        raise KernelError(f"{sys.platform} on {platform.machine()} isn't known")
    content = packed(program(calls))
    buffer = ctypes.create_string_buffer(content, len(content))
    filters = _Program(len(content) // 8, ctypes.addressof(buffer))
    _give_up_privileges()
    _done(
        _libc().syscall(
            calls.seccomp, _SET_MODE_FILTER, _FOR_ALL_THREADS, ctypes.byref(filters)
        )
    )


def landlock_version() -> int:
    """Return the version of Landlock, 0 where there is none."""
    if sys.platform != "linux":
        return 0
    version: int = _libc().syscall(_LANDLOCK_CREATE, None, 0, _ASK_VERSION)
    return max(version, 0)


def only_port(port: int) -> None:
    """Have this process connect by TCP to no other port, of whatever address.

    Raises:
        KernelError: There is no Landlock that knows of ports.
    """
    if landlock_version() < KNOWS_PORTS:
        raise KernelError("this kernel has no Landlock that knows of ports")
    handled = pack("QQ", 0, _BIND_TCP | _CONNECT_TCP)
    rules = _done(_libc().syscall(_LANDLOCK_CREATE, handled, len(handled), 0))
    try:
        allowed = pack("QQ", _CONNECT_TCP, port)
        _done(_libc().syscall(_LANDLOCK_ADD, rules, _RULE_OF_PORT, allowed, 0))
        _give_up_privileges()
        _done(_libc().syscall(_LANDLOCK_RESTRICT, rules, 0))
    finally:
        os.close(rules)


class _Program(ctypes.Structure):
    """The kernel's `sock_fprog`."""

    _fields_ = (("len", ctypes.c_ushort), ("filter", ctypes.c_void_p))


@lru_cache(maxsize=1)
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _give_up_privileges() -> None:
    """Without this, root alone may ask for filters: they could deceive others."""
    _done(_libc().prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0))


def _done(result: int) -> int:
    if result < 0:
        raise KernelError(os.strerror(ctypes.get_errno()).lower())
    return result
