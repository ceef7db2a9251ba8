"""Score and time the redaction rules.

    python benchmarks/redaction.py [--labelled FOLDER] [--own FOLDER] [--write]

Prints a row for each rule: how many of the labelled secrets of its kind were found, how
often it fires in text that holds none, and how fast it reads. Then the speed on prose
and what redaction costs a sync, both on made-up text; and the shapes of text that were
made to be slow. `--write` puts the tables into docs/redaction.md.

`--labelled` is a collection of labelled secrets: `cases.jsonl` (rule, label, text and
perhaps the value to be hidden) and the `score.py` whose groups they are counted by.
`--own` is a folder of histories; without it only the Python library's source is read.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import platform
import re
import statistics
import sysconfig
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

from quoth.archive import Archive
from quoth.redaction import EVERYTHING, RULES_VERSION, SECRETS, Redactor
from quoth.redaction._gate import Gate
from quoth.redaction._identity import IDENTITY_RULES
from quoth.redaction._re2 import RE2
from quoth.redaction._rule import Rule
from quoth.redaction._rules import SECRET_RULES

PAGE = Path(__file__).resolve().parent.parent / "docs" / "redaction.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"

OF_GROUP: Mapping[str, str] = {
    "anthropic": "anthropic_api_key",
    "aws": "aws_access_key",
    "bearer/curl": "bearer_token",
    "generic": "sensitive_env_vars",
    "github": "github_token",
    "gitlab": "high_entropy_secret",
    "google": "google_api_key",
    "hf/npm/pypi/stripe/sendgrid": "high_entropy_secret",
    "jwt": "jwt_token",
    "openai": "openai_api_key",
    "private key": "pem_private_key",
    "slack": "high_entropy_secret",
    "url credentials": "credential_url",
}
"""The rule that each group of the collection is about; "other" is about several."""

_ALL = (*SECRET_RULES, *IDENTITY_RULES)
_RUNS = 3
_ANSWERS = 5_000
_MESSAGES = 10_000
_SHAPE = 20_000
"""Characters of a text that was made to be slow."""


@dataclass(frozen=True, slots=True)
class Found:
    """How many of the labelled secrets were found."""

    found: int
    total: int

    def __str__(self) -> str:
        return f"{self.found} of {self.total} ({self.found / self.total:.3f})"


@dataclass(frozen=True, slots=True)
class Text:
    """A named text that holds no secrets, or hardly any."""

    name: str
    text: str

    @property
    def megabytes(self) -> float:
        return len(self.text.encode("utf-8", "replace")) / 1e6


def labelled(folder: Path) -> tuple[dict[str, Found], Found]:
    """Return by group how many secrets were found, and the negatives that changed."""
    groups = _module(folder / "score.py")
    found: Counter[str] = Counter()
    total: Counter[str] = Counter()
    changed = negatives = 0
    for line in (folder / "cases.jsonl").read_text("utf-8").splitlines():
        case = json.loads(line)
        redacted = SECRETS.redact(case["text"])
        if not case["label"]:
            negatives += 1
            changed += redacted != case["text"]
            continue
        value = case.get("value")
        group = groups.group(case["rule"])
        total[group] += 1
        found[group] += value not in redacted if value else redacted != case["text"]
    scores = {group: Found(found[group], total[group]) for group in sorted(total)}
    return scores, Found(changed, negatives)


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("labelled_score", path)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts_in(folder: Path, patterns: Sequence[str] = ("*",)) -> str:
    """Return all files of a folder that meet one of the patterns as one text."""
    files = sorted(
        path
        for pattern in patterns
        for path in folder.rglob(pattern)
        if path.is_file() and "site-packages" not in path.parts
    )
    return "\n".join(path.read_text("utf-8", errors="replace") for path in files)


def rules_by_name() -> dict[str, list[Rule]]:
    """Return the rules of each name, in the order of their rank."""
    rules: dict[str, list[Rule]] = {}
    for rule in _ALL:
        rules.setdefault(rule.name, []).append(rule)
    return rules


def alone(rules: Sequence[Rule]) -> Redactor:
    """Return a redactor that knows nothing else."""
    return Redactor(lambda: tuple(rules))


def megabytes_a_second(redactor: Redactor, text: str) -> float:
    """Return the median speed over some runs, the patterns compiled before."""
    redactor.redact("warm up: token=")
    runs = []
    for _ in range(_RUNS):
        began = time.perf_counter()
        redactor.redact(text)
        runs.append(time.perf_counter() - began)
    return len(text.encode("utf-8", "replace")) / 1e6 / statistics.median(runs)


class _Nothing(Redactor):
    """Lets every text pass, at no cost."""

    def redact_counted(self, text: str) -> tuple[str, Mapping[str, int]]:
        return text, {}


def engines() -> Iterator[tuple[str, Redactor]]:
    """Yield the secret rules with each way to look for their keys."""
    for name, re2 in (("re", None), ("RE2", RE2)):
        if name == "re" or re2 is not None:
            redactor = Redactor(lambda: SECRET_RULES, stamp=SECRETS.stamp)
            redactor.__dict__["_gate"] = Gate(SECRET_RULES, re2=re2)
            yield name, redactor


def seconds_to_sync(home: Path, data: Path, redactor: Redactor) -> float:
    """Return the processor's time for a first sync of *home* by these rules."""
    roots = {
        "claude_code": (home / ".claude" / "projects",),
        "codex": (home / ".codex" / "sessions",),
    }
    with Archive(data, roots=roots) as archive:
        archive._redactor = redactor
        began = time.process_time()
        archive.sync()
        return time.process_time() - began


