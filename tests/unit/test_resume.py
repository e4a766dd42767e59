"""A run that is taken up is the run that was not interrupted, bit for bit, at any tolerance."""

from __future__ import annotations

import numpy as np
import pytest
from company import FLOORS, beam as in_company, two_blocks as soft_blocks
from every_body import BODIES
from soft_bodies import sheet, solid, string, two_blocks
from stages import DAMPINGS, SUPPORTS, beam, on_a_string, stage
from test_ties import beam_and_cloth

import pliant as pl
from pliant.backend import resident
from pliant.io.checkpoint import UNUSABLE
from pliant.io.folder import TakeFolder
from pliant.solvers import Coarsened, Factored, Gridded
from pliant.step.checkpoint import pack_known, unpack_known
from tests.resuming import assert_same, stopped_and_resumed


def check(make, tmp_path, *, steps=24, dt=1 / 60, at=13, late=3, stepper=pl.Implicit):
    whole = make().run(seconds=steps * dt, dt=dt, stepper=stepper(), progress=False)
    how = {"steps": steps, "dt": dt, "at": at, "late": late, "stepper": stepper}
    found = stopped_and_resumed(make, tmp_path / "a.zarr", **how)
    assert_same(found, whole)


def falling(make, gravity=(0, -9.81, 0)):
    return lambda: pl.Scene(make(), gravity=gravity)


# --- solvers --------------------------------------------------------------------------------

SOLVERS = {
    "factor": (lambda **how: solid((4, 2, 2), **how), Factored),
    "grids": (solid, Gridded),
    "hierarchy": (sheet, Coarsened),
}
STEPPERS = [pl.Implicit, pl.LinearisedImplicit, pl.BDF2, pl.Newmark, pl.QuasiStatic]


@pytest.mark.parametrize("stepper", STEPPERS)
@pytest.mark.parametrize("name", SOLVERS)
def test_solvers_are_as_worn_as_they_were(tmp_path, name, stepper):
    make, solver = SOLVERS[name]
    assert isinstance(make().system().linear, solver)
    check(falling(make), tmp_path, stepper=stepper)


@pytest.mark.parametrize("at", [2, 3, 7, 20])
@pytest.mark.parametrize("name", SOLVERS)
def test_it_does_not_matter_when(tmp_path, name, at):
    check(falling(SOLVERS[name][0]), tmp_path, at=at, late=1 if at < 4 else 3)


@pytest.mark.parametrize(
    "damping",
    [None, pl.Settle(0.3, None), pl.Settle(0.3, 0), pl.Settle(0.3, 2)]
    + [pl.Settle(0.3, 0, law="first-mode"), pl.Rayleigh(mass=0.5, stiffness=0.01)],
    ids=repr,
)
@pytest.mark.parametrize("name", SOLVERS)
def test_dampings(tmp_path, name, damping):
    make = SOLVERS[name][0]
    check(falling(lambda: make(damping=damping), (0, -1, 0)), tmp_path)


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("name", DAMPINGS)
def test_supports(tmp_path, name, support):
    """Held, free, spinning, hinged, two parts."""
    scene = lambda: stage(beam(3, DAMPINGS[name](), support=support), support)  # noqa: E731
    check(scene, tmp_path, steps=16, at=9)


@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("name", ["none", "settle", "bounces"])
@resident()
def test_arrays_of_a_device(tmp_path, name, support):
    """With the CPU as the device: what is there goes into the file and back."""
    scene = lambda: stage(beam(3, DAMPINGS[name](), support=support), support)  # noqa: E731
    check(scene, tmp_path, steps=16, at=9)


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_a_body_on_a_string(tmp_path, bounces):
    check(falling(lambda: on_a_string(bounces)), tmp_path)


