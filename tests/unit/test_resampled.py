"""Takes at other frame rates, and with new times where those of a file do not grow."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main
from pliant.io.surfaces import frame_rate
from tests.moving import moving_take


def run(*words):
    with pytest.raises(SystemExit) as end:
        main([str(word) for word in words])
    return end.value.code or 0


@pytest.fixture(scope="module")
def cut():
    """A strip that is cut at 0.1 s, recorded 60 times a second."""
    mesh = pl.meshes.rectangle(size=(2, 0.4), cells=(6, 2))
    strip = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), name="strip")
    strip.fix(mesh.points[:, 0] < 1e-9)
    strip.cut(pl.HalfSpace((1.2, 0), (1, 0.3)), at=0.1)
    return pl.Scene([strip], gravity=(0, -9.81)).run(seconds=0.25, dt=1 / 60)


def test_between_frames_bodies_move_in_straight_lines():
    take = moving_take(5, bodies=2)  # 30 frames a second
    found = take.resampled(fps=45.0)
    assert frame_rate(found) == 45.0 and found.dt == take.dt
    assert found.times[0] == take.times[0] and found.times[-1] == pytest.approx(take.times[-1])
    for own, new in zip(take.tracks, found.tracks, strict=True):
        expected = np.empty_like(new.positions)
        for axis in np.ndindex(own.positions.shape[1:]):
            expected[(slice(None), *axis)] = np.interp(
                found.times, take.times, own.positions[(slice(None), *axis)]
            )
        np.testing.assert_allclose(new.positions, expected, rtol=0, atol=1e-12)
        # Every third new frame is every second old one, to the last bit.
        assert np.array_equal(new.positions[::3], own.positions[::2])
        assert np.array_equal(new.energies["total"][::3], own.energies["total"][::2])


def test_a_run_resampled_tells_the_same_rest():
    mesh = pl.meshes.rectangle(size=(4, 1), cells=(6, 2))
    beam = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4))
    beam.fix(mesh.points[:, 0] < 1e-9)
    beam.place(mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1])
    beam.damping = pl.Settle(rest_in=0.5, bounces=0)
    take = pl.Scene([beam]).run(seconds=0.6, dt=1 / 60)
    film = take.resampled(fps=24)
    assert len(film) == 15 and film.tracks[0].asked == take.tracks[0].asked
    # Interpolated distances cross one percent within a frame of where they did.
    assert film.rest_time() == pytest.approx(take.rest_time(), abs=1 / 60)


def test_a_cut_body_is_sewn_until_it_is_cut(cut, tmp_path):
    film = cut.resampled(fps=24)
    (own,), (new,) = cut.tracks, film.tracks
    _, after = new.topologies
    at = float(film.times[after.first])
    # It comes with the first frame that is not before the cut's.
    assert at - 1 / 24 < cut.times[own.topologies[1].first - 1] <= at
    for k, t in enumerate(film.times):
        expected = np.array(
            [
                np.interp(t, cut.times, own.positions[:, p, d])
                for p in range(len(own.mesh))
                for d in (0, 1)
            ]
        )
        np.testing.assert_allclose(new.positions[k].ravel(), expected, atol=1e-12)
    film.save(tmp_path / "film.npz")
    again = pl.Take.read(tmp_path / "film.npz")
    assert np.array_equal(again.positions, new.positions) and len(again.tracks[0].topologies) == 2


def test_contacts_are_those_of_the_nearest_frame():
    matter = pl.StableNeoHookean(young=1e5, poisson=0.3)
    ball = pl.Body(pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1)), matter, density=1000.0)
    scene = pl.Scene([ball], gravity=(0, -9.81, 0), contact=pl.Contact())
    scene.add(pl.HalfSpace((0, -0.01, 0), (0, 1, 0)))
    take = scene.run(seconds=0.2, dt=1 / 60)
    film = take.resampled(fps=24)
    nearest = [int(np.abs(take.times - t).argmin()) for t in film.times]
    assert [len(c) for c in film.contacts] == [len(take.contacts[k]) for k in nearest]
    assert sum(len(c) for c in film.contacts)


@pytest.mark.parametrize("fps", [0, -24, np.nan, np.inf, "24", None])
def test_a_rate_that_is_none_is_refused(fps):
    with pytest.raises(ValueError, match=r"resampled: got fps=.*; expected frames per second"):
        moving_take(3).resampled(fps=fps)


def test_convert_writes_another_rate_as_run_names_files(tmp_path, capsys):
    moving_take(31).save(tmp_path / "take.npz")
    assert run("convert", tmp_path / "take.npz", "-o", tmp_path / "a.npz", "--fps", 24) == 0
    assert frame_rate(pl.Take.read(tmp_path / "a.npz")) == 24.0
    assert run("convert", tmp_path / "take.npz") == 2
    assert (
        "convert: got no file to write; expected one, e.g. -o take.usdc" in capsys.readouterr().err
    )


def test_times_that_do_not_grow_are_mended_as_the_refusal_says(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    take = moving_take(5)
    for suffix in (".npz", ".zarr"):
        path = take.save(tmp_path / f"take{suffix}")
        if suffix == ".npz":
            with np.load(path) as file:
                arrays = dict(file)
            arrays["times"][2] = arrays["times"][1]
            np.savez(path, **arrays)
        else:
            np.array(take.times[1]).tofile(path / "times" / "2")
        assert run("convert", path, "-o", "out.glb") == 2
        said = capsys.readouterr().err
        assert "frame 2 is not later than the one before it" in said
        (words,) = re.findall(r"pliant (convert \S+ \S+ --retime \S+)", said)
        assert run(*words.split()) == 0
        mended = pl.Take.read("take-mended.npz")
        np.testing.assert_allclose(np.diff(mended.times), 1 / 30)
        for own, new in zip(take.tracks, mended.tracks, strict=True):
            assert np.array_equal(own.positions, new.positions)
    assert not (tmp_path / "out.glb").exists()
    with pytest.raises(ValueError, match="retime"):
        pl.Take.read("take.npz", retime=-1)


def test_a_motion_in_the_middle_stays_a_rotation():
    from pliant.take.resample import Instants, _motion

    turns = [[[1, 0, 0], [0, 1, 0]], [[0, -1, 2], [1, 0, 0]]]
    at = Instants.of(np.array([0.0, 1.0]), 4.0)
    found = _motion(np.array(turns, dtype=float), at)
    for k, pose in enumerate(found):
        np.testing.assert_allclose(pose[:, :2] @ pose[:, :2].T, np.eye(2), atol=1e-12)
        assert pose[0, 2] == pytest.approx(0.5 * k)


def test_a_body_that_was_not_measured_stays_unmeasured():
    take = moving_take(4)
    bare = pl.Take([replace(t, count_energies=None) for t in take.tracks], dt=take.dt)
    assert bare.resampled(12).tracks[0].count_energies is None