def costs(say: Callable[[str], None]) -> Iterator[Sequence[str]]:
    """Yield a row for each way: its speed on prose, and what it costs a sync."""
    if TYPE_CHECKING:
        from benchmarks.generate_history import generate
        from benchmarks.made_up_prose import Prose
    else:  # run by path, this folder is the first place imports are looked for in
        from generate_history import generate
        from made_up_prose import Prose

    prose = Prose(Random(1))
    talk = "\n".join(prose.answer() for _ in range(_ANSWERS))
    with tempfile.TemporaryDirectory(prefix="quoth-redaction-") as folder:
        say("histories to sync")
        home = Path(folder) / "home"
        generate(home, messages=_MESSAGES)
        ways = [("none", _Nothing(tuple)), *engines()]
        took: defaultdict[str, list[float]] = defaultdict(list)
        for run in range(_RUNS):
            for name, redactor in ways:
                say(f"sync {run}, {name}")
                data = Path(folder) / f"{name}-{run}"
                took[name].append(seconds_to_sync(home, data, redactor))
    without = statistics.median(took["none"])
    for name, redactor in engines():
        speed = megabytes_a_second(redactor, talk)
        ratio = statistics.median(took[name]) / without
        yield name, f"{speed:.1f}", f"{ratio:.2f}"


