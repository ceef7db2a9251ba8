"""What a proof is made of: what is counted, what is compared, what is concluded."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from quoth.cli._app import app
from quoth.cli.doctor import commands_of
from quoth.config import home_of
from quoth.demo import roots
from quoth.health import Control, Obstacle, Packet, Proof, Run, Shown, prove
from quoth.health._prove import _entrance
from quoth.health._prove_folders import Person, make_person
from quoth.health._prove_recipes import STEPS, steps_of
from quoth.health._prove_route import NoRouteError, Route
from quoth.health._sniffer import packet_in

SENT = Packet(protocol="tcp", to="192.0.2.1", port=80)
COUNTED = Control(name="a datagram", counted=True)


def a_proof(*runs: Run, **changes: Any) -> Proof:
    values: dict[str, Any] = {
        "obstacle": None,
        "controls": (COUNTED,),
        "runs": runs,
        "unused": (),
        "written": (),
        "dwell_s": 0.0,
        "took_s": 1.0,
    }
    return Proof(**{**values, **changes})


GOOD = Run(typed="quoth sync")


@pytest.mark.parametrize(
    ("proof", "connections", "files"),
    [
        (a_proof(GOOD), Shown.KEPT, Shown.KEPT),
        (a_proof(), Shown.UNKNOWN, Shown.UNKNOWN),
        (a_proof(GOOD, unused=("dream",)), Shown.UNKNOWN, Shown.UNKNOWN),
        (
            a_proof(GOOD, Run(typed="quoth", failure="no")),
            Shown.UNKNOWN,
            Shown.UNKNOWN,
        ),
        (
            a_proof(GOOD, Run(typed="quoth", packets=(SENT,), failure="no")),
            Shown.BROKEN,
            Shown.UNKNOWN,
        ),
        (a_proof(GOOD, Run(typed="q", outside=("x",))), Shown.KEPT, Shown.BROKEN),
        (a_proof(GOOD, controls=()), Shown.UNKNOWN, Shown.KEPT),
        (
            a_proof(GOOD, controls=(COUNTED, Control(name="a look-up", counted=False))),
            Shown.UNKNOWN,
            Shown.KEPT,
        ),
        (a_proof(GOOD, obstacle=Obstacle(says="No.")), Shown.UNKNOWN, Shown.KEPT),
    ],
)
def test_what_was_not_seen_is_not_concluded(
    proof: Proof, connections: Shown, files: Shown
) -> None:
    assert (proof.connections, proof.files) == (connections, files)
    assert proof.proven is (connections is files is Shown.KEPT)


def test_there_is_a_recipe_for_every_command() -> None:
    """A new command is proven too: say in `_prove_recipes.py` how it is used."""
    every = set(commands_of(app, click.Context(app)))

    assert every == {step.command for step in STEPS if step.command}


def test_only_what_is_asked_for_is_run_beside_the_program_itself() -> None:
    assert {step.command for step in steps_of(["embed", "sync"])} == {
        "",
        "embed",
        "sync",
    }
    assert {step.needs for step in steps_of(["embed"])} == {""}


# What is counted


def v4(protocol: int, rest: bytes = b"", to: str = "192.0.2.1") -> bytes:
    start = bytes([0x45, *bytes(8), protocol, 0, 0, *bytes(4)])
    return start + socket.inet_aton(to) + rest


def v6(protocol: int, rest: bytes = b"", to: str = "2001:db8::9") -> bytes:
    start = bytes([0x60, *bytes(5), protocol, 64, *bytes(16)])
    return start + socket.inet_pton(socket.AF_INET6, to) + rest


PORTS = bytes([0, 1, 1, 187])
QUESTION = bytes(12) + b"\x04evil\x07example\0\0\1\0\1"


@pytest.mark.parametrize(
    ("ethernet_type", "payload", "found"),
    [
        (0x0800, v4(6, PORTS), Packet(protocol="tcp", to="192.0.2.1", port=443)),
        (0x0800, v4(1), Packet(protocol="icmp", to="192.0.2.1")),
        (0x0800, v4(17), Packet(protocol="udp", to="192.0.2.1")),
        (0x0800, v4(132), Packet(protocol="protocol 132", to="192.0.2.1")),
        (
            0x0800,
            v4(17, bytes([0, 1, 0, 53, 0, 0, 0, 0]) + QUESTION),
            Packet(protocol="udp", to="192.0.2.1", port=53, about="evil.example"),
        ),
        (
            0x0800,
            v4(17, bytes([0, 1, 0, 53, 0, 0, 0, 0])),
            Packet(protocol="udp", to="192.0.2.1", port=53),
        ),
        (0x86DD, v6(17, PORTS), Packet(protocol="udp", to="2001:db8::9", port=443)),
        (0x86DD, v6(58), Packet(protocol="icmpv6", to="2001:db8::9")),
        (0x86DD, v6(58, to="ff02::2"), None),
        (0x86DD, v6(0, to="ff02::16"), None),
        (
            0x86DD,
            v6(17, PORTS, to="ff02::fb"),
            Packet(protocol="udp", to="ff02::fb", port=443),
        ),
        (
            0x0806,
            bytes(24) + socket.inet_aton("198.51.100.7"),
            Packet(protocol="arp", to="198.51.100.7"),
        ),
        (0x0800, b"E", Packet(protocol="ethernet type 0x0800", to="the link")),
        (0x88CC, b"", Packet(protocol="ethernet type 0x88cc", to="the link")),
    ],
)
def test_everything_counts_but_what_the_kernel_says_by_itself(
    ethernet_type: int, payload: bytes, found: Packet | None
) -> None:
    assert packet_in(ethernet_type, payload) == found


def test_nothing_is_sent_where_a_route_may_lead_out(tmp_path: Path) -> None:
    if not routes_lead_out():
        pytest.skip("no route leads out of here")

    with pytest.raises(NoRouteError, match="no network namespace of its own"):
        Route(os.environ, scratch=tmp_path)


def routes_lead_out() -> bool:
    table = Path("/proc/self/net/route")
    return table.exists() and len(table.read_text("ascii").splitlines()) > 1


@pytest.mark.parametrize(
    ("there", "says", "advice"),
    [
        ([], "The program `unshare` is missing.", "Install the package util-linux."),
        (
            ["unshare", "mount"],
            "The program `ip` is missing.",
            "Install the package iproute2.",
        ),
        (
            ["unshare", "mount", "ip"],
            "No process may have a network of its own here: `not permitted`",
            "Run it as root, or outside of the container.",
        ),
    ],
)
def test_what_stands_in_the_way_is_named_with_what_to_do(
    tmp_path: Path, there: list[str], says: str, advice: str
) -> None:
    for name in there:
        program = tmp_path / name
        program.write_text("#!/bin/sh\necho not permitted >&2\nexit 1\n", "utf-8")
        program.chmod(0o755)

    assert _entrance({"PATH": str(tmp_path)}) == Obstacle(says=says, advice=advice)


# What is compared


@pytest.fixture
def person(tmp_path: Path) -> Person:
    """Return somebody with the demo's histories."""
    return make_person(tmp_path, roots())