@pytest.mark.parametrize("name", SOLVERS)
def test_a_body_that_stands_still(tmp_path, name):
    """It is at rest when the run is stopped, which is seen by the last matrix; then it is pushed."""

    def make():
        body = SOLVERS[name][0](damping=pl.Settle(0.1))
        body.push(force=lambda t: (0.0, 0.0 if t < 0.99 else 1e-3, 0.0), on=~body.pinned)
        return pl.Scene(body, gravity=(0, -1, 0))

    rested = make()
    take = rested.run(seconds=56 / 60, dt=1 / 60, progress=False)
    assert not take.tracks[0].solver["iterations"][-3:].any()
    memory = rested.bodies[0].state.guess.solver.linear
    matrix = {"factor": "source", "grids": "loaded", "hierarchy": "blocks"}[name]
    assert getattr(memory, matrix) is not None
    check(make, tmp_path, steps=66, at=56)


@pytest.mark.parametrize("name", ["grids", "hierarchy"])
def test_a_checkpoint_of_a_body_that_moves_is_small(tmp_path, name):
    scene = falling(SOLVERS[name][0])()
    scene.run(seconds=5 / 60, dt=1 / 60, into=tmp_path / "a.zarr", progress=False)
    size = (tmp_path / "a.zarr" / "checkpoint.npz").stat().st_size
    assert size < 20 * scene.bodies[0].positions.nbytes  # its matrix has 40 to 50 times as many


def test_grids_that_leave_the_work_to_a_factor(tmp_path):
    """The contact of two blocks couples all points, for some of the steps."""
    how = {"steps": 40, "dt": 2e-3, "at": 25}
    check(falling(soft_blocks), tmp_path, **how)
    assert soft_blocks().system()._linear.__class__ is Gridded


# --- bodies ---------------------------------------------------------------------------------


@pytest.mark.parametrize("damping", [None, pl.Settle(0.5), pl.Settle(0.5, 2)], ids=repr)
@pytest.mark.parametrize("name", sorted(set(BODIES) - {"ImpactRods", "Snake"}))
def test_every_body(tmp_path, name, damping):
    def make():
        body = BODIES[name](damping=damping)
        x = body.mesh.points
        body.fix(x[:, 0] < x[:, 0].min() + 0.3 * np.ptp(x[:, 0]))
        return pl.Scene(body, gravity=(0, -0.5, 0)[: body.dim])

    check(make, tmp_path, dt=1 / 120, steps=16, at=9)


def test_a_snake(tmp_path):
    check(lambda: pl.Scene(BODIES["Snake"]()), tmp_path, dt=0.05, steps=16, at=9)


@pytest.mark.parametrize("at", [0.008, 0.010, 0.011, 0.020])
@pytest.mark.parametrize("damping", [None, pl.Settle(0.1), pl.Settle(0.1, 2)], ids=repr)
def test_muscles_with_cuts(tmp_path, damping, at):
    def make():
        body = string()
        body.damping = damping
        body.cut([3, 7], at=at)
        return pl.Scene(body)

    check(make, tmp_path, dt=1e-3)


@pytest.mark.parametrize("stepper", [pl.Implicit, pl.XPBD])
def test_contact_and_obstacles_with_friction(tmp_path, stepper):
    def make():
        body = two_blocks() if stepper is pl.Implicit else string()
        scene = pl.Scene(body, gravity=(0, -9.8, 0))
        scene.add(pl.HalfSpace((0, -0.001, 0), (0, 1, 0), friction=0.3))
        return scene

    check(make, tmp_path, dt=2e-3, steps=60, at=40)


@pytest.mark.parametrize("company", [*FLOORS, "spring", "wind"])
@pytest.mark.parametrize("damping", [None, pl.Settle(0.3), pl.Settle(0.3, 2)], ids=repr)
def test_company_of_grids(tmp_path, company, damping):
    check(lambda: in_company(company, damping), tmp_path)


def test_rods_of_impact(tmp_path):
    def make():
        x = np.stack([np.linspace(0, 1, 9), np.zeros(9), np.zeros(9)], axis=1)
        x = np.concatenate([x, x + [0.05, 0.021, 0.0]])
        line = np.stack([np.arange(8), np.arange(1, 9)], axis=1)
        mesh = pl.Mesh(x, {"line": np.concatenate([line, line + 9])})
        rods = pl.ImpactRods(mesh, young=1e6, density=1e3, radius=0.01)
        rods.velocity = np.where(x[:, 1:2] > 0.01, [0.0, -1.0, 0.0], 0.0)
        rods.angular_velocity = (0.0, 3.0, 1.0)
        rods.twist((1e-3, 0, 0), on=[2])
        return pl.Scene(rods)

    check(make, tmp_path, dt=2e-4, stepper=pl.Impact, steps=40, at=25)


