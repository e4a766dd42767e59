"""Takes of bodies that are cut: one mesh that is sewn until then, and every mesh with its own frames."""

import json

import numpy as np
import pytest
from scipy.sparse import csr_array

import pliant as pl
from pliant.io import DamagedError, body_folder, folder
from pliant.io.shown import Shown
from pliant.mesh import MeshChange
from pliant.take import LazyFrames
from pliant.take.sewing import closed
from tests.resuming import stopped_and_resumed

DT = 1 / 60


def bar(material=None, damping=None):
    mesh = pl.meshes.box((1.0, 0.2, 0.2), (5, 1, 1))
    material = material or pl.StableNeoHookean(young=2e5, poisson=0.3)
    body = pl.Body(mesh, material, name="bar", damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.cut(pl.HalfSpace((0.55, 0, 0), (1, 0.2, 0)), at=4 * DT)
    body.cut(pl.HalfSpace((0.3, 0, 0), (1, 0, 0)), at=8 * DT)
    return body


def scene(**how):
    other = pl.Body(
        pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1)), pl.Linear(young=1e5, poisson=0.3), name="block"
    )
    other.place(other.mesh.points + [2.0, 0.0, 0.0])
    return pl.Scene([bar(**how), other], gravity=(0, -9.81, 0), contact=False)


@pytest.fixture(scope="module")
def take():
    return scene(damping=pl.Settle(rest_in=0.1)).run(seconds=12 * DT, dt=DT, progress=False)


@pytest.fixture(scope="module")
def clay():
    matter = pl.Plastic(pl.Hencky(young=2e5, poisson=0.3), yield_stress=3e3, hardening=1e4)
    made = pl.Scene([bar(matter)], gravity=(0, -9.81, 0), contact=False)
    return made.run(seconds=11 * DT, dt=DT, progress=False)


def assert_same(found, take):
    """Two takes are equal bit for bit, and so is every mesh of them."""
    for one, two in zip(found.tracks, take.tracks, strict=True):
        for name in ("positions", "velocities", "masses", "pinned", "components", "plastic"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name), name)
        # Summed in another order where frames were not computed by one thread.
        np.testing.assert_allclose(one.energies["total"], two.energies["total"], rtol=1e-11)
        assert len(one.topologies) == len(two.topologies)
        for here, there in zip(one.topologies, two.topologies, strict=True):
            assert here.first == there.first
            np.testing.assert_array_equal(here.positions, there.positions)
            np.testing.assert_array_equal(here.mesh.points, there.mesh.points)
            np.testing.assert_array_equal(here.skin.surface.corners, there.skin.surface.corners)
            for kind, cells in there.mesh.cells.items():
                np.testing.assert_array_equal(here.mesh.cells[kind], cells)
        if two.rests is not None:
            np.testing.assert_array_equal(np.stack(one.rests), np.stack(two.rests))


def test_a_take_has_every_mesh_with_its_own_frames(take):
    track = take["bar"]
    first, once, twice = track.topologies
    assert [t.first for t in track.topologies] == [0, 5, 9]
    assert [len(t.positions) for t in track.topologies] == [5, 4, 4]
    assert len(first.mesh) == 24 < len(once.mesh) < len(twice.mesh) == len(track.mesh)
    assert track.mesh is take.bodies[0].mesh
    for own in track.topologies:
        assert own.positions[0].shape == own.mesh.points.shape == own.velocities[0].shape
        assert len(own.skin.nodes) <= len(own.mesh) == len(own.masses)
        assert own.masses.sum() == pytest.approx(first.masses.sum(), rel=1e-12)
    assert np.array_equal(once.change.carried(first.mesh.points), once.mesh.points)
    assert first.components.max() == 0 and track.components.max() == 2
    (whole,) = take["block"].topologies
    assert whole.later is None and whole.mesh is take["block"].mesh
    assert take["block"].topologies[0].positions is take["block"].position_frames


