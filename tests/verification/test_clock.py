"""The clock of `Settle` starts at the last change of pins, forces or positions."""

from __future__ import annotations

import numpy as np
import pytest

import pliant as pl
from pliant.take.measure import rest_time

MESH = pl.meshes.rectangle((4, 1), (12, 3))
LEFT, RIGHT = MESH.points[:, 0] < 1e-9, MESH.points[:, 0] > 4 - 1e-9
WISHES = pytest.mark.parametrize("bounces", [None, 0])
#: The loop's own tolerance is 0.2 % (test_rest_time); where the change falls between two frames, the
#: start of the clock is uncertain by a part of a step of 1/60 s in 0.6 s.
EXACT, BETWEEN_FRAMES = 0.002, 0.02


def beam(bounces: int | None, young: float = 1e7) -> pl.Body:
    material = pl.StableNeoHookean(young=young, poisson=0.3)
    body = pl.Body(MESH, material, damping=pl.Settle(0.6, bounces))
    body.fix(LEFT)
    return body


def rest_after(take: pl.Take, moment: float) -> float:
    k = int(np.searchsorted(take.times, moment - 1e-9))
    return rest_time(take.times[k:] - take.times[k], take.distance()[k:], 0.01)


@pytest.mark.parametrize("end", [0.25, 0.4])
def test_a_load_that_ends_before_the_first_promise_is_over(end: float) -> None:
    """The time that is left counts from the end of the load, not from the release before it."""
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=2e6, poisson=0.3))
    body.fix(mesh.points[:, 0] < 1e-9)
    force = lambda t: (0.0, -300.0 if t < end else 0.0, 0.0)  # noqa: E731
    body.push(force=force, on=mesh.points[:, 0] > 3.99)
    body.damping = pl.Settle(rest_in=0.6, bounces=2)
    take = pl.Scene([body]).run(seconds=1.1, dt=1 / 120)
    assert take.rest_time() == pytest.approx(0.6, rel=BETWEEN_FRAMES)


@WISHES
def test_release_of_pins(bounces: int | None) -> None:
    body = beam(bounces)
    body.fix(RIGHT)
    body.place(MESH.points + 0.05 * MESH.points[:, :1] ** 2 * [0, 1])
    scene = pl.Scene(body, gravity=(0, -9.81))
    held = scene.run(seconds=1.0, dt=1 / 60)
    assert held.rest_time() == pytest.approx(0.6, rel=EXACT)
    body.release(RIGHT)
    body_free = scene.run(seconds=0.8, dt=1 / 60)
    assert body_free.distance()[0] > 0.01
    assert body_free.rest_time() == pytest.approx(0.6, rel=EXACT)


@WISHES
def test_clamp_that_stops_moving(bounces: int | None) -> None:
    body = beam(bounces)
    body.release()
    start = MESH.points[LEFT]

    def path(t: float) -> np.ndarray:
        angle = 1.2 * min(t, 0.5)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        return start @ turn.T + [min(t, 0.5), 0.0]

    body.move(LEFT, path)
    take = pl.Scene(body, gravity=(0, -9.81)).run(seconds=1.4, dt=1 / 60)
    assert rest_after(take, 0.5) == pytest.approx(0.6, rel=BETWEEN_FRAMES)


@WISHES
def test_push_that_ends(bounces: int | None) -> None:
    body = beam(bounces)
    forces = np.array([[0.0, 5e3], [0.0, 5e3], [0.0, 0.0]])
    body.push(force=(np.array([0.0, 0.5, 0.5001]), forces), on=RIGHT)
    take = pl.Scene(body).run(seconds=1.3, dt=1 / 60)
    assert rest_after(take, 0.5 + 1 / 60) == pytest.approx(0.6, rel=BETWEEN_FRAMES)


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_pressure_turns_with_the_surface_and_the_promise_holds(bounces: int | None) -> None:
    mesh = pl.meshes.annulus(1, 2, (24, 3))
    material = pl.StableNeoHookean(young=1e5, poisson=0.3)
    body = pl.Body(mesh, material, damping=pl.Settle(0.6, bounces))
    body.fix(mesh.points[:, 1] < -1.9)
    body.push(pressure=5e3, on=np.linalg.norm(mesh.points, axis=1) < 1 + 1e-9)
    take = pl.Scene(body).run(seconds=0.75, dt=1 / 60)
    assert np.abs(take.rest - mesh.points).max() > 0.1
    if bounces:
        assert take.ring().rest_time(0.01) == pytest.approx(0.6, rel=0.05)
    else:
        # The step holds the pressure of its start: a lag of one step in the load.
        assert take.rest_time() == pytest.approx(0.6, rel=0.01)


@pytest.mark.parametrize("rest_in", [0.05, 20.0])  # the natural period is 1.3 s
@WISHES
def test_wishes_far_from_the_natural_period(rest_in: float, bounces: int | None) -> None:
    body = beam(bounces, young=1e6)
    body.damping = pl.Settle(rest_in, bounces)
    body.place(MESH.points + 0.05 * MESH.points[:, :1] ** 2 * [0, 1])
    take = pl.Scene(body, gravity=(0, -2.0)).run(seconds=1.1 * rest_in, dt=rest_in / 60)
    assert take.rest_time() == pytest.approx(rest_in, rel=EXACT)


@pytest.mark.parametrize("spin", [2.0, 5.0])
@WISHES
def test_a_spinning_body_rests_in_time(spin: float, bounces: int | None) -> None:
    body = beam(bounces, young=1e7)
    body.release()
    body.place(MESH.points + 0.02 * (MESH.points[:, :1] - 2) ** 2 * [0, 1])
    r = body.positions - body.masses @ body.positions / body.masses.sum()
    body.velocity = spin * np.stack([-r[:, 1], r[:, 0]], axis=1)
    take = pl.Scene(body).run(seconds=0.8, dt=1 / 120)
    # Its rest shape is stretched by the spin, which changes a little as the body straightens.
    assert take.rest_time() == pytest.approx(0.6, rel=0.03)


@WISHES
def test_a_creeping_load_does_not_wind_the_clock_back(bounces: int | None) -> None:
    body = beam(bounces)
    body.place(MESH.points + 0.05 * MESH.points[:, :1] ** 2 * [0, 1])
    body.push(force=lambda t: (0.0, 1.0 * t), on=RIGHT)
    take = pl.Scene(body).run(seconds=0.8, dt=1 / 60)
    assert take.rest_time() == pytest.approx(0.6, rel=0.03)


def test_one_wish_for_two_bodies_is_kept_by_both() -> None:
    wish = pl.Settle(0.6)
    soft, stiff = beam(None, young=1e5), beam(None, young=1e8)
    for body, size in ((soft, 0.05), (stiff, 0.01)):
        body.damping = wish
        body.place(MESH.points + size * MESH.points[:, :1] ** 2 * [0, 1])
    take = pl.Scene([soft, stiff]).run(seconds=0.7, dt=1 / 60)
    for body in (soft, stiff):
        assert take[body].rest_time() == pytest.approx(0.6, rel=EXACT)