def slow_shapes() -> Iterator[tuple[str, str]]:
    """Yield (description, text): each key again and again, alone and with a tail."""
    keys = sorted({key for rule in _ALL for key in rule.keys})
    for key in keys:
        for name, unit in (
            ("key", key),
            ("-key", f"-{key}"),
            (" key", f" {key}"),
            ("key=", f"{key}="),
            ('"key": "', f'"{key}": "'),
            ("?key", f"?{key}"),
            ("./key", f"./{key}"),
            ("key aaa", f"{key}{'a' * 40} "),
        ):
            yield f"{name} of {key!r}", unit * (_SHAPE // len(unit) + 1)
        for tail in ("a", "A1b", "-", "/", " ", "\\", ".", "=", ":", "@a."):
            yield f"{key!r} and {tail!r} for ever", key + tail * (_SHAPE // len(tail))


def slowest(redactor: Redactor, most: int) -> list[tuple[float, str]]:
    """Return the slowest shapes, in MB/s."""
    redactor.redact("warm up: token=")
    speeds = []
    for name, text in slow_shapes():
        began = time.perf_counter()
        redactor.redact(text)
        took = time.perf_counter() - began
        speeds.append((len(text) / 1e6 / took, name))
    return sorted(speeds)[:most]


def rows(
    scores: Mapping[str, Found], texts: Sequence[Text], say: Callable[[str], None]
) -> Iterator[Sequence[str]]:
    """Yield a row of the table for each rule, and two for all of them."""
    by_rule: defaultdict[str, list[Found]] = defaultdict(list)
    for group, score in scores.items():
        by_rule[OF_GROUP.get(group, "")].append(score)
    hits = [EVERYTHING.redact_counted(text.text)[1] for text in texts]

    def row(title: str, recall: str, names: set[str], redactor: Redactor) -> list[str]:
        rates = [
            sum(map(hit.get, names, repeat(0))) / text.megabytes
            for hit, text in zip(hits, texts, strict=True)
        ]
        speed = megabytes_a_second(redactor, texts[-1].text)
        return [title, recall, *(f"{rate:.1f}" for rate in rates), f"{speed:.1f}"]

    for name, rules in rules_by_name().items():
        say(name)
        yield row(f"`{name}`", _recall(by_rule[name]), {name}, alone(rules))
    kept_out = {rule.name for rule in SECRET_RULES}
    yield row("all that is kept out", "", kept_out, SECRETS)
    yield row("and all that does not leave", "", {*rules_by_name()}, EVERYTHING)


def _recall(scores: Sequence[Found]) -> str:
    if not scores:
        return ""
    return str(Found(sum(s.found for s in scores), sum(s.total for s in scores)))


def table(head: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """Return a table in Markdown, all but its first column to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def report(
    labelled_in: Path | None, own: Path | None, say: Callable[[str], None]
) -> str:
    """Return the figures as the section of the page that `--write` replaces."""
    library = Path(sysconfig.get_paths()["stdlib"])
    texts = [Text("Python's library", texts_in(library, ["*.py"]))]
    if own is not None:
        texts.insert(0, Text("histories", texts_in(own)))
    scores, negatives = labelled(labelled_in) if labelled_in else ({}, None)
    head = ["Rule", "Labelled secrets found", *(f"Hits a MB, {t.name}" for t in texts)]
    parts = [
        f"Rules version {RULES_VERSION}, Python {platform.python_version()};"
        f" {', '.join(f'{t.name}: {t.megabytes:.1f} MB' for t in texts)}."
        " Speed is that of the rule alone, on the last of them.",
        table([*head, "MB/s"], rows(scores, texts, say)),
    ]
    if negatives is not None:
        body = [
            (group, OF_GROUP.get(group, "several"), str(score))
            for group, score in scores.items()
        ]
        parts.append(table(["Labelled as", "Rule", "Found"], body))
        parts.append(
            f"Of {negatives.total} lines that were made to look like secrets and are"
            f" none, {negatives.found} were changed."
        )
    head = [
        "Keys looked for by",
        "MB/s, made-up prose",
        "First sync, times one without",
    ]
    parts.append(table(head, costs(say)))
    say("slow shapes")
    shapes = [(f"{name}", f"{speed:.2f}") for speed, name in slowest(EVERYTHING, 5)]
    parts.append(table(["Slowest shape", "MB/s"], shapes))
    return "\n\n".join(parts)


def write(figures: str) -> None:
    """Put the figures into the page, between its two marks."""
    page = PAGE.read_text("utf-8")
    between = re.compile(f"{re.escape(BEGIN)}.*{re.escape(END)}", re.DOTALL)
    if not between.search(page):
        raise SystemExit(f"{PAGE} has no place for the figures.")
    anew = f"{BEGIN}\n\n{figures}\n\n{END}"
    PAGE.write_text(between.sub(lambda _: anew, page), "utf-8")


def main() -> None:
    """Print the figures, or write them into the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--labelled", type=Path, metavar="FOLDER")
    parser.add_argument("--own", type=Path, metavar="FOLDER")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    figures = report(
        given.labelled, given.own, say=lambda what: print(f"... {what}", flush=True)
    )
    print(figures)
    if given.write:
        write(figures)


if __name__ == "__main__":
    main()
