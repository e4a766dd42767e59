"""Bounces: as many as asked, in time, under the promised envelope, and no ringing overtones.

The period is twice the mean time between sign changes of the start shape's amplitude. The envelope
is fitted to the squared distance to rest (`Track.ring`).
"""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant.control import longest_dt, solve_law
from pliant.take import crossings

from .cases import Case, start_shapes


def period(take: pl.Take, rest_in: float) -> float:
    amplitude = take[take.bodies[0]].amplitude()
    turns = crossings(take.times, amplitude)
    assert (turns <= rest_in).sum() >= 2, "it did not bounce"
    return 2.0 * float(np.diff(turns[turns <= rest_in]).mean())


def sign_changes(take: pl.Take, rest_in: float) -> int:
    amplitude = take[take.bodies[0]].amplitude()
    return int((crossings(take.times, amplitude) <= rest_in).sum())


CASES_2D = [(1 / 60, 1), (1 / 60, 2), (1 / 60, 3), (1 / 60, 5), (1 / 24, 1), (1 / 240, 3)]
CASES_3D = [(1 / 60, 1), (1 / 60, 3), (1 / 60, 5), (1 / 24, 2)]


def check_bounces(case: Case) -> None:
    take = case.run()
    assert case.bounces is not None
    # Two sign changes a bounce, and one more allowed: overtones do not ring on.
    assert sign_changes(take, case.rest_in) <= 2 * case.bounces + 1
    assert period(take, case.rest_in) == pytest.approx(case.rest_in / case.bounces, rel=0.02)
    envelope = take.ring().rest_time(0.01) / case.rest_in
    if case.shape in ("bend", "stretch", "twist"):
        assert envelope == pytest.approx(1.0, rel=0.05)
    else:
        assert envelope < 1.1


@pytest.mark.parametrize(("dt", "bounces"), CASES_2D)
@pytest.mark.parametrize("shape", start_shapes(2))
def test_bounces_in_the_plane(shape: str, dt: float, bounces: int) -> None:
    check_bounces(Case(shape=shape, dt=dt, bounces=bounces, extra=1.0))


@pytest.mark.parametrize(("dt", "bounces"), CASES_3D)
@pytest.mark.parametrize("shape", start_shapes(3))
def test_bounces_in_space(shape: str, dt: float, bounces: int) -> None:
    check_bounces(Case(dim=3, shape=shape, dt=dt, bounces=bounces, extra=1.0))


@pytest.mark.parametrize("material", [pl.Linear, pl.StVenantKirchhoff, pl.Corotated, pl.NeoHookean])
@pytest.mark.parametrize("shape", ["bend", "stretch"])
def test_bounces_of_other_materials(material: type, shape: str) -> None:
    if material is pl.Linear and shape == "bend":
        pytest.skip("a 70-degree bend is a stretch to the small strain of Linear")
    check_bounces(Case(material=material, shape=shape, bounces=2, extra=1.0))


@pytest.mark.parametrize("young", [1e3, 1e9])
@pytest.mark.parametrize("poisson", [0.0, 0.48])
@pytest.mark.parametrize("shape", ["bend", "stretch"])
def test_bounces_of_other_moduli(young: float, poisson: float, shape: str) -> None:
    check_bounces(Case(young=young, poisson=poisson, shape=shape, bounces=2, extra=1.0))


@pytest.mark.parametrize("bounces", [1, 5])
@pytest.mark.parametrize("material", [pl.NeoHookean, pl.StableNeoHookean])
@pytest.mark.parametrize("dim", [2, 3])
def test_stretch_is_exact_for_any_stiffening(dim: int, material: type, bounces: int) -> None:
    # A uniform stretch is compatible at every amplitude, so nothing is approximate but the solver.
    case = Case(
        dim=dim, shape="stretch", poisson=0.48, material=material, bounces=bounces, extra=1.0
    )
    take = case.run(stepper=pl.Implicit(tolerance=0))
    assert period(take, 1.0) == pytest.approx(1.0 / bounces, rel=1e-4)
    assert take.ring().rest_time(0.01) == pytest.approx(1.0, rel=1e-3)


@pytest.mark.parametrize(("dim", "shape"), [(d, s) for d in (2, 3) for s in start_shapes(d)])
def test_bounces_on_an_unstructured_mesh(dim: int, shape: str) -> None:
    check_bounces(Case(dim=dim, shape=shape, mesh="unstructured", bounces=2, extra=1.0))


