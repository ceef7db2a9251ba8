"""Prove what the commands do that are named, or all; print what was found as JSON.

Usage: proving.py [--without-network] [--without-models] COMMAND...
"""

import json
import sys
from dataclasses import asdict

import click

from quoth import health
from quoth.cli import _app, doctor
from quoth.demo import QUESTIONS, roots

if __name__ == "__main__":
    named = [word for word in sys.argv[1:] if not word.startswith("--")]
    commands = named or [*doctor.commands_of(_app.app, click.Context(_app.app))]
    if "--without-models" in sys.argv:
        commands = [name for name in commands if not name.startswith("models ")]
    proof = health.prove(
        commands=commands,
        histories=roots(),
        question=QUESTIONS[0].question,
        network="--without-network" not in sys.argv,
    )
    found = {**asdict(proof), "proven": proof.proven, "files": proof.files}
    json.dump(found, sys.stdout)
