"""What must hold for the tree as a whole, asked of the tree itself."""

from __future__ import annotations

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
MARKDOWN_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
VAGUE_NAMES = {"base", "common", "helpers", "manager", "misc", "util", "utils"}
CONNECTING_MODULES = {
    "_socket",
    "_ssl",
    "aiohttp",
    "asyncio",
    "ftplib",
    "http",
    "httpx",
    "imaplib",
    "multiprocessing",
    "poplib",
    "requests",
    "smtplib",
    "socket",
    "socketserver",
    "ssl",
    "urllib.request",
    "urllib3",
    "webbrowser",
    "websockets",
    "xmlrpc",
}
LOOPBACK = ROOT / "src" / "quoth" / "loopback"
LOOPBACK_NEEDS = {"http.client", "socket", "ssl"}
SNIFFER = ROOT / "src" / "quoth" / "health" / "_sniffer.py"
"""It only listens, in a namespace that leads nowhere."""
MADE_HERE = {"build", "dist", "node_modules", "out"}

# Put together here, so that this file does not hold what it looks for.
REGISTRY_HOSTS = [
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("python" + "hosted", "org"),
        ("npmjs", "org"),
        ("deb", "debian", "org"),
        ("conda", "anaconda", "org"),
        ("crates", "io"),
    )
]
MACHINE_PATHS = [
    "/".join(("", *parts))
    for parts in (("work", "main"), ("work", "shared"), ("root", "."))
]


def tracked_files() -> list[Path]:
    """Return the files git knows or would add; without git, those not made here."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(command, cwd=ROOT, check=False, capture_output=True)
    if listing.returncode == 0:
        names = [name for name in listing.stdout.decode().split("\0") if name]
        return [path for name in names if (path := ROOT / name).is_file()]
    return [path for path in ROOT.rglob("*") if path.is_file() and not made(path)]


def made(path: Path) -> bool:
    """Say whether a file was made by running something here."""
    folders = path.relative_to(ROOT).parts[:-1]
    return any(
        folder in MADE_HERE
        or folder == "__pycache__"
        or (folder.startswith(".") and folder != ".ci")
        for folder in folders
    )


FILES = tracked_files()
MARKDOWN = [path for path in FILES if path.suffix == ".md"]
MODULES = [
    path for path in FILES if path.suffix == ".py" and path.is_relative_to(ROOT / "src")
]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def text_of(path: Path) -> str:
    """Return a file's text, or nothing when it is no text."""
    content = path.read_bytes()
    return "" if b"\0" in content else content.decode("utf-8", errors="replace")


def imports_of(path: Path) -> Iterator[str]:
    """Yield every module a file imports, `from package import name` as package.name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def belongs_to(module: str, packages: set[str]) -> bool:
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


@pytest.mark.parametrize("needle", [*REGISTRY_HOSTS, *MACHINE_PATHS])
def test_no_file_names_a_registry_or_one_machine(needle: str) -> None:
    found = [name_of(path) for path in FILES if needle in text_of(path)]

    assert found == []


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_says_what_was_known_decided_and_paid_for(path: Path) -> None:
    headings = re.findall(r"^## (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)

    assert headings == ["Status", "Context", "Decision", "Consequences"]


def test_decisions_are_numbered_without_a_gap_or_a_double() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]

    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("path", MARKDOWN, ids=name_of)
def test_links_between_documents_lead_somewhere(path: Path) -> None:
    targets = MARKDOWN_LINK.findall(path.read_text(encoding="utf-8"))
    files = [target.partition("#")[0] for target in targets if "://" not in target]
    local = [name for name in files if name and not name.startswith("mailto:")]

    assert [name for name in local if not (path.parent / name).exists()] == []


def test_no_module_has_a_name_that_says_nothing() -> None:
    names = {
        name_of(path): path.relative_to(ROOT).with_suffix("").parts for path in MODULES
    }

    vague = {
        name
        for name, parts in names.items()
        if VAGUE_NAMES & {part.strip("_") for part in parts}
    }

    assert vague == set()


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_loopback_client_imports_what_can_connect(path: Path) -> None:
    """The import contracts cannot name one module of a package, as `urllib.request`.

    Asked of every import, also one within a function.
    """
    allowed = LOOPBACK_NEEDS if path.is_relative_to(LOOPBACK) else set()
    allowed = {"socket"} if path == SNIFFER else allowed

    connecting = {
        module
        for module in imports_of(path)
        if belongs_to(module, CONNECTING_MODULES) and not belongs_to(module, allowed)
    }

    assert connecting == set()


@pytest.mark.parametrize(
    "line",
    [
        "import socket",
        "from socket import socket",
        "def f():\n    import http.client as client",
        "class C:\n    async def f(self):\n        from urllib import request",
        "if TYPE_CHECKING:\n    from ssl import SSLContext",
        "try:\n    import _socket\nexcept ImportError:\n    pass",
    ],
)
def test_an_import_is_seen_wherever_it_stands(tmp_path: Path, line: str) -> None:
    module = tmp_path / "module.py"
    module.write_text(line, encoding="utf-8")

    (found,) = imports_of(module)

    assert belongs_to(found, CONNECTING_MODULES)


def test_only_the_seal_forks() -> None:
    """One that is forked later would be sealed as its parent is, or hold more."""
    forking = [
        name_of(path)
        for path in MODULES
        if any(
            isinstance(node, ast.Attribute) and node.attr in ("fork", "forkpty")
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        )
    ]

    assert forking == ["src/quoth/seal/processes.py"]


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_no_name_of_a_module_that_can_connect_is_there_to_import(path: Path) -> None:
    """`import_module("socket")` is no import that a contract sees."""
    tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))

    named = {node.value for node in tree if isinstance(node, ast.Constant)}

    words = {"http"}  # of addresses too, and alone it connects nothing
    assert named & ({"http.client", *CONNECTING_MODULES} - words) == set()


@pytest.mark.parametrize(
    ("asset", "licence"),
    [
        ("all-MiniLM-L6-v2", "Apache License, Version 2.0"),
        ("BERT", "Apache License, Version 2.0"),
        ("LongMemEval", "MIT License"),
    ],
)
def test_notice_names_everything_that_others_made(asset: str, licence: str) -> None:
    sections = (ROOT / "NOTICE").read_text(encoding="utf-8").split("\n---\n")

    assert any(asset in section and licence in section for section in sections)


def test_an_installed_quoth_runs_on_the_versions_that_are_tested() -> None:
    tested = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    runtime = (ROOT / "requirements-runtime.lock").read_text(encoding="utf-8")
    pins = [line for line in runtime.splitlines() if not line.startswith("#")]

    assert pins
    assert [line for line in pins if line not in tested] == []


def test_no_group_is_repeated_possessively() -> None:
    """Until Python 3.11.5 such a pattern matches wrongly, and a key gets through."""
    possessive = re.compile(r"\)(?:\{\{?[0-9,]+\}?\}|[*+?])\+(?!\+)")

    found = [
        f"{path.name}:{number}"
        for path in sorted((ROOT / "src").rglob("*.py"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if possessive.search(line) and "`" not in line
    ]

    assert found == []
