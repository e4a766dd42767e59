"""Fits of one model to another, and what they cost: distances, areas and volumes to finite elements."""

import logging

import numpy as np
import pytest

import pliant as pl

MESH = pl.meshes.box(size=(0.2, 0.2, 0.4), cells=(2, 2, 4))
BOTTOM, TOP = MESH.points[:, 2] < 1e-9, MESH.points[:, 2] > 0.4 - 1e-9
#: On the top face in all [N].
LOADS = [(0.0, 0.0, -25.0), (10.0, 0.0, 0.0), (0.0, 0.0, 30.0)]
VARY = dict.fromkeys(("distance", "area", "volume"), (1e-2, 1e2))
START = dict.fromkeys(VARY, 3.0)


def loaded(make):
    scenes = []
    for load in LOADS:
        body = make()
        body.fix(BOTTOM)
        body.push(force=np.array(load) / TOP.sum(), on=TOP)
        scenes.append(pl.Scene([body]))
    return scenes


def of_constraints(distance, area, volume):
    how = {"distance": distance, "area": area, "volume": volume, "mass": 0.1}
    return loaded(lambda: pl.ConstraintBody(MESH, **how))


def rests(scenes):
    return [scene.equilibrium().positions[0] for scene in scenes]


def test_three_stiffnesses_are_recovered():
    target = rests(of_constraints(4.0, 1.5, 10.0))
    found = pl.fit(of_constraints, target, vary=VARY, start=START)
    for name, value in (("distance", 4.0), ("area", 1.5), ("volume", 10.0)):
        assert found.values[name] == pytest.approx(value, rel=1e-6)
    assert found.solved <= 30 and not found.untold


def test_they_follow_finite_elements_to_a_tenth_of_the_motion(caplog):
    """And areas do not matter: the model cannot come closer, with three numbers."""
    solid = pl.StableNeoHookean(young=2e4, poisson=0.4)
    target = rests(loaded(lambda: pl.Body(MESH, solid)))
    found = pl.fit(of_constraints, target, vary=VARY, start=START)
    moved = np.concatenate([x - MESH.points for x in target])
    share = found.missed / np.sqrt((moved**2).sum(axis=1).mean())
    assert 0.08 < share < 0.12  # prototypes had 3.07e-3 of the height missed, of 0.030 moved
    assert found.untold == ("area cannot be told: it hardly moves the points of the target",)
    assert found.solved <= 45


@pytest.mark.slow
def test_annealing_takes_five_times_as_many_equilibria(caplog):
    """Gauss-Newton is at least as near with a fifth of the equilibria."""
    caplog.set_level(logging.ERROR)
    target = rests(of_constraints(4.0, 1.5, 10.0))
    quick = pl.fit(of_constraints, target, vary=VARY, start=START)
    for method in (pl.CMAES(evaluations=120), pl.Annealing(evaluations=120)):
        slow = pl.fit(of_constraints, target, vary=VARY, start=START, method=method)
        print(f"{method}: {slow.solved} solved, {slow.missed:.2g} m missed")
        assert slow.solved >= 5 * quick.solved and slow.missed > quick.missed
