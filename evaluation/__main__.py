"""Ask the question sets, and print how good the answers are.

    python -m evaluation FOLDER [--sets locomo,beam-100k] [--layouts apart,pooled]
        [--modes both] [--half all] [--by-type] [--log "what was tried"]

FOLDER holds `retrieval/<set>/{sessions.jsonl.gz,questions.jsonl}`. Beside each figure
of quoth stands that of plain FTS5 in the same run, with how likely their difference is
by chance, and what was logged last. Archives are kept in `build/evaluation/`, so that
only the first run takes long; what each run found lies there, too.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from quoth.model import Mode

from . import log
from .measures import MEASURES, difference, interval, mean
from .runs import BASELINE, UNITS, Run, evaluate
from .sets import SETS, Half, Layout, read_sets

ROOT = Path(__file__).resolve().parents[1]
KEPT = ROOT / "build" / "evaluation"


def report(run: Run, logged: str, *, by_type: bool) -> Iterator[str]:
    """Yield the lines that tell how good a run was."""
    pool = f"{len(run.pool)} x {sum(run.pool) // max(len(run.pool), 1):,} messages"
    yield f"\n{run.name}, {run.layout}, {run.half} questions; pool {pool}"
    if run.seconds:
        times = sorted(run.seconds)
        p95 = times[int(0.95 * (len(times) - 1))]
        middle = statistics.median(times)
        yield f"a search takes {1000 * middle:.0f} ms, p95 {1000 * p95:.0f} ms"
    for unit in UNITS:
        yield f"{unit:12} {'n':>4}  " + "  ".join(f"{each:>7}" for each in MEASURES)
        theirs = run.rows(BASELINE, unit)
        for ranker in run.answers:
            rows = run.rows(ranker, unit)
            yield _line(f"  {ranker}", rows)
            if ranker == BASELINE or not rows:
                continue
            yield from _beside(rows, theirs)
            yield from _since(run, ranker, unit, rows, logged)
            if by_type:
                for kind in run.kinds():
                    yield _line(f"    {kind}", run.rows(ranker, unit, kind=kind))


def _line(name: str, rows: Sequence[dict[str, float]]) -> str:
    figures = "  ".join(f"{100 * mean(rows, each):7.1f}" for each in MEASURES)
    return f"{name:12.12} {len(rows):4}  {figures}"


def _beside(
    rows: Sequence[dict[str, float]], theirs: Sequence[dict[str, float]]
) -> Iterator[str]:
    spans = []
    for measure in ("hit@1", "hit@5", "R@10", "MRR"):
        low, high = interval([row[measure] for row in rows])
        better, chance = difference(
            [row[measure] for row in rows], [row[measure] for row in theirs]
        )
        spans.append(
            f"{measure} {100 * low:.1f}-{100 * high:.1f}"
            f" ({100 * better:+.1f}, p {chance:.3f})"
        )
    yield f"      95 %, and better than {BASELINE} by: {'; '.join(spans)}"


def _since(
    run: Run, ranker: str, unit: str, rows: Sequence[dict[str, float]], logged: str
) -> Iterator[str]:
    before = log.last_row(logged, _name(run), ranker, unit)
    if before is not None:
        changes = "  ".join(
            f"{each} {100 * mean(rows, each) - before[each]:+.1f}"
            for each in log.COLUMNS
        )
        yield f"      since the last one logged: {changes}"


def _name(run: Run) -> str:
    half = "" if run.half is Half.ALL else f"/{run.half}"
    return f"{run.name}/{run.layout}{half}"


def entry(runs: Sequence[Run], tried: str) -> str:
    """Return what is logged of some runs."""
    lines = [
        f"## {datetime.now(UTC):%Y-%m-%d %H:%M} {tried}",
        "",
        f"| set | ranker | unit | n | {' | '.join(log.COLUMNS)} |",
        f"| {' | '.join(['---'] * (4 + len(log.COLUMNS)))} |",
    ]
    for run in runs:
        for ranker in run.answers:
            for unit in UNITS:
                rows = run.rows(ranker, unit)
                means = {each: mean(rows, each) for each in log.COLUMNS}
                lines.append(log.row_of(_name(run), ranker, unit, len(rows), means))
    return "\n".join(lines)


def main() -> None:
    """Ask, print, and log what is asked for."""
    parser = argparse.ArgumentParser(
        "python -m evaluation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--layouts", default=",".join(Layout))
    parser.add_argument("--modes", default=Mode.BOTH.value)
    parser.add_argument("--half", default=Half.ALL.value, type=Half)
    parser.add_argument("--by-type", action="store_true")
    parser.add_argument("--log", metavar="TEXT")
    given = parser.parse_args()
    logged = log.LOG.read_text(encoding="utf-8")
    runs = []
    wanted = [Layout(layout) for layout in given.layouts.split(",")]
    for found in read_sets(given.folder, given.sets.split(",")):
        for layout in (each for each in found.layouts if each in wanted):
            run = evaluate(
                found,
                layout,
                modes=[Mode(mode) for mode in given.modes.split(",")],
                half=given.half,
                kept_in=KEPT / "archives",
            )
            run.write(KEPT / "runs")
            for line in report(run, logged, by_type=given.by_type):
                print(line, flush=True)
            runs.append(run)
    if given.log:
        log.write(entry(runs, given.log))


if __name__ == "__main__":
    main()
