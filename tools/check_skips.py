"""Read pytest's JUnit report: every skipped test must be on the list of allowed skips.

    check_skips.py REPORT.xml ALLOWED.txt
        exit 1 when a test was skipped that is not on the list, or none passed
    check_skips.py --count REPORT.xml
        print "N passed, N failed, N skipped"

A line of the list is a pattern of test ids, white space, and the reason; a line that
starts with `#` is a comment.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of one test."""

    test: str
    verdict: str
    reason: str = ""


def main(arguments: list[str]) -> int:
    """Return the exit status of the check."""
    match arguments:
        case ["--count", report]:
            print(count(list(outcomes(Path(report)))))
            return 0
        case [report, allowed]:
            return check(list(outcomes(Path(report))), patterns(Path(allowed)))
        case _:
            print(__doc__, file=sys.stderr)
            return 2


def outcomes(report: Path) -> Iterator[Outcome]:
    """Yield what became of every test in the report."""
    for case in ET.parse(report).iter("testcase"):  # noqa: S314  pytest wrote it just now
        path = case.get("classname", "").replace(".", "/") + ".py"
        test = f"{path}::{case.get('name')}"
        skipped = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            yield Outcome(test=test, verdict="failed")
        elif skipped is not None:
            reason = skipped.get("message", "")
            yield Outcome(test=test, verdict="skipped", reason=reason)
        else:
            yield Outcome(test=test, verdict="passed")


def patterns(allowed: Path) -> list[str]:
    """Return the allowed test ids; a pattern without a reason is refused."""
    lines = allowed.read_text(encoding="utf-8").splitlines()
    entries = [line.split(maxsplit=1) for line in lines if line.strip()]
    entries = [entry for entry in entries if not entry[0].startswith("#")]
    for entry in entries:
        if len(entry) == 1:
            raise SystemExit(f"{allowed}: {entry[0]} has no reason")
    return [entry[0] for entry in entries]


def check(results: list[Outcome], allowed: list[str]) -> int:
    """Print every skip and return 1 when one is not allowed or no test ran."""
    skips = [result for result in results if result.verdict == "skipped"]
    unasked = [
        skip
        for skip in skips
        if not any(fnmatchcase(skip.test, pattern) for pattern in allowed)
    ]
    for skip in skips:
        word = "NOT ALLOWED" if skip in unasked else "allowed"
        print(f"skipped, {word}: {skip.test}: {skip.reason}")
    if not any(result.verdict == "passed" for result in results):
        print("no test passed")
        return 1
    print(f"{len(skips)} skipped, {len(unasked)} of them not allowed")
    return 1 if unasked else 0


def count(results: list[Outcome]) -> str:
    """Return the line that says how the tests went."""
    tally = Counter(result.verdict for result in results)
    line = f"{tally['passed']} passed, {tally['failed']} failed"
    return f"{line}, {tally['skipped']} skipped" if tally["skipped"] else line


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