def test_it_is_sewn_until_it_is_cut(take):
    track = take["bar"]
    first = track.topologies[0]
    assert take["bar"].positions.shape == (13, len(track.mesh), 3)
    x = track.positions
    for own in track.topologies:
        rows = slice(own.first, own.first + len(own.positions))
        assert np.array_equal(x[rows][:, own.in_last], own.positions), (
            "old points are where they were"
        )
    # Both sides of a cut are at one place, to the last bit, until it is made.
    sides = _twins(x[0])
    assert len(sides) >= 8 and np.array_equal(sides, _twins(x[4]))
    assert 4 <= len(_twins(x[5])) < len(sides) and not len(_twins(x[9]))
    assert np.array_equal(x[-1], take.bodies[0].positions)
    low, high = first.positions[0].min(axis=0), first.positions[0].max(axis=0)
    assert (x[0] >= low - 1e-12).all() and (x[0] <= high + 1e-12).all()


def _twins(x):
    """Pairs of points at exactly one place."""
    order = np.lexsort(x.T)
    same = (np.diff(x[order], axis=0) == 0.0).all(axis=1)
    pairs = np.sort(np.stack([order[:-1][same], order[1:][same]], axis=1), axis=1)
    return np.unique(pairs, axis=0)


def test_rest_is_measured_on_the_last_mesh(take):
    track = take["bar"]
    assert track.rests[0].shape == track.mesh.points.shape
    assert track.since == pytest.approx(8 * DT)
    assert track.distance().shape == (13,) and np.isfinite(track.distance()).all()
    # Until it is cut it hangs as one: its end is far from where it would hang, and no piece flies.
    far = np.linalg.norm(track.displacement(0), axis=1)
    tip = track.mesh.points[:, 0] > 0.99
    assert far[tip].min() > 0.3 * far.max()
    beside = track.rest_beside(0)
    assert np.abs(np.diff(beside[_twins(track.positions[0])], axis=1)).max() < 1e-12


def test_energies_are_those_of_each_mesh(take):
    total = take["bar"].energies
    assert np.isfinite(total["total"]).all() and len(total) == 13
    before, after = total["kinetic"][4], total["kinetic"][5]
    assert before > 0.0 and after > 0.0
    alone = pl.Scene([bar(damping=pl.Settle(rest_in=0.1))], gravity=(0, -9.81, 0), contact=False)
    short = alone.run(seconds=4 * DT, dt=DT, progress=False)
    np.testing.assert_allclose(total["total"][:5], short.energies["total"], rtol=1e-11)


def test_plastic_strain_follows_its_cells(clay):
    (track,) = clay.tracks
    first, once, twice = track.topologies
    assert track.plastic.shape == (12, len(track.mesh.cells["tet4"]))
    assert track.plastic[3].max() > 1e-3
    for own in track.topologies:
        assert own.plastic.shape == (len(own.positions), len(own.mesh.cells["tet4"]))
    pieces = twice.change.cells
    assert np.array_equal(track.plastic[once.first], once.plastic[0][pieces])
    assert np.array_equal(track.plastic[3], first.plastic[3][once.change.cells[pieces]])
    assert np.array_equal(track.plastic[-1], clay.bodies[0].plastic)
    assert Shown.of(track).shares[2].max() > 0.0


@pytest.mark.parametrize("suffix", [".zarr", ".npz"])
def test_files_keep_it(take, clay, tmp_path, suffix):
    for name, kept in {"a": take, "b": clay}.items():
        again = pl.Take.read(kept.save(tmp_path / f"{name}{suffix}"))
        assert_same(again, kept)
        assert_same(pl.Take.read(again.save(tmp_path / f"{name}2.npz")), kept)


