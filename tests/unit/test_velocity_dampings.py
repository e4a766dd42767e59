"""Dampings of velocities on bodies: every stepper, every body, free fall, and bad settings."""

import numpy as np
import pytest

import pliant as pl
from pliant.control import Points
from pliant.step.filtering import filter_points

DAMPINGS = {
    "point": lambda: pl.PointDamping(0.6),
    "spring": lambda: pl.SpringDamping(0.6),
    "iterated": lambda: pl.IterativeSpringDamping(0.3, iterations=4),
    "rotation": lambda: pl.RelativeDamping(0.05),
    "cells": lambda: pl.RelativeDamping(0.4, clusters="cells"),
    "clusters": lambda: pl.RelativeDamping(0.8, clusters=2, torque="directions"),
    "both": lambda: pl.RelativeDamping(
        0.4, clusters=("whole", "cells"), torque=("distances", "directions")
    ),
    "programme": lambda: pl.RelativeDamping(0.05, torque="programme"),
}
STEPPERS = {
    "implicit": pl.Implicit,
    "symplectic": pl.SymplecticEuler,
    "linearised": pl.LinearisedImplicit,
    "newmark": pl.Newmark,
    "bdf2": pl.BDF2,
    "rk4": pl.RungeKutta4,
}


def solid(damping):
    mesh = pl.meshes.box((1, 0.4, 0.4), (3, 1, 1))
    return pl.Body(mesh, pl.StableNeoHookean(young=1e3, poisson=0.3), density=10, damping=damping)


def springs(damping):
    mesh = pl.meshes.box((1, 0.4, 0.4), (3, 1, 1))
    pairs = pl.Springs.braced(mesh)
    return pl.Springs(mesh, stiffness=20.0, mass=0.1, pairs=pairs, damping=damping)


def cloth(damping):
    sheet = pl.meshes.rectangle((1, 1), (3, 3))
    mesh = pl.Mesh(np.insert(sheet.points, 1, 0.0, axis=1), sheet.cells)
    return pl.Cloth(mesh, stretch=50.0, shear=20.0, bend=1e-2, density=0.5, damping=damping)


BODIES = {"solid": solid, "springs": springs, "cloth": cloth}


@pytest.mark.parametrize(
    "make, stepper",
    [(make, "symplectic") for make in DAMPINGS]
    + [(make, stepper) for make in ("spring", "rotation", "cells") for stepper in STEPPERS],
)
def test_vibrations_die_with_every_stepper(make, stepper):
    body = solid(DAMPINGS[make]())
    X = body.mesh.points
    body.fix(X[:, 0] < 1e-9)
    body.place(X * [1.05, 1, 1])
    take = pl.Scene(body).run(seconds=2.0, dt=1 / 240, stepper=STEPPERS[stepper]())
    away = np.linalg.norm(take.positions - X, axis=2).max(axis=1)
    assert away[-100:].max() < 0.3 * away[0]
    # What no filter does: change where the body rests. All forces vanish with the velocities.
    total = take.energies["total"]
    assert total[-1] < 0.1 * total[0]


@pytest.mark.parametrize("what", BODIES)
@pytest.mark.parametrize("make", DAMPINGS)
def test_free_fall_and_spin_are_untouched_by_all_but_drag(make, what):
    body = BODIES[what](DAMPINGS[make]())
    v = np.cross([0.0, 0.0, 1.0], body.mesh.points) + [1.0, 2.0, 0.0]
    body.velocity = v
    m = body.masses[:, None]

    def spin(x, u):
        middle = (m * x).sum(axis=0) / m.sum()
        return (m * np.cross(x - middle, u)).sum(axis=0)

    before = spin(body.positions, body.velocity)
    pl.Scene(body, gravity=(0, 0, -9.81)).run(seconds=0.5, dt=1 / 500, stepper=pl.SymplecticEuler())
    middle = (m * body.velocity).sum(axis=0) / m.sum()
    start = (m * v).sum(axis=0) / m.sum()
    fall = middle[2] - start[2]
    if make == "point":
        assert abs(fall) < 0.99 * 9.81 * 0.5
        return
    assert fall == pytest.approx(-9.81 * 0.5, rel=1e-12)
    if make == "iterated":  # not projected: keeps linear momentum only
        return
    # Symplectic Euler keeps angular momentum to rounding, over 250 steps.
    assert (
        np.abs(spin(body.positions, body.velocity) - before).max() <= 1e-11 * np.abs(before).max()
    )


def test_terminal_velocity_of_point_damping():
    """m g/gamma, which is what is wrong with it, less what one step adds."""
    body = solid(pl.PointDamping(0.05))
    body.masses = 0.1
    pl.Scene(body, gravity=(0, 0, -10.0)).run(seconds=30, dt=1 / 20)
    # v = (v - g dt) (1 - gamma dt/m), so the step's g dt is missing of it.
    assert body.velocity[:, 2] == pytest.approx(-0.1 * 10 / 0.05 + 10 / 20, rel=1e-4)


