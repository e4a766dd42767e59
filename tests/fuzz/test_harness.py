"""The fuzzer itself: it finds faults that are made on purpose, and makes the same case twice."""

from __future__ import annotations

import random

import pytest

from .campaign import Tally, in_turn
from .case import Case
from .families.archives import break_archive
from .families.calls import bound
from .families.faults import FAULTS
from .families.interface import SLOW, exported
from .families.scene_seeds import seeds
from .families.scenes import make_scene
from .verdict import OK, finding
from .watching import Worker


@pytest.fixture(scope="module")
def worker():
    with Worker(seconds=1.5, idle=1.5, memory=2**28) as made:
        yield made


class Everything:
    """Of groups of findings: none needs a second run to be believed."""

    def __contains__(self, group: object) -> bool:
        return True


@pytest.mark.parametrize("number", range(len(FAULTS)), ids=list(FAULTS))
def test_a_fault_is_found_and_called_by_its_name(worker, number):
    verdict, _ = worker.run(Case("faults", number, 0), known=Everything())
    named = list(FAULTS)[number].strip()
    if verdict.what == "too much memory" != named:  # it has compiled kernels meanwhile
        verdict, _ = worker.run(Case("faults", number, 0), known=Everything())
    assert verdict.kind == ("finding" if named else "refused")
    assert verdict.what == named


def test_a_worker_goes_on_after_it_was_ended(worker):
    numbers = {name.strip(): i for i, name in enumerate(FAULTS)}
    died = worker.run(Case("faults", numbers["the worker died with code -6"], 0))[0]
    assert died.found and worker.run(Case("faults", numbers[""], 0))[0].kind == "refused"


def test_a_case_is_the_same_each_time(tmp_path):
    known = seeds()
    for number in range(50):
        case = Case("scenes", number, 7)
        assert make_scene(case.random(), known)[:2] == make_scene(case.random(), known)[:2]
    assert make_scene(Case("scenes", 1, 7).random(), known) != make_scene(
        Case("scenes", 1, 8).random(), known
    )


def test_archives_are_broken_the_same_way_each_time(tmp_path):
    import numpy as np

    for number in range(40):
        made = []
        for again in range(2):
            path = tmp_path / f"{number}-{again}.npz"
            np.savez(path, x=np.arange(6.0).reshape(2, 3), said=np.array('{"a": [1, 2]}'))
            made.append(break_archive(random.Random(number), path))
        assert made[0] == made[1]


def test_cases_are_named_and_counted():
    case = Case.of("takes:123", 7)
    assert (case.family, case.number, str(case)) == ("takes", 123, "takes:123")
    assert case.command == "python -m tests.fuzz --seed 7 --case takes:123"
    with pytest.raises(ValueError, match="FAMILY:NUMBER"):
        Case.of("takes", 7)
    tally, cases = Tally(), in_turn(7, {"a": 1, "b": 2})
    tally.add(next(cases), OK, {"cpu": 0.5})
    tally.add(next(cases), finding("a hang", "io/x.py:get", "10 s"), {})
    assert [str(next(cases)) for _ in range(3)] == ["b:1", "a:1", "b:2"]
    text = tally.summary()
    assert tally.cases == 2 and tally.findings == 1
    assert "1 x b: a hang at io/x.py:get" in text and "--seed 7 --case b:0" in text


@pytest.mark.parametrize("name", sorted(exported().keys() - set(SLOW)))
def test_what_is_exported_can_be_made_before_it_is_spoilt(name):
    function = exported()[name]
    assert function(**bound(name, function, None)) is not None
