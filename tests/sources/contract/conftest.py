"""One run of the contract for every source."""

from __future__ import annotations

import pytest

from .history import Sample
from .table import NAMES, SAMPLES


@pytest.fixture(params=NAMES)
def sample(request: pytest.FixtureRequest) -> Sample:
    name: str = request.param
    if name not in SAMPLES:
        pytest.fail(
            f"The source `{name}` has no sample: write {name}_sample.py and put it"
            " into table.py, as tests/sources/contract/README.md tells.",
            pytrace=False,
        )
    return SAMPLES[name]