def _make(person: Person) -> None:
    (person.home / ".device-id").touch()


def _change(person: Person) -> None:
    person.export.write_text("{}", encoding="utf-8")


def _change_back(person: Person) -> None:
    before = person.export.read_bytes()
    person.export.write_bytes(b"other")
    person.export.write_bytes(before)


def _remove(person: Person) -> None:
    person.export.unlink()


def _make_and_remove(person: Person) -> None:
    (person.home / ".cache" / "telemetry").touch()
    (person.home / ".cache" / "telemetry").unlink()


def _give_away(person: Person) -> None:
    person.export.chmod(0o666)


def _make_beside(person: Person) -> None:
    (person.data.parent / "other").mkdir()


@pytest.mark.parametrize(
    "write",
    [
        _make,
        _change,
        _change_back,
        _remove,
        _make_and_remove,
        _give_away,
        _make_beside,
    ],
)
def test_whatever_is_written_outside_is_seen(
    person: Person, write: Callable[[Person], None]
) -> None:
    before = person.state_outside()

    write(person)

    assert person.state_outside() != before


def test_what_is_written_in_the_data_folder_is_not_outside(person: Person) -> None:
    before = person.state_outside()

    person.data.mkdir(mode=0o700)
    (person.data / "quoth.db").touch(mode=0o600)

    assert person.state_outside() == before
    assert {(each.path, each.mode) for each in person.written()} == {
        (".", 0o700),
        ("quoth.db", 0o600),
    }


def test_the_data_folder_is_where_quoth_puts_it(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = person.environ({})
    monkeypatch.setenv("XDG_DATA_HOME", environ["XDG_DATA_HOME"])

    assert home_of(environ, home_dir=person.home) == person.data


def test_nothing_of_who_runs_it_is_handed_on(person: Person) -> None:
    given = {
        "CI": "true",
        "ORT_DISABLE_TELEMETRY": "1",
        "QUOTH_HOME": "/home/ada/quoth",
        "PATH": "/opt/bin",
        "PYTHONPATH": "src",
    }

    environ = person.environ(given)

    assert environ["PYTHONPATH"] == str(Path("src").absolute())
    assert environ["PATH"] == "/opt/bin:/usr/sbin:/sbin"
    assert not environ.keys() & {"CI", "ORT_DISABLE_TELEMETRY", "QUOTH_HOME"}


def test_without_a_network_files_are_watched_all_the_same() -> None:
    told: list[str] = []

    proof = prove(
        commands=["config path", "dream"],
        histories=roots(),
        question="tides",
        network=False,
        progress=told.append,
    )

    assert [run.typed for run in proof.runs] == told
    assert "quoth config path" in told
    assert [run.failure for run in proof.runs] == [None] * len(told)
    assert (proof.unused, proof.connections) == (("dream",), Shown.UNKNOWN)
