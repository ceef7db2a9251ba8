"""What a proof found, as plain JSON values. docs/json.md describes every key."""

from __future__ import annotations

from dataclasses import asdict

from quoth.health import Proof, Run

from ._json import decoded

__all__ = ["proof_json"]

PROOF_SCHEMA = 1


def proof_json(proof: Proof) -> dict[str, object]:
    """Return what was shown, and everything it was concluded from."""
    return {
        "schema": PROOF_SCHEMA,
        "proven": proof.proven,
        "connections": proof.connections.value,
        "files": proof.files.value,
        "obstacle": proof.obstacle
        and {
            "says": decoded(proof.obstacle.says),
            "advice": proof.obstacle.advice,
        },
        "controls": [asdict(control) for control in proof.controls],
        "runs": [_run(run) for run in proof.runs],
        "unused": list(proof.unused),
        "written": [
            {"path": decoded(each.path), "mode": f"{each.mode:03o}"}
            for each in proof.written
        ],
        "dwell_s": proof.dwell_s,
        "took_s": round(proof.took_s, 3),
    }


def _run(run: Run) -> dict[str, object]:
    return {
        "typed": decoded(run.typed),
        "packets": [asdict(packet) for packet in run.packets],
        "outside": [decoded(path) for path in run.outside],
        "failure": run.failure and decoded(run.failure),
    }