@pytest.mark.parametrize(
    "stepper", [pl.XPBD, pl.SymplecticEuler, pl.ExplicitEuler, pl.RungeKutta4, pl.AverageVelocity]
)
def test_other_steppers(tmp_path, stepper):
    check(lambda: pl.Scene(string(), gravity=(0, -2, 0)), tmp_path, dt=5e-4, stepper=stepper)


def test_dampings_of_velocities(tmp_path):
    check(falling(lambda: solid((4, 2, 2), pl.RelativeDamping(0.2, clusters="cells"))), tmp_path)


def test_several_bodies(tmp_path):
    def make():
        bodies = [
            solid(),
            sheet(pl.Settle(0.4, 2)),
            string(),
            beam(3, pl.Settle(0.3), support="free"),
        ]
        for i, body in enumerate(bodies):
            body.name = f"body {i}"
        return pl.Scene(bodies, gravity=(0, -0.5, 0))

    check(make, tmp_path)


@pytest.mark.parametrize("wish", [None, (0.3, None), (0.3, 2)])
@pytest.mark.parametrize("small", [False, True])
def test_bodies_that_are_tied(tmp_path, wish, small):
    """Each with a solver of its own, or with one factor."""
    size = {"cells": (4, 1, 1), "squares": 4} if small else {}

    def make():
        dampings = [None if wish is None else pl.Settle(*wish) for _ in range(2)]
        return beam_and_cloth(*dampings, **size)[0]

    check(make, tmp_path, steps=12, at=7)


def test_steps_between_frames(tmp_path):
    """Only every third step is a frame."""
    dt, path = 1 / 90, tmp_path / "a.zarr"
    scene = falling(solid)()
    whole = scene.run(seconds=30 * dt, dt=dt, fps=30)
    first = falling(solid)()
    first.run(seconds=12 * dt, dt=dt, fps=30, into=path)
    second, store = falling(solid)(), TakeFolder(path)
    done = store.resume(second)
    found = second.run(seconds=30 * dt - done, dt=dt, fps=30, into=store)
    assert_same(found, whole)


# --- what is no memory of this body ---------------------------------------------------------


def leaves(tree, at=()):
    """Paths of arrays and numbers in a tree."""
    if isinstance(tree, dict):
        return [leaf for name, branch in tree.items() for leaf in leaves(branch, (*at, name))]
    return [at]


def changed(tree, path, change):
    if not path:
        return change(tree)
    return tree | {path[0]: changed(tree[path[0]], path[1:], change)}


RESTED = {
    "factor": (lambda: pl.Scene(solid((4, 2, 2), pl.Settle(0.05)), gravity=(0, -1, 0)), 1 / 60),
    "grids": (lambda: in_company("wind", pl.Settle(0.05)), 1 / 60),
    "hierarchy": (lambda: pl.Scene(sheet(pl.Settle(0.05)), gravity=(0, -1, 0)), 1 / 60),
    "contact": (falling(soft_blocks), 2e-3),
}


@pytest.mark.parametrize("name", RESTED)
def test_memories_of_another_shape_are_refused(name):
    make, dt = RESTED[name]
    scene = make()
    scene.run(seconds=40 * dt, dt=dt, progress=False)
    body = scene.bodies[0]
    solver, system = pack_known(body.state.guess.solver), make().bodies[0].system()
    assert unpack_known(solver, system).linear is not None
    arrays = 0
    for path in leaves(solver):
        for change in (lambda v: v[1:], lambda v: "text"):
            broken = changed(solver, path, lambda v, c=change: _broken(v, c))
            with pytest.raises(UNUSABLE):
                unpack_known(broken, system)
        arrays += isinstance(_at(solver, path), np.ndarray)
    assert arrays >= 2


def _at(tree, path):
    return _at(tree[path[0]], path[1:]) if path else tree


def _broken(value, change):
    return change(value) if isinstance(value, np.ndarray) else "text"
