"""One meaning of rest: takes, pages, films, the stage and the laboratory say the same number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.io import rested
from pliant.io.html import page
from pliant.io.shown import Shown
from pliant.take import AT_REST, Track, measure
from pliant.view.act import Act
from tests.verification.shapes import bend

ROOT = Path(__file__).parents[2]


def beam(bounces: int | None, rest_in: float = 1.0, *, young: float = 1e6) -> pl.Body:
    """A bent plane beam, clamped on the left."""
    mesh = pl.meshes.rectangle((4, 1), (12, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.4), name="beam")
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(bend(mesh.points, 40.0))
    body.damping = pl.Settle(rest_in, bounces)
    return body


def spinner() -> pl.Body:
    """A soft free bar, bent, that spins so fast that its rest shape changes as it straightens."""
    body = beam(None, 0.6, young=1e5)
    body.release()
    body.place(body.mesh.points + 0.03 * (body.mesh.points[:, :1] - 2.0) ** 2 * [0, 1])
    r = body.positions - body.masses @ body.positions / body.masses.sum()
    body.velocity = 3.0 * np.stack([-r[:, 1], r[:, 0]], axis=1)
    return body


def two_parts() -> pl.Body:
    """A stiff bar that is held and bent, and a soft one that is free and pulled, in one mesh."""
    one = pl.meshes.rectangle((2, 0.5), (8, 2))
    points = np.concatenate([one.points, one.points + [0.0, 3.0]])
    cells = one.cells["tri3"]
    mesh = pl.Mesh(points, {"tri": np.concatenate([cells, cells + len(one)])})
    young = np.repeat([1e8, 1e5], len(cells))
    body = pl.Body(mesh, pl.StableNeoHookean(young=young, poisson=0.3), name="two")
    body.fix((points[:, 0] < 1e-9) & (points[:, 1] < 1.0))
    held = points[:, :1] ** 2 * [0.0, 0.02]
    body.place(points + np.where(points[:, 1:] < 1.0, held, 0.1 * points * [1.0, 0.0]))
    return body


def on_stage(scene: pl.Scene, dt: float, seconds: float) -> float | None:
    """What the stage says after it has played a scene for a while."""
    act = Act(scene, dt=dt, device="cpu", stepper=None)
    for _ in range(round(seconds / dt)):
        act.step(dt)
    return act.curve.rested


# --- the same number everywhere -------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [lambda: beam(None), lambda: beam(0), lambda: beam(1), lambda: beam(3), spinner]
)
def test_stage_page_and_take_say_the_same(make) -> None:
    dt, seconds = 1 / 60, 1.4
    take = pl.Scene(make()).run(seconds=seconds, dt=dt)
    said = take.rest_time()
    assert np.isfinite(said)
    assert Shown.of(take.tracks[0]).measured == pytest.approx(said, rel=1e-12)
    stage = on_stage(pl.Scene(make()), dt, seconds)
    # The stage looks every ten steps, when a spinner's last shape is not quite the last yet.
    assert stage == pytest.approx(said, rel=1e-9 if make is not spinner else 2e-3)


def test_who_shows_an_envelope_says_so() -> None:
    take = pl.Scene(beam(2)).run(seconds=1.2)
    assert "by its envelope)" in rested(take.tracks[0]).words
    assert "envelope" not in rested(pl.Scene(beam(0)).run(seconds=1.2).tracks[0]).words
    assert "by its farthest point)" in rested(take.tracks[0], "farthest").words


def test_one_sentence_explains_it_everywhere() -> None:
    take = pl.Scene(beam(0)).run(seconds=1.2)
    assert AT_REST in page(take)
    plain = " ".join((ROOT / "docs" / "rest-on-cue.md").read_text(encoding="utf-8").split())
    assert AT_REST in plain
    assert AT_REST in " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    said = " ".join((Track.rest_time.__doc__ or "").split())
    assert AT_REST in said


# --- what it is measured against ------------------------------------------------------------


def test_a_spinner_rests_when_it_has_its_last_shape() -> None:
    take = pl.Scene(spinner()).run(seconds=1.4, dt=1 / 120)
    track = take.tracks[0]
    distance = np.array([_apart(track, frame, -1) for frame in range(len(take))])
    against_the_last = measure.rest_time(take.times, distance, 0.01)
    moving = np.array([_apart(track, frame, frame) for frame in range(len(take))])
    assert take.rest_time() == pytest.approx(against_the_last, rel=1e-6)
    # To follow a shape that still moves is not to rest: that number is off by 2 % and more.
    off = against_the_last / measure.rest_time(take.times, moving, 0.01) - 1.0
    assert abs(off) > 0.015


def _apart(track: Track, frame: int, goal: int) -> float:
    """The rms distance of a frame to a rest shape that is laid on it."""
    assert track.rests is not None
    x, m = track.positions[frame], track.masses
    u = x - track.align(track.rests[goal], x)
    return float(np.sqrt(m @ (u**2).sum(axis=1) / m.sum()))


def test_the_largest_distance_counts_not_the_first() -> None:
    # Thrown from its rest shape the body is at a distance of zero at first.
    body = beam(2)
    body.place(body.mesh.points)
    body.velocity = np.outer(body.mesh.points[:, 0] ** 2, [0.0, 0.2])
    take = pl.Scene(body).run(seconds=1.5)
    largest = take.distance().max()
    assert take.distance()[0] < 1e-9 and 0.5 < take.rest_time() < 1.2
    assert take.distance()[take.times > take.rest_time()].max() < 0.011 * largest
    assert rested(take.tracks[0]).largest == pytest.approx(largest)


def test_the_farthest_point_rests_at_another_time_than_the_mean() -> None:
    take = pl.Scene(beam(None)).run(seconds=1.5)
    far = take.distance(measure="farthest")
    u = take.positions - take.rest
    assert far == pytest.approx(np.linalg.norm(u, axis=2).max(axis=1), rel=1e-9)
    expected = measure.rest_time(take.times, far, 0.01)
    assert take.rest_time(measure="farthest") == pytest.approx(expected, rel=1e-12)
    assert abs(expected - take.rest_time()) > 1e-6
    with pytest.raises(ValueError, match="measure: got 'mean'; expected one of"):
        take.rest_time(measure="mean")  # type: ignore[arg-type]


# --- bounces --------------------------------------------------------------------------------


def test_a_ring_needs_no_sign() -> None:
    """Two shapes a quarter of a period apart: the distance never passes zero."""
    times = np.linspace(0.0, 1.0, 121)
    fall, turn = np.exp(-4.0 * times), 4.0 * np.pi * times
    distance = fall * np.hypot(np.cos(turn), 0.6 * np.sin(turn))
    ring = measure.fit_ring(times, distance, period=0.45, rate=3.0)
    assert (ring.size, ring.rate, ring.period) == pytest.approx((1.0, 4.0, 0.5), rel=1e-6)


@pytest.mark.parametrize("bounces", [1, 2])
def test_the_envelope_of_a_start_with_a_cell_inside_out(bounces: int) -> None:
    body = beam(bounces)
    mesh = body.mesh
    x = mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1]
    x[np.argmax(mesh.points.sum(axis=1))] -= 0.3
    body.place(x)
    assert len(body.system().inverted(x)) == 1
    ring = pl.Scene(body).run(seconds=1.25).ring()
    # The cell goes straight home while the beam bounces: 1.07 and 0.84 by the sign of the beam.
    assert ring.rest_time(0.01) == pytest.approx(1.0, rel=0.05)
    assert ring.period == pytest.approx(1.0 / bounces, rel=0.03)


# --- parts ----------------------------------------------------------------------------------


def test_every_part_is_measured_by_itself() -> None:
    take = _decaying(two_parts(), (3.0, 6.0))
    expected = np.log(100.0) / np.array([3.0, 6.0])
    assert take.rest_times() == pytest.approx(expected, rel=1e-6)
    assert take.rest_time() == pytest.approx(expected.max(), rel=1e-6)
    assert "the last of 2 parts" in rested(take.tracks[0]).words
    assert rested(take.tracks[0]).distance == pytest.approx(take.tracks[0].distances()[:, 0])


def test_a_part_that_stays_at_rest_does_not_count() -> None:
    take = _decaying(two_parts(), (3.0, np.inf))
    assert take.rest_times() == pytest.approx([np.log(100.0) / 3.0, 0.0], rel=1e-6)


def _decaying(body: pl.Body, rates: tuple[float, float]) -> pl.Take:
    """A take whose two parts go straight home at given rates; the free one turns on the way."""
    times = np.linspace(0.0, 2.0, 121)
    home, start = body.mesh.points, body.positions
    left = np.exp(-np.outer(times, np.minimum(rates, 1e4)))[:, body.components]
    left[0] = np.isfinite(rates)[body.components]
    x = home + left[:, :, None] * (start - home)
    free = body.components == 1
    for frame, turn in enumerate(times):
        c, s = np.cos(turn), np.sin(turn)
        x[frame, free] = x[frame, free] @ [[c, s], [-s, c]] + [turn, 0.0]
    body.damping = pl.Settle(1.5)
    track = replace(
        pl.Scene(body).run(seconds=1 / 60, dt=1 / 60).tracks[0],
        times=times,
        positions=x,
        velocities=np.zeros_like(x),
        rests=[home] * len(times),
        changed=np.zeros(len(times)),
    )
    return pl.Take([track], dt=1 / 60)


# --- the clock ------------------------------------------------------------------------------


def pushed(jump: float) -> pl.Body:
    """A beam whose load is taken off at a time."""
    body = beam(None, 0.5, young=1e7)
    body.place(body.mesh.points)
    tip = body.mesh.points[:, 0] > 4 - 1e-9
    body.push(force=lambda t: (0.0, 2e3 * (t < jump)), on=tip)
    return body


@pytest.mark.parametrize("suffix", ["", ".npz", ".zarr"])
def test_a_take_knows_when_its_load_changed(suffix: str, tmp_path: Path) -> None:
    take = pl.Scene(pushed(0.7)).run(seconds=1.5, dt=1 / 60)
    if suffix:
        take = pl.Take.read(take.save(tmp_path / f"take{suffix}"))
    track = take.tracks[0]
    # The step that ends at 0.7 s is the first without the load: it acts from its start.
    assert track.since == pytest.approx(0.7, abs=1 / 60 + 1e-9)
    assert take.rest_time() == pytest.approx(0.5, rel=0.002)
    assert "after its last change at 0.6" in rested(track).words


def test_a_take_on_disk_knows_it_while_it_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "take.zarr"
    take = pl.Scene(pushed(0.7)).run(seconds=1.5, dt=1 / 60, into=folder)
    memory = pl.Scene(pushed(0.7)).run(seconds=1.5, dt=1 / 60)
    assert take.tracks[0].changed == pytest.approx(memory.tracks[0].changed)
    assert take.rest_time() == pytest.approx(memory.rest_time(), rel=1e-12)


def test_pins_start_the_clock_when_they_stop() -> None:
    body = beam(None, 0.5, young=1e7)
    body.place(body.mesh.points)
    clamp = np.flatnonzero(body.pinned)
    home = body.mesh.points[clamp]
    body.release()
    middle = home.mean(axis=0)

    def squeezed(t: float) -> np.ndarray:
        """The clamp is pressed together, which no rigid motion does."""
        return middle + (home - middle) * (1.0 - 0.3 * min(t / 0.3, 1.0))

    body.move(clamp, squeezed)
    take = pl.Scene(body).run(seconds=1.0, dt=1 / 60)
    track = take.tracks[0]
    assert track.since == pytest.approx(0.3, abs=1e-6)
    assert take.rest_time() == pytest.approx(0.5, rel=0.04)  # one frame is 3 %
    # Takes of earlier versions have not recorded it; their pins tell.
    assert replace(track, changed=None).since == pytest.approx(0.3, abs=1e-6)


def test_without_a_wish_any_change_starts_the_clock() -> None:
    body = pushed(0.7)
    body.damping = pl.Rayleigh(mass=20.0)
    scene = pl.Scene(body)
    take = scene.run(seconds=2.0, dt=1 / 60)
    home = body.mesh.points
    assert take.tracks[0].since == pytest.approx(0.7, abs=1 / 60 + 1e-9)
    begin = take.tracks[0].begin
    late = measure.rest_time(
        take.times[begin:] - take.times[begin], take.distance(home)[begin:], 0.01
    )
    assert take.rest_time(rest=home) == pytest.approx(late, rel=1e-12)
