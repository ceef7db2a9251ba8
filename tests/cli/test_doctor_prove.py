"""How `quoth doctor --prove` says what it found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from quoth.archive import Archive
from quoth.cli._app import app
from quoth.cli._proof_json import proof_json
from quoth.cli._proof_text import proof_text
from quoth.cli._runtime import Runtime
from quoth.cli._terminal import Terminal
from quoth.cli.doctor import commands_of
from quoth.config import Settings
from quoth.health import Control, Obstacle, Packet, Proof, Run, Written

from .fakes import NOW
from .test_json import documented, paths_of

A_PACKET = Packet(protocol="tcp", to="192.0.2.1", port=80)
A_LOOK_UP = Packet(protocol="udp", to="203.0.113.53", port=53, about="evil.example")
A_RUN = Run(typed="quoth sync")
A_BAD_RUN = Run(
    typed="quoth search tides",
    packets=(A_PACKET, A_LOOK_UP),
    outside=("person/.device-id",),
    failure="It ended with status 1: no.",
)
AN_OBSTACLE = Obstacle(
    says="The program `ip` is missing.", advice="Install the package iproute2."
)


def a_proof(*runs: Run, **changes: Any) -> Proof:
    values: dict[str, Any] = {
        "obstacle": None,
        "controls": (Control(name="a datagram", counted=True),),
        "runs": runs or (A_RUN,),
        "unused": (),
        "written": (Written(path="quoth.db", mode=0o600),),
        "dwell_s": 0.0,
        "took_s": 8.6,
    }
    return Proof(**{**values, **changes})


def text_of(proof: Proof) -> str:
    return proof_text(proof, terminal=Terminal())


def test_what_is_proven_is_said_with_how() -> None:
    assert (
        text_of(a_proof())
        == """\
Connections
  ok      0 packets left.
          Every run had a network whose only way out ended in a listener. Before
          them, what is known to send was counted there: a datagram.

Files
  ok      0 files written outside of the data folder.
          Compared before and after every run: the home, the cache, settings and
          state folders, the temporary and the working folder of an invented
          person.

What was run, the packets it sent, the files it wrote outside
    0   0 quoth sync

Proven: nothing left, and nothing was written elsewhere. 1 run in 8.6 s."""
    )


def test_what_was_sent_and_written_is_said_below_the_run_that_did_it() -> None:
    _, _, told = text_of(a_proof(A_RUN, A_BAD_RUN)).partition("wrote outside\n")

    assert (
        told
        == """\
    0   0 quoth sync
    2   1 quoth search tides
            sent: tcp to 192.0.2.1, port 80
            sent: udp to 203.0.113.53, port 53, asking for evil.example
            written: person/.device-id
            failed: It ended with status 1: no.

Not proven: 2 packets left; 1 file written; 1 run failed. 2 runs in 8.6 s."""
    )


def test_of_many_packets_some_are_shown_and_all_are_counted() -> None:
    text = text_of(a_proof(replace(A_RUN, packets=(A_PACKET,) * 1234)))

    assert text.count("sent: tcp") == 20
    assert "            and 1,214 more\n" in text
    assert "  BROKEN  1,234 packets left." in text


@pytest.mark.parametrize(
    ("proof", "said"),
    [
        (
            a_proof(obstacle=AN_OBSTACLE, controls=()),
            "UNKNOWN What is sent could not be counted. The program `ip` is missing."
            " To do: Install the package iproute2.",
        ),
        (
            a_proof(obstacle=replace(AN_OBSTACLE, advice=None), controls=()),
            "UNKNOWN What is sent could not be counted. The program `ip` is missing.",
        ),
        (
            a_proof(controls=(Control(name="a datagram", counted=False),)),
            "UNKNOWN 0 packets left. That proves nothing: the proof itself doesn't work"
            " here. Not counted, although it was sent: a datagram.",
        ),
        (a_proof(unused=("dream",)), "Not proven: not tried: dream."),
    ],
    ids=["obstacle", "obstacle for good", "control", "unused"],
)
def test_what_is_not_proven_is_never_called_proven(proof: Proof, said: str) -> None:
    text = text_of(proof)

    assert said in " ".join(text.split())
    assert "Not proven: " in text
    assert "Proven" not in text


def test_where_nothing_counts_packets_none_are_said_to_be_counted() -> None:
    assert "    ?   0 quoth sync" in text_of(a_proof(obstacle=AN_OBSTACLE, controls=()))


@pytest.mark.parametrize("proof", [a_proof(), a_proof(A_BAD_RUN)])
def test_it_fits_a_terminal_and_has_no_colour_of_its_own(proof: Proof) -> None:
    text = text_of(proof)

    assert max(map(len, text.splitlines())) <= 80
    assert "\x1b" not in text


def test_every_key_of_the_json_is_documented_and_nothing_else() -> None:
    shown = proof_json(a_proof(A_BAD_RUN, obstacle=AN_OBSTACLE))

    assert documented("doctor --prove") == set(paths_of(shown))


def test_modes_are_octal_in_the_json() -> None:
    written = proof_json(a_proof())["written"]

    assert written == [{"path": "quoth.db", "mode": "600"}]


# The command


class FakeProver:
    """Stands for what runs for seconds; keeps what it was asked."""

    def __init__(self, proof: Proof) -> None:
        self.proof = proof
        self.asked: dict[str, Any] = {}

    def __call__(self, **asked: Any) -> Proof:
        self.asked = asked
        asked["progress"]("quoth sync")
        return self.proof


def run(folder: Path, *args: str) -> Result:
    def opened(_settings: Settings) -> Archive:
        raise AssertionError("a proof opens no archive of the person's")

    runtime = Runtime(
        environ={"QUOTH_HOME": str(folder / "quoth")},
        home_dir=folder,
        now=lambda: NOW,
        open_archive=opened,
        program=lambda: "quoth",
    )
    return CliRunner().invoke(app, args, obj=runtime)


@pytest.fixture
def prover(monkeypatch: pytest.MonkeyPatch) -> FakeProver:
    """Return what `quoth doctor --prove` asks here."""
    fake = FakeProver(a_proof())
    monkeypatch.setattr("quoth.health.prove", fake)
    return fake


def test_it_ends_with_0_only_when_all_is_proven(
    tmp_path: Path, prover: FakeProver
) -> None:
    proven = run(tmp_path, "doctor", "--prove")
    prover.proof = a_proof(A_BAD_RUN)
    broken = run(tmp_path, "doctor", "--prove")

    assert (proven.exit_code, broken.exit_code) == (0, 1)
    assert not (tmp_path / "quoth").exists()


def test_every_command_that_there_is_is_to_be_proven(
    tmp_path: Path, prover: FakeProver
) -> None:
    result = run(tmp_path, "doctor", "--prove", "--dwell", "2.5", "--json")

    every = [*commands_of(app, click.Context(app))]
    assert {"sync", "config get", "doctor"} <= set(every)
    assert (prover.asked["commands"], prover.asked["dwell_s"]) == (every, 2.5)
    assert json.loads(result.stdout)["proven"] is True


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["--prove", "--repair"],
            "--prove looks at no archive of yours: use it alone.",
        ),
        (["--prove", "--deep"], "--prove looks at no archive of yours: use it alone."),
        (["--dwell", "3"], "--dwell says how long --prove watches: add --prove."),
    ],
)
def test_what_can_not_be_meant_is_wrong_usage(
    tmp_path: Path, args: Sequence[str], said: str
) -> None:
    result = run(tmp_path, "doctor", *args)

    assert result.exit_code == 2
    assert said in result.stderr