def test_longest_step_of_relative_damping_is_the_one_of_theory():
    """Symplectic Euler with v <- (1 - gamma) v' is stable while (1-gamma) (omega dt)^2 < 2 (2-gamma)."""
    body = solid(None)
    system = body.system()
    free = pl.SymplecticEuler().longest_dt(system)
    for gamma in (0.1, 0.5, 0.9):
        found = pl.SymplecticEuler().longest_dt(system, pl.RelativeDamping(gamma))
        expected = free * np.sqrt((2 - gamma) / 2 / (1 - gamma))
        assert found == pytest.approx(expected, rel=0.04)  # it is found to 2 %, free to 0.1 %
    # and a run agrees: just below it nothing happens, just above it blows up
    damping = pl.RelativeDamping(0.5)
    limit = free * np.sqrt(1.5)
    X = body.mesh.points
    for factor, fine in ((0.95, True), (1.1, False)):
        body = solid(damping)
        body.place(X + 1e-6 * np.random.default_rng(0).standard_normal(X.shape))
        dt = factor * limit
        try:
            pl.Scene(body).run(seconds=300 * dt, dt=dt, stepper=pl.SymplecticEuler())
            calm = bool(np.abs(body.positions - X).max() < 1e-3)
        except pl.SolverError:
            calm = False
        assert calm is fine


def test_energy_that_rises_for_a_while_is_no_limit():
    """The paper's combination moves what little is left about in short steps; runs do not blow up."""
    mesh = pl.meshes.box((4, 1, 1), (6, 1, 1))
    damping = pl.RelativeDamping(
        1.0, clusters=("whole", "cells"), torque=("distances", "directions"), limited=False
    )

    def cantilever():
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), damping=damping)
        body.fix(mesh.points[:, 0] < 1e-9)
        return body

    system = cantilever().system()
    free = pl.SymplecticEuler().longest_dt(system)
    found = pl.SymplecticEuler().longest_dt(system, damping)
    assert found > free  # and once was 0.02 of it
    for factor in (0.02, 0.1, 0.9):
        body, dt = cantilever(), factor * found
        body.place(mesh.points + 1e-6 * np.random.default_rng(0).standard_normal(mesh.points.shape))
        pl.Scene(body).run(seconds=300 * dt, dt=dt, stepper=pl.SymplecticEuler())
        assert np.abs(body.positions - mesh.points).max() < 1e-5


def test_pins_hold():
    body = solid(pl.RelativeDamping(0.5))
    clamp = body.mesh.points[:, 0] < 1e-9
    body.fix(clamp)
    body.velocity = np.where(clamp[:, None], 0.0, 1.0)
    pl.Scene(body).run(seconds=0.2, dt=1 / 60)
    assert (body.positions[clamp] == body.mesh.points[clamp]).all()


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.PointDamping(-1.0), "gamma >= 0"),
        (lambda: pl.SpringDamping(float("nan")), "gamma >= 0"),
        (lambda: pl.IterativeSpringDamping(1.0, iterations=0), "whole number"),
        (lambda: pl.RelativeDamping(1.2), "from 0 to 1"),
        (lambda: pl.RelativeDamping(-0.1), "from 0 to 1"),
        (lambda: pl.RelativeDamping(0.1, torque="magic"), "expected one of"),
        (lambda: pl.RelativeDamping(0.1, clusters="all"), '"whole", "cells"'),
        (lambda: pl.RelativeDamping(0.1, clusters=0), "a number of clusters"),
        (lambda: pl.RelativeDamping(0.1, clusters=(4, "cells"), torque=(None,)), "as many"),
    ],
)
def test_bad_settings_are_refused_with_the_reason(make, words):
    with pytest.raises(ValueError, match=words):
        make()


@pytest.mark.parametrize(
    "clusters, words",
    [
        ([[3]], "two or more"),
        ([[0, 99]], "from 0 to 15"),
        ([np.zeros(16, dtype=bool)], "two or more"),
        ([], "no cluster"),
        (12, "at most 8"),
    ],
)
def test_bad_clusters_are_refused_when_the_body_is_known(clusters, words):
    body = solid(pl.RelativeDamping(0.1, clusters=clusters))
    with pytest.raises(ValueError, match=words):
        pl.Scene(body).run(seconds=0.1, dt=1 / 60)


def test_spring_damping_of_points_without_neighbours_is_refused():
    points = Points(np.eye(3), np.ones(3))
    with pytest.raises(ValueError, match="no neighbours"):
        pl.SpringDamping(1.0).forces(points, np.eye(3), 0.1)
    with pytest.raises(ValueError, match="without cells"):
        pl.RelativeDamping(0.1, clusters="cells").forces(points, np.eye(3), 0.1)
    with pytest.raises(ValueError, match="no weight"):
        body = Points(np.random.default_rng(0).random((6, 3)), np.ones(6))
        pl.RelativeDamping(
            0.1, clusters=[[0, 1, 2], [3, 4, 5]], torque="directions", about=0
        ).forces(body, np.ones((6, 3)), 0.1)


def test_cells_are_those_of_the_mesh():
    """Of ConstraintBody, too, whose first energy is about edges."""
    mesh = pl.meshes.box((1, 1, 1), (1, 1, 1))
    body = pl.ConstraintBody(mesh, distance=10.0, volume=10.0, mass=0.1)
    cells = filter_points(body.system()).cells
    assert len(cells) == 1 and np.array_equal(cells[0], mesh.cells["tet4"])
