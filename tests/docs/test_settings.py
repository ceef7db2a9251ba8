"""Every setting and environment variable is in docs/settings.md, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.docs.documents import DOCS, ROOT, headings_of, rows_of

from quoth.config import SETTINGS, Setting

PAGE = DOCS / "settings.md"
NAMES = [setting.name for setting in SETTINGS]


def variables_in(source: Path) -> Iterator[str]:
    """Yield the environment variables that a module asks for by a literal name."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(
                func=ast.Attribute(value=asked),
                args=[ast.Constant(value=str(name)), *_],
            ):
                pass
            case ast.Subscript(value=asked, slice=ast.Constant(value=str(name))):
                pass
            case _:
                continue
        if ast.unparse(asked).endswith("environ"):
            yield name


def variables() -> set[str]:
    modules = (ROOT / "src").rglob("*.py")
    asked = {name for module in modules for name in variables_in(module)}
    return asked | {setting.variable for setting in SETTINGS if setting.variable}


@pytest.mark.parametrize("setting", SETTINGS, ids=NAMES)
def test_the_table_says_what_the_code_does(setting: Setting) -> None:
    (row,) = [row for row in rows_of(PAGE) if row[0] == f"`{setting.name}`"]

    _, takes, default, meaning = row
    assert meaning == setting.meaning
    if setting.kind is None:
        assert f"`{setting.variable}`" in takes
    else:
        assert takes == setting.kind.written
        shown = str(setting.default).lower() if setting.default else "none"
        if isinstance(setting.default, float):
            shown = f"{setting.default:g}"
        assert default == shown


def test_every_setting_has_its_section_and_no_other_has() -> None:
    sections = [name.strip("`") for name in headings_of(PAGE) if name[0] == "`"]

    assert sections == [*NAMES, "config.toml"]


def test_every_environment_variable_is_described_and_no_other_is() -> None:
    described = re.compile(r"`([A-Z][A-Z_]+)`")
    rows = {found[1] for row in rows_of(PAGE) if (found := described.match(row[0]))}

    assert rows == variables()


def test_an_environment_variable_is_found_however_it_is_asked_for(
    tmp_path: Path,
) -> None:
    module = tmp_path / "module.py"
    module.write_text(
        "a = environ.get('A')\nb = os.environ['B']\nc = os.environ.setdefault('C', '')"
        "\nd = names.get('D')\ne = names['E']\n"
    )

    assert sorted(variables_in(module)) == ["A", "B", "C"]
