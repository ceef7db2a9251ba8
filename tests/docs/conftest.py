"""A person with the demo's histories where the assistants keep them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator

import pytest
from click.testing import CliRunner, Result

from quoth.cli._app import app
from quoth.demo import roots

Quoth = Callable[..., Result]

_PLACES = {"claude_code": ".claude/projects", "codex": ".codex/sessions"}


@pytest.fixture(scope="module")
def quoth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Quoth]:
    """Return a function that runs the program for that person, after a sync."""
    person = tmp_path_factory.mktemp("person")
    for source, folder in roots().items():
        shutil.copytree(folder, person / _PLACES[source])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(person))
        patch.setenv("QUOTH_HOME", str(person / "quoth"))
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"):
            patch.delenv(name, raising=False)

        def run(*args: str) -> Result:
            return CliRunner().invoke(app, args)

        assert run("sync").exit_code == 0
        yield run