def test_a_run_into_a_folder_keeps_it(take, tmp_path):
    made = scene(damping=pl.Settle(rest_in=0.1))
    streamed = made.run(seconds=12 * DT, dt=DT, progress=False, into=tmp_path / "a.zarr")
    assert_same(streamed, take)
    again = pl.Take.read(tmp_path / "a.zarr")
    assert isinstance(again["bar"].position_frames, LazyFrames), "read frame by frame"
    assert_same(again, take)
    said = json.loads((tmp_path / "a.zarr" / ".zattrs").read_text())
    assert said["version"] == 4
    sizes = {
        path.stat().st_size
        for path in (tmp_path / "a.zarr" / "body0" / "positions").iterdir()
        if path.name[0] != "."
    }
    assert sizes == {24 * 3 * 8}, "frames before a cut are not those of the last mesh"
    # Over itself, from where its frames are still read.
    assert_same(pl.Take.read(again.save(tmp_path / "a.zarr")), take)


def test_takes_without_cuts_are_as_before(tmp_path):
    body = pl.Body(pl.meshes.box((1, 1, 1), (1, 1, 1)), pl.Linear(young=1e5, poisson=0.3))
    pl.Scene([body]).run(seconds=0.1, dt=0.05, progress=False, into=tmp_path / "a.zarr")
    said = json.loads((tmp_path / "a.zarr" / ".zattrs").read_text())
    assert said["version"] == 2 and set(said["groups"][0]) == {"groups", "skin/groups"}
    assert not (tmp_path / "a.zarr" / "body0" / "changes").exists()


def test_changes_between_two_frames_are_one(tmp_path):
    def run(**where):
        made = pl.Scene([bar()], gravity=(0, -9.81, 0), contact=False)
        return made.run(seconds=12 * DT, dt=DT, fps=10, progress=False, **where)

    held, streamed = run(), run(into=tmp_path / "a.zarr")
    assert [t.first for t in held.tracks[0].topologies] == [0, 1, 2]
    coarse = pl.Scene([bar()], gravity=(0, -9.81, 0), contact=False)
    far = coarse.run(seconds=12 * DT, dt=DT, fps=5, progress=False)
    _, last = far.tracks[0].topologies
    assert last.first == 1 and len(last.mesh) == len(held.tracks[0].mesh)
    assert np.array_equal(far.positions[0], held.positions[0])
    assert_same(streamed, held)
    assert_same(pl.Take.read(tmp_path / "a.zarr"), held)


@pytest.mark.parametrize("at, late", [(3, 2), (5, 2), (5, 1), (6, 1), (7, 6), (10, 4), (11, 1)])
def test_a_stopped_run_goes_on(take, tmp_path, at, late):
    """Before, at and after a cut, with the checkpoint on either side of it."""
    make = lambda: scene(damping=pl.Settle(rest_in=0.1))  # noqa: E731
    found = stopped_and_resumed(make, tmp_path / "a.zarr", steps=12, dt=DT, at=at, late=late)
    assert_same(found, take)
    assert_same(pl.Take.read(tmp_path / "a.zarr"), take)


@pytest.mark.parametrize("method", ["_begin", "_write_own", "_resting"])
def test_a_run_that_is_killed_while_it_writes_a_mesh_goes_on(take, tmp_path, monkeypatch, method):
    path = tmp_path / "a.zarr"
    make = lambda: scene(damping=pl.Settle(rest_in=0.1))  # noqa: E731
    whole = getattr(body_folder.BodyFolder, method)

    class Killed(BaseException):
        pass

    def dies(self, *given):
        if self._number:
            raise Killed
        return whole(self, *given)

    def nothing(self):
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(body_folder.BodyFolder, method, dies)
        patch.setattr(folder.TakeFolder, "take", nothing)  # nobody tidies up
        store = folder.TakeFolder(path)
        with pytest.raises(Killed):
            make().run(seconds=12 * DT, dt=DT, into=store, progress=False)
        store._lock.release()
    left = pl.Take.read(path)
    assert len(left) == 5 and len(left["bar"].topologies) == 1
    assert (path / "body0" / "changes" / "1").is_dir()
    again, store = make(), folder.TakeFolder(path)
    done = store.resume(again)
    assert_same(again.run(seconds=12 * DT - done, dt=DT, into=store, progress=False), take)


