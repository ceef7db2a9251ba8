"""Whatever quoth writes is its owner's alone, and is written where it says.

Under any umask, after a kill at any place, and whatever somebody put in its way.
"""

from __future__ import annotations

import os
import shutil
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from tests.builders import a_transcript, claude_file, put
from tests.promises.running import run_in

from quoth.embedding import HashEmbedder
from quoth.store import flat_path

Child = Callable[..., subprocess.CompletedProcess[str]]

WRITING = (
    ("sync",),
    ("search", "vesting schedule"),
    ("embed",),
    ("config", "set", "sync_before_search", "false"),
    ("demo",),
    ("doctor", "--repair"),
    ("forget", "--source", "claude_code", "--yes"),
)
"""Every command that writes a file, as a person uses it."""

WRITTEN = {
    "config.toml",
    "demo/pages/*",
    "demo/quoth.db",
    "demo/sync.lock",
    "demo/vectors/*/all.vec",
    "embed.lock",
    "forgotten",
    "lock",
    "pages/*",
    "quoth.db",
    "sync.lock",
    "vectors/*/all.vec",
}
"""What they write. The last of them takes away some of it again."""


def wrong_modes(home: Path) -> dict[str, str]:
    """Return what lies in *home* and is not its owner's alone, with its mode."""
    modes = {path: path.lstat().st_mode for path in (home, *home.rglob("*"))}
    return {
        str(path.relative_to(home)): oct(stat.S_IMODE(mode))
        for path, mode in modes.items()
        if stat.S_IMODE(mode) != (0o700 if stat.S_ISDIR(mode) else 0o600)
    }


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077, 0o777], ids=oct)
def test_whatever_is_written_is_its_owners_alone_under_any_umask(
    child: Child, projects: Path, umask: int
) -> None:
    seen = set()
    for words in WRITING:
        # -B: Python's own cache lies in the source tree and is not quoth's to write.
        run = child("-B", "-m", "quoth", *words, umask=umask)
        assert run.returncode == 0, run.stderr
        (home,) = projects.parents[1].rglob("quoth")
        assert wrong_modes(home) == {}
        seen |= {name for name in WRITTEN if [*home.glob(name)]}

    assert seen == WRITTEN


KILLED = {
    "in a batch": (
        "import os, pathlib, quoth, sys\n"
        "where, projects = map(pathlib.Path, sys.argv[1:])\n"
        "archive = quoth.open_archive(where, roots={'claude_code': [projects]})\n"
        "archive.sync(progress=lambda _: os.kill(os.getpid(), 9))",
        "quoth.db-wal",
    ),
    "in the copy of the vectors": (
        "import os, pathlib, quoth, sys\n"
        "where, projects = map(pathlib.Path, sys.argv[1:])\n"
        "os.fsync = lambda _: os.kill(os.getpid(), 9)\n"
        "archive = quoth.open_archive(where, roots={'claude_code': [projects]})\n"
        "archive.sync()",
        "vectors/*/.all.vec.*.new",
    ),
    "in the settings": (
        "import os, pathlib, quoth.config as config, sys\n"
        "where = pathlib.Path(sys.argv[1])\n"
        "os.fsync = lambda _: os.kill(os.getpid(), 9)\n"
        "setting = config.setting_named('sync_before_search', sources=())\n"
        "config.set_setting(where, setting, ['false'], home_dir=where)",
        ".config.toml.*",
    ),
}
"""How a process is killed, and what it leaves half written."""


@pytest.mark.parametrize("umask", [0o000, 0o022], ids=oct)
@pytest.mark.parametrize("place", KILLED)
def test_what_a_killed_process_leaves_is_its_owners_alone(
    child: Child, home: Path, projects: Path, place: str, umask: int
) -> None:
    code, left = KILLED[place]

    run = child("-B", "-c", code, home, projects, umask=umask)

    assert run.returncode == -signal.SIGKILL, run.stderr
    assert [*home.glob(left)] != []
    assert wrong_modes(home) == {}


# What somebody put in the way

PRECIOUS = b"ten years of work"


def _link(path: Path, elsewhere: Path) -> None:
    path.symlink_to(elsewhere / "thesis.txt")


def _link_to_nothing_yet(path: Path, elsewhere: Path) -> None:
    path.symlink_to(elsewhere / "new.txt")


def _link_to_a_folder(path: Path, elsewhere: Path) -> None:
    path.symlink_to(elsewhere)


def _second_name(path: Path, elsewhere: Path) -> None:
    path.hardlink_to(elsewhere / "thesis.txt")


def _pipe(path: Path, _elsewhere: Path) -> None:
    os.mkfifo(path)


PLANTED = {
    "link": _link,
    "link to nothing yet": _link_to_nothing_yet,
    "link to a folder": _link_to_a_folder,
    "second name": _second_name,
    "pipe": _pipe,
}
PLACES = (
    "config.toml",
    "demo",
    "demo/quoth.db",
    "forgotten",
    "lock",
    "pages",
    "quoth.db",
    "quoth.db-journal",
    "quoth.db-shm",
    "quoth.db-wal",
    "sync.lock",
    "vectors",
    "vectors/IDENTITY",
    "vectors/IDENTITY/all.vec",
)


@pytest.fixture
def patience() -> Iterator[None]:
    """End a test that waits for the other end of a pipe."""

    def give_up(_signal: int, _frame: object) -> None:
        pytest.fail("it waits for a pipe")  # pragma: no cover - only when it fails

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """Return a folder in which nothing may change."""
    thesis = put(tmp_path / "elsewhere" / "thesis.txt", PRECIOUS)
    thesis.chmod(0o644)
    thesis.parent.chmod(0o755)
    return thesis.parent


def state_of(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        path.name: (path.stat().st_mode, b"" if path.is_dir() else path.read_bytes())
        for path in (folder, *folder.iterdir())
    }


def use(folder: Path, *, without: Sequence[str] = ()) -> list[BaseException | None]:
    """Do everything that writes; return how each command that crashed did so."""
    used = [words for words in WRITING if words[0] not in without]
    ends = [run_in(folder, *words).exception for words in used]
    return [exception for exception in ends if not _ended_well(exception)]


def _ended_well(exception: BaseException | None) -> bool:
    return exception is None or isinstance(exception, SystemExit)


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of somebody who has used everything."""
    folder = tmp_path_factory.mktemp("used")
    put(claude_file(folder), a_transcript("the vesting schedule", "four years"))
    assert use(folder, without=["forget"]) == []
    return folder / "quoth"


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("is_first", [True, False], ids=["at first", "later"])
@pytest.mark.parametrize("how", PLANTED)
@pytest.mark.parametrize("place", PLACES)
def test_nothing_is_written_through_what_was_put_in_its_place(
    tmp_path: Path, elsewhere: Path, used: Path, place: str, how: str, is_first: bool
) -> None:
    put(claude_file(tmp_path), a_transcript("the vesting schedule", "eight years"))
    home = tmp_path / "quoth"
    if is_first:
        home.mkdir(mode=0o700)
    else:
        shutil.copytree(used, home)
    path = home / place.replace(
        "IDENTITY", flat_path(home, HashEmbedder.identity).parent.name
    )
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if path.exists():
        path.rename(tmp_path / "moved")
    PLANTED[how](path, elsewhere)
    before = state_of(elsewhere)

    crashed = use(tmp_path, without=[] if place.startswith("demo") else ["demo"])

    assert crashed == []
    assert state_of(elsewhere) == before
