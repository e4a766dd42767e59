"""A few hundred cases with a fixed seed; `make fuzz` goes on for longer, with other seeds."""

from __future__ import annotations

import pytest

from .case import Case
from .families import available
from .watching import Worker

#: Cases of each family: together about half a minute on one core.
CASES = {
    "checkpoints": 35, "interface": 120, "meshes": 20, "packets": 30, "scenes": 80, "takes": 60,
}  # fmt: skip
SEED = 13


@pytest.fixture(scope="module")
def worker():
    with Worker() as made:
        yield made


@pytest.mark.parametrize("family", available())
def test_broken_input_is_refused_in_one_line_or_used(worker, family):
    found = []
    for number in range(CASES[family]):
        case = Case(family, number, SEED)
        verdict, _ = worker.run(case)
        if verdict.found:
            found.append(f"{verdict.group}: {verdict.said[:200]}\n    {case.command}")
    assert not found, "\n".join(found)
