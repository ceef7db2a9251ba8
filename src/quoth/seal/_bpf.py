"""Filters of system calls, as the kernel takes them: classic BPF over `seccomp_data`.

https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from struct import pack
from typing import Final, TypeAlias

__all__ = [
    "CALLS",
    "Calls",
    "Instruction",
    "loopback_program",
    "packed",
    "sealed_program",
]

Instruction: TypeAlias = tuple[int, int, int, int]
"""Code, how far to jump when true, and when false, and a number."""

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_JUMP_ANY_BIT = 0x45
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | 13
"""With EACCES."""

_NUMBER, _ARCHITECTURE, _FIRST, _SECOND, _THIRD, _FOURTH = 0, 4, 16, 24, 32, 40
"""Where `seccomp_data` has them; of an argument its lower half, as both machines do."""

_IO_URING_SETUP = 425
"""Through a ring, sockets are made without the call that is watched."""

_X32 = 0x40000000
_UNIX, _INET, _INET6 = 1, 2, 10
_STREAM, _KIND_OF_TYPE = 1, 0xF
_DEFAULT, _TCP = 0, 6
"""Protocols of a stream. Landlock watches no other, such as MPTCP."""

_FAST_OPEN = 0x20000000
"""A flag of sending: it connects, past Landlock, which watches `connect`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """The numbers of a machine's system calls, and of its architecture itself."""

    architecture: int
    seccomp: int
    socket: int
    sendto: int
    sendmsg: int
    sendmmsg: int


CALLS: Final = {
    "x86_64": Calls(
        architecture=0xC000003E,
        seccomp=317,
        socket=41,
        sendto=44,
        sendmsg=46,
        sendmmsg=307,
    ),
    "aarch64": Calls(
        architecture=0xC00000B7,
        seccomp=277,
        socket=198,
        sendto=206,
        sendmsg=211,
        sendmmsg=269,
    ),
}


def sealed_program(calls: Calls) -> list[Instruction]:
    """Let a process make sockets of files alone."""
    return _program(calls, [_load(_FIRST), *_allowed_if(_UNIX), _refused()])


def loopback_program(calls: Calls) -> list[Instruction]:
    """Let a process make sockets of files, and such as can connect by TCP."""
    return _program(
        calls,
        [
            _load(_FIRST),
            *_allowed_if(_UNIX),
            (_JUMP_EQUAL, 2, 0, _INET),
            (_JUMP_EQUAL, 1, 0, _INET6),
            _refused(),
            _load(_SECOND),
            (_AND, 0, 0, _KIND_OF_TYPE),
            (_JUMP_EQUAL, 1, 0, _STREAM),
            _refused(),
            _load(_THIRD),
            *_allowed_if(_DEFAULT),
            *_allowed_if(_TCP),
            _refused(),
        ],
        before=[
            *_refused_with(calls.sendto, _FAST_OPEN, at=_FOURTH),
            *_refused_with(calls.sendmsg, _FAST_OPEN, at=_THIRD),
            *_refused_with(calls.sendmmsg, _FAST_OPEN, at=_FOURTH),
        ],
    )


def packed(program: Sequence[Instruction]) -> bytes:
    """Return a program as an array of `sock_filter`."""
    return b"".join(pack("HBBI", *each) for each in program)


def _program(
    calls: Calls,
    of_socket: Sequence[Instruction],
    *,
    before: Sequence[Instruction] = (),
) -> list[Instruction]:
    """Return a program that asks *of_socket* about each socket that is to be made.

    What is *before* finds the number of the call loaded, and leaves it so.
    """
    return [
        _load(_ARCHITECTURE),
        (_JUMP_EQUAL, 1, 0, calls.architecture),
        _refused(),
        _load(_NUMBER),
        (_JUMP_AT_LEAST, 0, 1, _X32),
        _refused(),
        (_JUMP_EQUAL, 0, 1, _IO_URING_SETUP),
        _refused(),
        *before,
        (_JUMP_EQUAL, 1, 0, calls.socket),
        (_RETURN, 0, 0, _ALLOW),
        *of_socket,
    ]


def _load(offset: int) -> Instruction:
    return (_LOAD, 0, 0, offset)


def _allowed_if(number: int) -> list[Instruction]:
    return [(_JUMP_EQUAL, 0, 1, number), (_RETURN, 0, 0, _ALLOW)]


def _refused() -> Instruction:
    return (_RETURN, 0, 0, _REFUSE)


def _refused_with(call: int, flag: int, *, at: int) -> list[Instruction]:
    return [
        (_JUMP_EQUAL, 0, 4, call),
        _load(at),
        (_JUMP_ANY_BIT, 0, 1, flag),
        _refused(),
        _load(_NUMBER),
    ]
