"""`quoth sources` and `quoth import`: what is read from where, and by name."""

from __future__ import annotations

import json

from quoth.model import Sources

from .fakes import Shell, a_report, a_troubled_report


def test_every_source_has_its_places_and_what_it_can_tell(shell: Shell) -> None:
    result = shell.run("sources")

    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
claude_code
  /home/ada/.claude/projects: 240 files, 81.0 MB
  /home/ada/.config/claude/projects: not there
  Recorded: 200 conversations, 35 subagents, 4,100 messages; newest today 09:00.
  1 file not read, 5 records skipped, 2 conversations gone there and kept here:
  quoth status says which.
  Its format tells all that quoth keeps.

paper
  From the package quoth-paper.
  /paper: can't be read
  Nothing recorded.
  Its format doesn't tell: models, folders, branches, tools, exit codes, files,
  tokens, reasoning, subagents, rewinds.

chatgpt
  Looks nowhere by itself: quoth import PATH
  /exports/0.zip: imported
  /exports/1.zip: imported
  /exports/2.zip: imported
  and 2 more imported files
  Recorded: 200 conversations, 4,100 messages; newest today 09:00.
  Its format doesn't tell: folders, branches.

The source paper of the package quoth-paper can't be used: ImportError: no such
module
"""
    )


def test_sources_as_json_is_one_document(shell: Shell) -> None:
    shell.archive.source_list = Sources(sources=(), unloaded=())

    result = shell.run("sources", "--json")

    assert json.loads(result.stdout) == {"schema": 1, "sources": [], "unloaded": []}


def test_an_import_reads_what_is_named_and_nothing_else(shell: Shell) -> None:
    export = shell.home.parent / "export.zip"
    export.touch()
    shell.archive.report = a_report()

    result = shell.run("import", str(export))

    assert result.exit_code == 0
    assert shell.asked("sync")["paths"] == [export]


def test_an_import_that_could_not_use_all_says_so_in_its_status(shell: Shell) -> None:
    shell.archive.report = a_troubled_report()

    result = shell.run("import", str(shell.home.parent))

    assert result.exit_code == 3
    assert "can't be used: ImportError" in result.stdout


def test_an_import_of_nothing_is_wrong_usage(shell: Shell) -> None:
    result = shell.run("import")

    assert result.exit_code == 2
    assert "Missing argument 'PATH...'" in result.stderr
