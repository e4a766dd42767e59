"""Asked against measured rest time, one factor at a time and all at random.

The promise is 3 % for any start shape and 0.5 % for the first mode. What is reached is far better
(the loop hits its schedule to 0.5 % of the distance in every step, which is 0.1 % of the time), but
the tests assert the promise where cases are random and a tighter bound where they are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant import kinds
from pliant.control import solve_law

from .cases import SHAPES, Case, start_shapes

PROMISE = 0.03
#: A miss of 0.5 % of the distance in the last step is 0.005 / ln(100) = 0.1 % of the rest time.
REACHED = 0.002
MATERIALS = list(kinds.MATERIALS.own().values())
STEPS = [1 / 240, 1 / 60, 1 / 24, 1 / 10]


def check_rest(case: Case, bound: float = REACHED) -> None:
    take = case.run()
    measured = take.rest_time()
    assert measured == pytest.approx(case.rest_in, rel=bound)
    amplitude = take[take.bodies[0]].amplitude()
    assert amplitude.min() > -0.005  # no overshoot
    assert set(take.solver["reason"]) <= {"converged", "rounding"}


@pytest.mark.parametrize("bounces", [None, 0])
@pytest.mark.parametrize("dt", STEPS)
@pytest.mark.parametrize("shape", start_shapes(2))
def test_every_shape_at_every_step_in_the_plane(shape: str, dt: float, bounces: int | None) -> None:
    check_rest(Case(shape=shape, dt=dt, bounces=bounces))


@pytest.mark.parametrize("bounces", [None, 0])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 10])
@pytest.mark.parametrize("shape", start_shapes(3))
def test_every_shape_in_space(shape: str, dt: float, bounces: int | None) -> None:
    check_rest(Case(dim=3, shape=shape, dt=dt, bounces=bounces))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 60])
def test_noise(dim: int, dt: float) -> None:
    check_rest(Case(dim=dim, shape="noise", dt=dt))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(
    "mesh", [{"cells": (6, 2, 2)}, {"cells": (16, 4, 3)}, {"mesh": "unstructured"}]
)
def test_meshes(dim: int, mesh: dict) -> None:
    if "cells" in mesh:
        mesh = {"cells": mesh["cells"][:dim]}
    check_rest(Case(dim=dim, shape="mixed", **mesh))


@pytest.mark.parametrize("shape", start_shapes(3))
def test_nearly_flat_cells(shape: str) -> None:
    # Cells of quality 0.06, some of which the start shapes turn inside out: they are led home.
    take = Case(dim=3, shape=shape, mesh="slivers").run()
    assert take.rest_time() == pytest.approx(1.0, rel=PROMISE)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("young", [1e3, 1e6, 1e9])
def test_stiffness(dim: int, young: float) -> None:
    check_rest(Case(dim=dim, young=young))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("poisson", [0.0, 0.3, 0.48])
def test_compressibility(dim: int, poisson: float) -> None:
    check_rest(Case(dim=dim, poisson=poisson, shape="mixed"))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("material", MATERIALS)
@pytest.mark.parametrize("shape", ["bend", "stretch"])
def test_materials(dim: int, material: type, shape: str) -> None:
    check_rest(Case(dim=dim, material=material, shape=shape))


@pytest.mark.parametrize("bounces", [None, 0])
@pytest.mark.parametrize("young", [1e7, 3e6])  # sags of 0.08 and 0.27 of the length in 2D
@pytest.mark.parametrize("shape", ["bend", "stretch", "mixed"])
def test_gravity(shape: str, young: float, bounces: int | None) -> None:
    case = Case(shape=shape, young=young, bounces=bounces, gravity=9.81)
    body = case.body()
    sag = -(case.scene(body).equilibrium().positions[0] - body.mesh.points)[:, 1].min() / 4.0
    assert 0.02 < sag < 0.3
    check_rest(case)


def test_gravity_in_space() -> None:
    check_rest(Case(dim=3, young=5e6, gravity=9.81, shape="mixed"))


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("pins", ["hinge", "free"])
@pytest.mark.parametrize("bounces", [None, 0])
def test_hinged_and_free(dim: int, pins: str, bounces: int | None) -> None:
    # Distances are measured in the co-rotating frame: the take removes the rigid motion.
    cells = (12, 4) if dim == 2 else (8, 2, 2)
    check_rest(Case(dim=dim, pins=pins, bounces=bounces, cells=cells))


@pytest.mark.parametrize("rest_in", [0.3, 5.0])
@pytest.mark.parametrize("within", [0.1, 0.001])
def test_other_wishes(rest_in: float, within: float) -> None:
    case = Case(rest_in=rest_in)
    body = case.body()
    body.place(body.mesh.points * [1.1, 1.0])
    body.damping = pl.Settle(rest_in, within=within)
    take = case.scene(body).run(seconds=1.15 * rest_in, dt=1 / 60)
    assert take.rest_time() == pytest.approx(rest_in, rel=0.005)


@pytest.mark.parametrize("bounces", [None, 0, 1])
def test_very_small_steps(bounces: int | None) -> None:
    # 3000 steps a second: each moves so little that it must not be taken for standing still.
    case = Case(dt=1 / 3000, rest_in=0.5, bounces=bounces, cells=(6, 2), extra=1.02)
    take = case.run()
    measured = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert measured == pytest.approx(0.5, rel=0.05 if bounces else REACHED)


@pytest.mark.parametrize("law", ["every-shape", "first-mode"])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("dt", [1 / 240, 1 / 60, 1 / 24])
@pytest.mark.parametrize("bounces", [None, 0])
def test_first_mode(law: str, dim: int, dt: float, bounces: int | None) -> None:
    take = Case(dim=dim, dt=dt, bounces=bounces, law=law).run_first_mode()
    assert take.rest_time() == pytest.approx(1.0, rel=0.005)  # the promise
    expected = solve_law(1.0, dt, bounces, 0.01).amplitude(np.arange(len(take)))
    # An amplitude of 0.5 % of the length is nearly linear; the rest is the loop's own tolerance.
    assert np.abs(take[take.bodies[0]].amplitude() - expected).max() < 2e-3


@pytest.mark.parametrize("law", ["every-shape", "first-mode"])
@pytest.mark.parametrize(
    "where", [{"gravity": 9.81, "young": 5e6}, {"pins": "hinge"}, {"pins": "free"}]
)
def test_first_mode_under_gravity_hinged_and_free(law: str, where: dict) -> None:
    take = Case(law=law, cells=(12, 4), **where).run_first_mode()
    assert take.rest_time() == pytest.approx(1.0, rel=0.005)


def test_fixed_law_lets_stiff_shapes_vanish_first() -> None:
    # The reason for the default law: these rest after 0.04 and 0.83 of the time.
    stretch = Case(shape="stretch", law="first-mode").run().rest_time()
    s_shape = Case(shape="s_shape", law="first-mode").run().rest_time()
    assert stretch < 0.1
    assert 0.7 < s_shape < 0.95


def _random_case(seed: int) -> Case:
    """The first case drawn from the seed that may start.

    On the unstructured mesh the start shapes invert some flat cells, which NeoHookean refuses.
    """
    rng = np.random.default_rng(seed)
    while True:
        case = _draw(rng)
        body = case.body()
        start = SHAPES[case.shape](body.mesh.points)
        if case.material.finite_when_inverted or not len(body.system().inverted(start)):
            return case


def _draw(rng: np.random.Generator) -> Case:
    dim = int(rng.integers(2, 4))
    young = float(10 ** rng.uniform(3, 9))
    poisson = float(rng.uniform(0.0, 0.48))
    weight = bool(rng.random() < 0.4)
    return Case(
        dim=dim,
        shape=str(rng.choice(start_shapes(dim))),
        dt=float(rng.choice(STEPS)),
        rest_in=float(rng.uniform(0.6, 1.6)),
        bounces=[None, 0][int(rng.integers(2))],
        material=MATERIALS[int(rng.integers(len(MATERIALS)))],
        # With weight, stiff enough to sag by at most 0.3 of the length.
        young=float(rng.uniform(3e6, 3e7)) if weight else young,
        poisson=poisson,
        gravity=9.81 if weight else 0.0,
        mesh=str(rng.choice(["structured", "unstructured"])),
        pins="clamp" if weight else str(rng.choice(["clamp", "free"])),
    )


@pytest.mark.parametrize("seed", range(30))
def test_random_combinations(seed: int) -> None:
    case = _random_case(seed)
    measured = case.run().rest_time()
    assert measured == pytest.approx(case.rest_in, rel=PROMISE), case
