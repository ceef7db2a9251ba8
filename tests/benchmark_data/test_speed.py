"""The speed benchmark runs from end to end and reckons its ratios the right way."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SPEED = Path(__file__).parents[2] / "benchmarks" / "speed.py"
TINY = ("--messages", "200", "--files", "3", "--runs", "1")


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("speed")
    done = subprocess.run(
        [sys.executable, SPEED, *TINY, "--json", "--keep", folder],
        check=True,
        stdout=subprocess.PIPE,
    )
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_every_figure_of_a_tiny_history_is_measured(measured: dict[str, Any]) -> None:
    figures = measured["figures"]

    assert len({figure["name"] for figure in figures}) == len(figures) > 10
    assert all(figure["value"] > 0 for figure in figures)


def test_a_ratio_up_to_one_is_a_goal_that_is_met(measured: dict[str, Any]) -> None:
    with_goal = [figure for figure in measured["figures"] if figure["goal"]]

    met = {
        figure["name"]: figure["value"] >= figure["goal"]
        if figure["more_is_better"]
        else figure["value"] <= figure["goal"]
        for figure in with_goal
    }

    assert {figure["name"]: figure["ratio"] <= 1 for figure in with_goal} == met


def test_the_machine_is_named_beside_the_figures(measured: dict[str, Any]) -> None:
    assert {"date", "processor", "cores", "load", "python", "sqlite", "numpy"} <= set(
        measured["machine"]
    )
