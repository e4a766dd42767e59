"""`Settle(beats=[...])`: bounces, and hops of what lands, at given times."""

from __future__ import annotations

import math

import numpy as np
import pytest

import pliant as pl
from pliant.control import Beats, sampled
from tests.contact.landings import falling

from .weak_places import arch, bar, bent, chain

slow = pytest.mark.slow


def turns(take: pl.Take, dt: float) -> np.ndarray:
    """When the amplitude turns back on the side of its start, but at the start itself [s]."""
    a = take[take.bodies[0]].amplitude()
    k = np.flatnonzero((a[1:-1] > a[:-2]) & (a[1:-1] >= a[2:]) & (a[1:-1] > 5e-3)) + 1
    before, now, after = a[k - 1], a[k], a[k + 1]
    return np.asarray(take.times[k] + 0.5 * dt * (before - after) / (before - 2 * now + after))


def released(body: object, beats: list[float], *, dt: float = 1 / 60, pull: float = 0.0) -> pl.Take:
    assert isinstance(body, (pl.Body, pl.Springs))
    body.damping = pl.Settle(1.5, beats=beats)
    scene = pl.Scene([body], gravity=(0, -pull), contact=False)
    return scene.run(seconds=1.8, dt=dt, progress=False)


@pytest.mark.parametrize(
    ("make", "beats", "dt"),
    [
        (lambda: bent(bar(1e6), 60.0), [0.3, 0.8, 1.0], 1 / 60),
        pytest.param(lambda: bent(bar(1e6), 60.0), [0.3, 0.8, 1.0], 1 / 36, marks=slow),
        pytest.param(lambda: bent(bar(1e6), 200.0), [0.5, 0.8, 1.2], 1 / 60, marks=slow),
        (lambda: chain("springs", 2), [0.3, 0.8, 1.0], 1 / 60),
        pytest.param(lambda: arch(-1.1), [0.3, 0.8, 1.0], 1 / 60, marks=slow),
    ],
)
def test_a_body_turns_on_the_beat_and_rests_in_time(
    make: object, beats: list[float], dt: float
) -> None:
    assert callable(make)
    take = released(make(), beats, dt=dt)
    assert turns(take, dt) == pytest.approx(beats, abs=dt)
    assert take.rest_time() == pytest.approx(1.5, rel=0.01)


def test_a_heavy_bar_bounces_on_the_beat() -> None:
    take = released(bar(5.7e5), [0.2, 0.9], pull=9.81)
    assert turns(take, 1 / 60) == pytest.approx([0.2, 0.9], abs=1 / 60)
    assert take.rest_time() == pytest.approx(1.5, rel=0.01)


def test_even_beats_are_bounces() -> None:
    decay, dt = 3.0, 1 / 60
    beats = Beats((0.4, 0.8, 1.2), decay)
    even = sampled(decay * dt, 2.0 * math.pi * dt / 0.4)
    assert even is not None
    for t in (0.0, 0.31, 0.8, 1.1):
        law = beats.gains(t, dt, decay)
        assert law is not None
        assert (law.kappa, law.W) == pytest.approx((even.kappa, even.W), rel=1e-9)


def test_the_last_beat_may_be_the_end() -> None:
    take = released(bent(bar(1e6), 60.0), [0.6, 1.5])
    assert turns(take, 1 / 60)[0] == pytest.approx(0.6, abs=1 / 60)
    assert 1.2 < take.rest_time() <= 1.5 + 1 / 60


@pytest.mark.parametrize(
    "beats", [[], [0.5, 0.4], [0.0, 0.5], [0.5, 2.0], [[0.5]], ["a"], [0.5, float("nan")]]
)
def test_beats_that_are_none_are_refused(beats: list[float]) -> None:
    with pytest.raises(ValueError, match="beats"):
        pl.Settle(1.5, beats=beats)


def test_beats_are_not_for_everything() -> None:
    with pytest.raises(ValueError, match="expected beats alone"):
        pl.Settle(1.5, 3, beats=[0.5, 1.0])
    with pytest.raises(ValueError, match="for each point"):
        pl.Settle([1.0, 1.5], beats=[0.5, 0.9])


def test_a_step_too_long_names_one_that_will_do() -> None:
    with pytest.raises(pl.ImpossibleWishError, match="beats as near as 0.1 s") as refused:
        released(bent(bar(1e6), 60.0), [0.5, 0.6], dt=1 / 24)
    named = float(str(refused.value).split("scene.run(dt=")[1].split(")")[0])
    assert np.isfinite(released(bent(bar(1e6), 60.0), [0.5, 0.6], dt=named).positions).all()


def test_repr_makes_the_same_wish() -> None:
    wish = pl.Settle(1.5, beats=[0.5, 1.0])
    again = eval(repr(wish), {"Settle": pl.Settle})
    assert again.wish() == wish.wish() and again.beats == (0.5, 1.0)


@pytest.mark.parametrize("beats", [[0.3, 0.5, 0.65], pytest.param([0.35, 0.65, 0.8], marks=slow)])
def test_what_lands_touches_again_on_the_beat(beats: list[float]) -> None:
    scene, box = falling(height=0.5)
    box.damping = pl.Settle(1.0, beats=beats)
    take = scene.run(seconds=1.5, dt=1 / 60, progress=False)
    track = take[box]
    air = track.positions[:, :, 1].min(axis=1) > 2e-3
    touches = take.times[1:][air[:-1] & ~air[1:]] - track.since
    assert touches[1:] == pytest.approx(beats, abs=1 / 60)
    assert track.asked["hops"] == len(beats)
    assert take.rest_time() == pytest.approx(1.0, rel=0.06)


def test_a_hop_that_cannot_last_until_its_beat_is_told(caplog: pytest.LogCaptureFixture) -> None:
    scene, box = falling(height=0.2)
    box.damping = pl.Settle(1.0, beats=[0.8])
    scene.run(seconds=0.8, dt=1 / 60, progress=False)
    assert "before its beat of 0.8 s: it hops no higher than it fell" in caplog.text
