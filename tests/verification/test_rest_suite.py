"""Random scenes rest on cue: a fast sample, and all 300 of `docs/rest-on-cue.md`."""

from __future__ import annotations

import os

import numpy as np
import pytest

from .rest_suite.__main__ import run
from .rest_suite.limits import outside
from .rest_suite.measuring import BARS, tried
from .rest_suite.meshes import SHAPES
from .rest_suite.report import excluded, misses, text
from .rest_suite.scenes import HOLDS, corner_volumes, random_scene

#: The suite of the docs, and how many of its scenes may lie outside of the limits.
SEED, COUNT, OUTSIDE = 1, 300, 0.05
#: The fast sample, some 20 seconds: the first of another suite, without two that take five each.
SAMPLE = [(16, number) for number in range(16) if number not in (6, 10)]


def test_a_seed_makes_the_same_scene_again() -> None:
    for number in range(6):
        a, b = random_scene(5, number), random_scene(5, number)
        assert str(a) == str(b) != str(random_scene(6, number))
        for one, other in zip(a.released, b.released, strict=True):
            assert np.array_equal(one.body.positions, other.body.positions)
            assert np.array_equal(one.body.velocity, other.body.velocity)
            assert outside(a, one) == outside(b, other)


@pytest.mark.parametrize("name", SHAPES)
def test_shapes_are_small_and_sound(name: str) -> None:
    for seed in range(4):
        mesh = SHAPES[name][1](np.random.default_rng(seed))
        assert mesh.components.max() == 0
        assert 40 <= sum(map(len, mesh.cells.values())) <= 600
        for kind, cells in mesh.cells.items():
            assert corner_volumes(kind, mesh.points[cells]).min() > 0.0


@pytest.mark.slow
def test_everything_is_drawn() -> None:
    scenes = [random_scene(SEED, number) for number in range(120)]
    released = [one for scene in scenes for one in scene.released]
    assert {one.hold for one in released} == set(HOLDS)
    assert {one.start.name for one in released} == {"pulled", "bent", "twisted", "random"}
    assert {one.wish.bounces for one in released} == {None, 0, 1, 2, 3, 4, 5}
    assert min(s.dt for s in scenes) == 1 / 240 and max(s.dt for s in scenes) == 1 / 10
    assert any(len(s.released) > 1 for s in scenes) and any(one.moving for one in released)
    assert any("and" in one.about.split(",")[1] for one in released)  # two materials
    assert max(float(np.max(one.body.material.poisson)) for one in released) == 0.499


@pytest.mark.parametrize("seed", SAMPLE, ids=lambda seed: f"{seed[0]}:{seed[1]}")
def test_a_random_scene_rests_on_cue(seed: tuple[int, int]) -> None:
    found = tried(seed)
    assert not found.failed
    for result in found.inside:
        assert result.passes, f"{result}: {found.said}"


@pytest.mark.slow
def test_all_scenes_of_the_docs_rest_on_cue() -> None:
    done = run([(SEED, number) for number in range(COUNT)], os.cpu_count() or 1)
    told = text(done)
    assert sum(excluded(done).values()) <= OUTSIDE * COUNT, told
    assert not any(t.failed for t in done), told
    for kind, bar in BARS.items():
        found = misses(done, kind)
        assert len(found) > 50 and found.max() <= bar, told
