"""What is seen does not depend on which linear solver the size of a body chose for it."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import pliant as pl
from pliant.problem import system
from pliant.solvers import Factored, Gridded

from .cases import Case

MULTIGRID, FACTOR = 0, 10**9


@pytest.fixture
def choose(monkeypatch):
    """Set the number of unknowns up to which a factor is used."""
    return lambda limit: monkeypatch.setattr(system, "FACTORED", limit)


@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("dim", [2, 3])
def test_settling_is_the_same(dim, bounces, choose):
    takes = []
    for limit, kind in ((MULTIGRID, Gridded), (FACTOR, Factored)):
        choose(limit)
        case = Case(dim=dim, bounces=bounces, gravity=1.0, extra=1.1)
        takes.append(case.run(stepper=pl.Implicit(tolerance=1e-6)))
        assert isinstance(takes[-1].bodies[0].system().linear, kind)
    moved = np.abs(takes[0].positions - takes[0].positions[0]).max()
    # 66 steps, each within 1e-6 of its motion, by two solvers.
    assert np.abs(takes[0].positions - takes[1].positions).max() <= 132e-6 * moved


@pytest.mark.parametrize("shape", ["bend", "twist", "poke", "mixed"])
@pytest.mark.parametrize("bounces", [None, 0])
def test_rest_times_hold_with_multigrid(shape, bounces, choose):
    choose(MULTIGRID)
    take = Case(dim=3, shape=shape, bounces=bounces).run()
    assert take.rest_time() == pytest.approx(1.0, rel=0.002)  # as with a factor
    assert take[take.bodies[0]].amplitude().min() > -0.005


@pytest.mark.parametrize(
    "hard",
    [{"poisson": 0.49}, {"cells": (24, 2, 1)}, {"mesh": "slivers"}],
    ids=["incompressible", "flat cells", "slivers"],
)
def test_bodies_that_grids_do_not_suit_rest_in_time_all_the_same(hard, choose, caplog):
    choose(MULTIGRID)
    with caplog.at_level(logging.DEBUG, logger="pliant"):
        take = Case(dim=3, **hard).run()
    assert take.rest_time() == pytest.approx(1.0, rel=0.03)


def test_a_body_falls_back_to_a_factor(choose, monkeypatch):
    """Made to give up after three iterations, multigrid hands over and the answer stays."""
    choose(MULTIGRID)
    whole = Case(dim=3).run(stepper=pl.Implicit(tolerance=1e-6))
    monkeypatch.setattr("pliant.solvers.gridded.MOST_ITERATIONS_GRIDDED", 3)
    take = Case(dim=3).run(stepper=pl.Implicit(tolerance=1e-6))
    assert take.bodies[0].system().linear.gave_up
    moved = np.abs(whole.positions - whole.positions[0]).max()
    assert np.abs(take.positions - whole.positions).max() <= 140e-6 * moved


def test_loads_that_were_taken_away_are_gone():
    """The load of the last step is kept only while it is the load."""
    mesh = pl.meshes.rectangle((2, 0.5), (8, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=pl.Settle(0.2))
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene(body)
    body.push(force=(0.0, -50.0), on=mesh.points[:, 0] > 1.99)
    bent = scene.run(seconds=0.5, dt=1 / 60).positions[-1]
    body.unpush()
    straight = scene.run(seconds=0.5, dt=1 / 60).positions[-1]
    assert np.abs(bent - mesh.points).max() > 0.05
    assert np.abs(straight - mesh.points).max() <= 1e-3 * np.abs(bent - mesh.points).max()


def test_another_time_step_is_solved_as_exactly():
    """What the last step foresaw is of no use to a shorter one, and must not loosen it."""
    ends = []
    for tolerance in (1e-3, 0.0):
        mesh = pl.meshes.box((4, 1, 1), (10, 3, 3))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35))
        body.fix(mesh.points[:, 0] < 1e-9)
        scene = pl.Scene(body, gravity=(0, -9.81, 0))
        scene.run(seconds=0.2, dt=1 / 60, stepper=pl.Implicit(tolerance=0))
        x, v = body.positions, body.velocity
        take = scene.run(seconds=1 / 600, dt=1 / 600, stepper=pl.Implicit(tolerance=tolerance))
        ends.append(take.positions[-1] - x - v / 600)  # what forces did in this step
    assert np.abs(ends[0] - ends[1]).max() <= 2e-3 * np.abs(ends[1]).max()