def test_bounces_of_a_spinning_body_are_measured_in_its_own_axes() -> None:
    case = Case(young=1e8, pins="free", bounces=2, extra=1.0)
    body = case.body()
    x = body.mesh.points
    body.place(x + 0.01 * (x[:, :1] - 2.0) ** 2 * [0.0, 1.0])
    r = body.positions - body.masses @ body.positions / body.masses.sum()
    body.velocity = 5.0 * np.stack([-r[:, 1], r[:, 0]], axis=1)
    take = case.scene(body).run(seconds=1.0, dt=1 / 120)
    assert take.ring().period == pytest.approx(0.5, rel=0.02)
    assert sign_changes(take, 1.0) == 4


@pytest.mark.parametrize("pins", ["hinge", "free"])
def test_bounces_hinged_and_free(pins: str) -> None:
    check_bounces(Case(pins=pins, cells=(12, 4), bounces=2, extra=1.0))


@pytest.mark.parametrize("bounces", [1, 3])
def test_bounces_under_gravity(bounces: int) -> None:
    # A sag of 0.15 of the length; released straight.
    case = Case(young=5e6, gravity=9.81, bounces=bounces, extra=1.0)
    body = case.body()
    take = case.scene(body).run(seconds=1.0, dt=1 / 60)
    assert period(take, 1.0) == pytest.approx(1.0 / bounces, rel=0.02)
    assert take.ring().rest_time(0.01) == pytest.approx(1.0, rel=0.05)


@pytest.mark.parametrize("law", ["every-shape", "first-mode"])
@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(("dt", "bounces"), [*CASES_2D, (1 / 24, 2)])
def test_first_mode_follows_the_law(law: str, dim: int, dt: float, bounces: int) -> None:
    take = Case(dim=dim, dt=dt, bounces=bounces, law=law, extra=1.0).run_first_mode()
    ring = take.ring()
    assert ring.period == pytest.approx(1.0 / bounces, rel=0.005)
    assert ring.rest_time(0.01) == pytest.approx(1.0, rel=0.005)
    amplitude = take[take.bodies[0]].amplitude()
    predicted = solve_law(1.0, dt, bounces, 0.01).amplitude(np.arange(len(take)))
    # Overshoot as predicted; half a percent of the length is nearly, not exactly, linear.
    assert amplitude.min() == pytest.approx(predicted.min(), abs=2e-3)
    assert np.abs(amplitude - predicted).max() < 5e-3


@pytest.mark.parametrize("where", [{"gravity": 9.81, "young": 5e6}, {"pins": "free"}])
def test_first_mode_under_gravity_and_free(where: dict) -> None:
    take = Case(bounces=3, extra=1.0, **where).run_first_mode()
    assert take.ring().period == pytest.approx(1.0 / 3.0, rel=0.005)
    assert take.ring().rest_time(0.01) == pytest.approx(1.0, rel=0.005)


def test_a_push_before_release_counts() -> None:
    # Started at rest with a velocity, a body with bounces swings out and back under the envelope.
    case = Case(bounces=2)
    body = case.body()
    body.velocity = np.outer(body.mesh.points[:, 0] ** 2, [0.0, 0.2])
    take = case.scene(body).run(seconds=1.5, dt=1 / 60)
    swing = np.abs(take.positions - body.mesh.points).max(axis=(1, 2))
    assert swing.max() > 0.05
    assert swing[-1] < 0.01 * swing.max()


@pytest.mark.parametrize("bounces", [2, 3, 5])
def test_impossible_wish_names_the_longest_step(bounces: int) -> None:
    case = Case(bounces=bounces, dt=0.1)
    limit = longest_dt(1.0, bounces, 0.01)
    with pytest.raises(pl.ImpossibleWishError) as refused:
        case.run()
    named = float(str(refused.value).split("scene.run(dt=")[1].split(")")[0])
    assert 0.999 * limit < named <= limit  # rounded down, so that what it names works
    take = Case(bounces=bounces, dt=0.99 * limit, extra=1.2).run()
    assert np.isfinite(take.positions).all()
    assert take.distance()[-1] < 0.05 * take.distance()[0]


def test_the_fixed_law_rings_where_the_default_does_not() -> None:
    # A 20 % stretch with the fixed law and 0 bounces overshoots by 40 %.
    fixed = Case(shape="stretch", bounces=0, law="first-mode", dt=1 / 120).run()
    ours = Case(shape="stretch", bounces=0, dt=1 / 120).run()
    assert fixed[fixed.bodies[0]].amplitude().min() < -0.2
    assert ours[ours.bodies[0]].amplitude().min() > -0.005
