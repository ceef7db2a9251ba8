"""Each layer stops an attack, and the test of it would see one that is not stopped."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.loopback.attacks import ATTACKS, Attack, World
from tests.loopback.conftest import Certificate, Serve
from tests.loopback.servers import Server


@pytest.fixture
def world(
    serve: Serve,
    canary: Server,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    request: pytest.FixtureRequest,
) -> World:
    """Return servers, a canary and an environment without any proxy."""

    def certificate() -> Certificate:
        made: Certificate = request.getfixturevalue("certificate")
        return made

    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    return World(
        serve=serve,
        canary=canary,
        patch=monkeypatch,
        folder=tmp_path,
        certificate=certificate,
    )


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_no_attack_reaches_its_canary(world: World, attack: Attack) -> None:
    assert attack.reach(world) == 0


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_without_its_layer_an_attack_reaches_its_canary(
    world: World, attack: Attack
) -> None:
    attack.without_its_layer(world)

    assert attack.reach(world) > 0
