"""The exact text that this version of the rules makes of one conversation.

Stored texts are compared with what a newer version makes of them, and the version is
part of a citation's hash: whoever changes the result raises `RULES_VERSION`, too.
"""

from __future__ import annotations

from pathlib import Path

from quoth.redaction import RULES_VERSION, redact_text

from .secrets_made_here import BASE64, ISSUED, JWT, armoured, drawn, drawn_hex

GOLDEN = Path(__file__).parent / "golden"
SECRETS = {
    "anthropic": ISSUED["anthropic_api_key"][1],
    "github": ISSUED["github_token"][0],
    "aws_id": ISSUED["aws_access_key"][0],
    "aws_secret": drawn(40, BASE64),
    "jwt": JWT,
    "pem": armoured(),
    "password": "hunt" + "er-Blue9",
    "token": drawn(32),
    "commit": drawn_hex(40),
    "digest": drawn_hex(64),
}


def test_the_rules_of_this_version_give_this_text() -> None:
    before = (GOLDEN / "before.txt").read_text(encoding="utf-8").format(**SECRETS)
    kept = {name: SECRETS[name] for name in ("commit", "digest")}
    after = (GOLDEN / f"after_{RULES_VERSION}.txt").read_text(encoding="utf-8")

    assert redact_text(before) == after.format(**kept)
