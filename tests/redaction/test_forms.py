"""Each secret rule, in every form in which a text may hold what it is about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from quoth.redaction import redact_text

from .forms import FORMS, rest_of
from .secrets_made_here import BASE64, ISSUED, armoured, drawn

PASSWORD = "s3cr3t-Pa55" + "-word9"
HELD: Mapping[str, tuple[tuple[str, str], ...]] = {
    **{
        rule: tuple(("{}", secret) for secret in secrets)
        for rule, secrets in ISSUED.items()
    },
    "aws_access_key beside its name": (
        ("aws_secret_access_key = {}", drawn(40, BASE64)),
    ),
    "pem_private_key": (("{}", armoured()),),
    "bearer_token": (
        ("Authorization: Bearer {}", drawn(32)),
        ("X-Api-Key: {}", drawn(32)),
        ("Cookie: sid={}", drawn(32)),
        ("curl -u ada:{} https://example.org", PASSWORD),
    ),
    "credential_url": (
        ("postgres://ada:{}@db.example.org:5432/app", PASSWORD),
        ("https://example.org/cb?access_token={}", drawn(32)),
        ("https://hooks.slack.com/services/{}", f"T0{drawn(8)}/B0{drawn(8)}"),
    ),
    "sensitive_env_vars": (
        ("DB_PASSWORD={}", PASSWORD),
        ("export API_TOKEN='{}'", drawn(32)),
        ('"client_secret": "{}"', PASSWORD),
        ("password: {}", PASSWORD),
        ("login --password {}", PASSWORD),
        ("<password>{}</password>", PASSWORD),
        ('setPassword("{}")', PASSWORD),
        ("//registry.example.org/:_authToken={}", drawn(36)),
        ("machine example.org login ada password {}", PASSWORD),
    ),
    "high_entropy_secret without a prefix": (
        ("{}", drawn(40)),
        ("{}", drawn(64, BASE64)),
    ),
}
"""By rule: what stands around a secret, and the secret."""

SAME_CASE = "its letters are in the case in which it was issued; another is no token"
IN_A_LINE = "a password ends where its line ends, unless it is as long as a key"
NOT_APPLICABLE: Mapping[tuple[str, str], str] = {
    **{
        (rule, form): SAME_CASE
        for rule in (*ISSUED, "pem_private_key", "high_entropy_secret without a prefix")
        for form in ("in upper case", "in lower case")
    },
    ("https://hooks.slack.com/services/{}", "in upper case"): SAME_CASE,
    ("curl -u ada:{} https://example.org", "in upper case"): "`-U` is another option",
    **{
        (around, "wrapped"): IN_A_LINE
        for around, secret in (*HELD["credential_url"], *HELD["sensitive_env_vars"])
        if secret == PASSWORD
    },
}
"""Forms that make no sense for a rule, or for what stands around, and why."""


def _cases() -> Iterator[tuple[str, str]]:
    for rule in HELD:
        for form in FORMS:
            if (rule, form) not in NOT_APPLICABLE:
                yield rule, form


@pytest.mark.parametrize(("rule", "form"), [*_cases()])
def test_no_form_saves_a_secret(rule: str, form: str) -> None:
    left = {
        (around, secret): rest
        for around, secret in HELD[rule]
        if (around, form) not in NOT_APPLICABLE
        and (rest := rest_of(secret, redact_text(FORMS[form](around.format(secret)))))
    }

    assert left == {}


def test_the_test_sees_what_is_left() -> None:
    secret = drawn(32)

    unseen = [form for form in FORMS if not rest_of(secret, FORMS[form](secret))]

    assert unseen == []