def test_a_cut_is_closed_between_the_same_points():
    """Points that a blade has drawn back by a twentieth are where it cut."""
    rows = [
        [1.0, 0.0, 0.0],
        [0.97, 0.03, 0.0],
        [0.02, 0.0, 0.98],
        [0.0, 0.53, 0.47],
        [0.0, 0.47, 0.53],
        [0.0, 0.2, 0.8],
        [0.25, 0.25, 0.5],
    ]
    mesh = pl.Mesh(np.eye(7, 2) + np.arange(7)[:, None], {"line": [[k, k + 1] for k in range(6)]})
    change = closed(MeshChange(mesh, csr_array(rows), np.zeros(6, dtype=int)))
    expected = np.array(rows)
    expected[1] = [1.0, 0.0, 0.0]
    expected[2] = [0.0, 0.0, 1.0]
    expected[3:5] = [0.0, 0.5, 0.5]
    np.testing.assert_allclose(change.points.toarray(), expected, atol=1e-15)
    assert np.array_equal(change.points.toarray()[3], change.points.toarray()[4])


DAMAGES = {
    "starts": lambda a: a + 1,
    "points": lambda a: a + 1000,
    "weights": lambda a: 2.0 * a,
    "cells": lambda a: a + 1000,
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_changes_are_refused(take, tmp_path, name):
    path = take.save(tmp_path / "a.npz")
    with np.load(path) as archive:
        arrays = dict(archive)
    place = f"body0/changes/1/parents/{name}"
    arrays[place] = DAMAGES[name](arrays[place])
    np.savez(path, **arrays)
    with pytest.raises(DamagedError, match="body0/changes/1"):
        pl.Take.read(path)


@pytest.mark.parametrize(
    "name, value, says",
    [
        ("first", [0], "expected a frame after those before it"),
        ("first", [13], "expected a frame after those before it"),
        ("first", [[5]], "has the shape"),
        ("first", [6], "has the shape"),
        ("cells/tet4", [[0, 1, 2, 4000]], "numbers of points that it does not have"),
        ("positions", None, "has no array body0/changes/2/positions"),
        ("masses", [1.0], "has the shape"),
    ],
)
def test_damaged_meshes_are_refused(take, tmp_path, name, value, says):
    path = take.save(tmp_path / "a.npz")
    with np.load(path) as archive:
        arrays = dict(archive)
    del arrays[f"body0/changes/2/{name}"]
    if value is not None:
        arrays[f"body0/changes/2/{name}"] = np.array(value)
    np.savez(path, **arrays)
    with pytest.raises(DamagedError, match=says):
        pl.Take.read(path)


def test_what_is_cut_off_and_lands_has_a_time_to_rest():
    """The wish has bounces, which are oscillations of what pins hold; hops have no envelope."""
    mesh = pl.meshes.box((2, 0.4, 0.4), (5, 1, 1))
    soft = pl.StableNeoHookean(young=1e6, poisson=0.4)
    bar = pl.Body(mesh, soft, density=1000.0, damping=pl.Settle(rest_in=0.6, bounces=2))
    bar.fix(mesh.points[:, 0] < 1e-9)
    bar.cut(pl.HalfSpace((1.03, 0, 0), (1, 0.2, 0)), at=0.05)
    scene = pl.Scene([bar], gravity=(0, -9.81, 0))
    scene.add(pl.HalfSpace((0, -1, 0), (0, 1, 0)))
    take = scene.run(seconds=1.6, dt=1 / 60, progress=False)
    times = take.tracks[0].rest_times()
    assert len(times) == 2
    assert times.max() < 0.6 + 1 / 60 + 0.05  # an envelope of its hops would end after 3.6 s
