"""Takes on disk that grow with the run."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.io import body_folder, folder
from pliant.io.chunks import Chunked
from pliant.io.lock import Lock


def bar(name="bar", damping=None):
    mesh = pl.meshes.rectangle(size=(2, 1), cells=(4, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), name=name, damping=damping)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points * [1.2, 1.0])
    return body


def assert_same(a: pl.Take, b: pl.Take) -> None:
    np.testing.assert_array_equal(a.times, b.times)
    assert a.dt == b.dt and len(a.tracks) == len(b.tracks)
    for one, two in zip(a.tracks, b.tracks, strict=True):
        assert one.name == two.name and one.asked == two.asked
        for name in ("positions", "velocities", "solver", "masses", "pinned"):
            np.testing.assert_array_equal(getattr(one, name), getattr(two, name))
        for field in one.energies.dtype.names:  # summed in another order
            np.testing.assert_allclose(one.energies[field], two.energies[field], rtol=1e-12)
        assert (one.rests is None) == (two.rests is None)
        if one.rests is not None:
            np.testing.assert_array_equal(np.stack(one.rests), np.stack(two.rests))
        np.testing.assert_array_equal(one.skin.surface.corners, two.skin.surface.corners)
        np.testing.assert_array_equal(
            one.skin.positions(one.positions), two.skin.positions(two.positions)
        )


@pytest.mark.parametrize("fps", [None, 20.0])
def test_a_streamed_take_equals_one_in_memory(tmp_path, fps):
    def run(**where):
        bodies = [bar("one", pl.Settle(0.2, 0)), bar("two", pl.Rayleigh(mass=1.0))]
        return pl.Scene(bodies, gravity=(0, -1)).run(seconds=0.3, dt=1 / 60, fps=fps, **where)

    held, streamed = run(), run(into=tmp_path / "a.zarr")
    assert_same(streamed, held)
    assert streamed.bodies[0].name == "one"
    assert_same(pl.Take.read(tmp_path / "a.zarr"), held)
    assert_same(pl.Take.read(held.save(tmp_path / "b.zarr")), held)
    assert streamed["one"].rest_time() == held["one"].rest_time()


def test_a_foreign_reader_finds_the_arrays(tmp_path):
    zarr = pytest.importorskip("zarr")
    take = pl.Scene([bar(damping=pl.Settle(0.2))]).run(seconds=0.1, into=tmp_path / "a.zarr")
    group = zarr.open(str(tmp_path / "a.zarr"), mode="r")
    np.testing.assert_array_equal(group["body0/positions"][:], take.positions)
    np.testing.assert_array_equal(group["times"][:], take.times)
    np.testing.assert_array_equal(group["body0/cells/tri3"][:], take.tracks[0].mesh.cells["tri3"])
    assert list(group["body0/solver/reason"][:]) == list(take.solver["reason"])
    assert group.attrs["about"]["pliant"] == pl.__version__


def test_a_rest_shape_that_moves_is_kept_frame_by_frame(tmp_path):
    def run(**where):
        body = bar(damping=pl.Settle(0.2))
        body.push(force=([0.0, 0.1], [[0, 0], [0, 300.0]]), on=body.mesh.points[:, 0] > 1.99)
        return pl.Scene([body]).run(seconds=0.2, **where)

    held, streamed = run(), run(into=tmp_path / "a.zarr")
    assert len({r.tobytes() for r in held.tracks[0].rests}) > 3
    assert_same(streamed, held)


def test_a_failed_step_keeps_the_frames_before_it(tmp_path):
    body = bar(damping=pl.Settle(0.2))

    def path(t):
        return np.array([[np.nan if t > 0.05 else 2.4, 0.0]])

    body.move([int(np.argmax(body.mesh.points @ [1, -0.1]))], path)
    with pytest.raises(ValueError, match="not finite") as caught:
        pl.Scene([body]).run(seconds=0.2, dt=1 / 60, into=tmp_path / "a.zarr")
    assert len(caught.value.take) == len(pl.Take.read(tmp_path / "a.zarr")) == 4


SCRIPT = """
import numpy as np, pliant as pl, sys
mesh = pl.meshes.rectangle(size=(2, 1), cells=(8, 4))
body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=pl.Settle(3.0, 3))
body.fix(mesh.points[:, 0] < 1e-9)
body.place(mesh.points * [1.2, 1.0])
pl.Scene([body]).run(seconds=60, dt=1 / 100, into=sys.argv[1], progress=False)
"""


@pytest.mark.parametrize("after", [1, 7, 23])
def test_a_killed_run_leaves_all_complete_frames(tmp_path, after, start):
    path = tmp_path / "a.zarr"
    environment = os.environ | {"PYTHONPATH": str(Path(pl.__file__).parents[1])}
    child = start([sys.executable, "-c", SCRIPT, str(path)], env=environment)
    deadline = time.monotonic() + 120
    while not (path / "times" / str(after)).exists():
        assert child.poll() is None and time.monotonic() < deadline
        time.sleep(0.002)
        if (path / "times" / "0").exists():
            assert len(pl.Take.read(path)) >= 1  # read while it is written
    child.send_signal(signal.SIGKILL)
    child.wait()
    take = pl.Take.read(path)
    frames = sum(1 for f in (path / "times").iterdir() if f.name.isdigit())
    assert len(take) == frames > after
    assert np.isfinite(take.positions).all() and np.isfinite(take.energies["total"]).all()
    assert (np.diff(take.times) > 0).all() and len(take.solver) == len(take) - 1
    assert (take.solver["residual"] > 0.0).all()  # a stretch needs no iteration: it is predicted
    assert take.save(tmp_path / "copy.npz").exists()


def test_only_takes_are_overwritten(tmp_path):
    scene = pl.Scene([bar()])
    scene.run(seconds=0.1, into=tmp_path / "a.zarr")
    assert len(scene.run(seconds=0.05, into=tmp_path / "a.zarr")) == 4
    other = tmp_path / "thesis.zarr"
    other.mkdir()
    (other / "chapter1.txt").write_text("years of work")
    with pytest.raises(ValueError, match="not a take"):
        scene.run(seconds=0.1, into=other)
    with pytest.raises(ValueError, match="not a take"):
        scene.run(seconds=0.1).save(other)
    assert (other / "chapter1.txt").read_text() == "years of work"
    with pytest.raises(ValueError, match=r"\.zarr"):
        scene.run(seconds=0.1, into=tmp_path / "a.usdc")


def test_a_newer_format_is_refused(tmp_path):
    pl.Scene([bar()]).run(seconds=0.05, into=tmp_path / "a.zarr")
    said = json.loads((tmp_path / "a.zarr" / ".zattrs").read_text())
    (tmp_path / "a.zarr" / ".zattrs").write_text(json.dumps(said | {"version": 99}))
    with pytest.raises(ValueError, match="newer format"):
        pl.Take.read(tmp_path / "a.zarr")


def test_chunks_pad_grow_and_shrink(tmp_path):
    array = Chunked.create(tmp_path / "a", (7, 2), np.float64, rows=3)
    rows = np.arange(14.0).reshape(7, 2)
    for k in range(3):
        array.put(k, rows[3 * k : 3 * k + 3])
    np.testing.assert_array_equal(Chunked.open(tmp_path / "a").get(), rows)
    array.resize(3)
    assert not array.has(1) and Chunked.open(tmp_path / "a").shape == (3, 2)
    array.resize(5)
    with pytest.raises(ValueError, match="is missing"):
        array.get()
    zarr = pytest.importorskip("zarr")
    np.testing.assert_array_equal(zarr.open(str(tmp_path / "a"), mode="r")[:3], rows[:3])


def settling(damping):
    return pl.Scene([bar(damping=damping)], gravity=(0, -2))


def driven(damping):
    body = bar(damping=damping)
    end = body.mesh.points[:, 0] > 1.99
    there = body.positions[end]
    body.move(end, lambda t: there + [0.3 * np.sin(5 * t), 0.0])
    return pl.Scene([body])


def spinning(damping):
    body = bar(damping=damping)
    body.release()
    body.velocity = np.stack([-body.positions[:, 1], body.positions[:, 0]], axis=1) * 3.0
    return pl.Scene([body, bar("other")])


DAMPINGS = {
    "none": lambda: None,
    "calm": lambda: pl.Settle(0.8),
    "bounces": lambda: pl.Settle(0.8, 2),
    "rayleigh": lambda: pl.Rayleigh(mass=0.5, stiffness=0.01),
    "strain-rate": lambda: pl.StrainRate(phi=1e3, psi=1e3),
}


@pytest.mark.parametrize("damping", DAMPINGS)
@pytest.mark.parametrize("make", [settling, driven, spinning])
def test_an_interrupted_run_is_taken_up(tmp_path, monkeypatch, make, damping):
    """At 20 of 40 steps, with the last checkpoint three steps before."""
    monkeypatch.setattr(folder, "CHECKPOINT_SHARE", float("inf"))
    whole = make(DAMPINGS[damping]()).run(seconds=2 / 3, dt=1 / 60)

    def stop(done, of):
        if done == 17:  # frame 17 is written, with its checkpoint
            monkeypatch.setattr(folder, "CHECKPOINT_SHARE", 0.0)
        if done == 20:
            raise KeyboardInterrupt

    path = tmp_path / "a.zarr"
    with pytest.raises(KeyboardInterrupt):
        make(DAMPINGS[damping]()).run(seconds=2 / 3, dt=1 / 60, into=path, progress=stop)
    assert len(pl.Take.read(path)) == 21
    scene, store = make(DAMPINGS[damping]()), folder.TakeFolder(path)
    done = store.resume(scene)
    assert done == pytest.approx(17 / 60)
    there = pl.Take.read(path)
    take = scene.run(seconds=2 / 3 - done, dt=1 / 60, into=store)
    assert len(take) == 41 and len(take.tracks[0].solver) == 40
    for found, kept in zip(take.tracks, there.tracks, strict=True):  # frames 18 to 20, too
        np.testing.assert_array_equal(found.positions[:21], kept.positions)
        np.testing.assert_array_equal(found.solver[:20], kept.solver)
    for found, expected in zip(take.tracks, whole.tracks, strict=True):
        np.testing.assert_array_equal(found.positions, expected.positions)
    np.testing.assert_array_equal(take.times, whole.times)


@pytest.mark.parametrize("at", [9 / 60, 10 / 60, 11 / 60])
def test_springs_cut_before_an_interruption_stay_cut_and_their_clock_goes_on(
    tmp_path, monkeypatch, at
):
    """Cut in the step before the checkpoint, at it, and in the step after."""
    monkeypatch.setattr(folder, "CHECKPOINT_SHARE", float("inf"))
    path = tmp_path / "a.zarr"

    def net():
        mesh = pl.meshes.rectangle((2, 1), (4, 2))
        springs = pl.Springs(mesh, stiffness=200.0, mass=0.05, damping=pl.Settle(0.5, 1))
        springs.fix(mesh.points[:, 0] < 1e-9)
        springs.cut([0, 7], at=at)
        return pl.Scene(springs, gravity=(0, -2))

    def stop(done, of):
        if done == 10:
            raise KeyboardInterrupt

    whole = net().run(seconds=0.5, dt=1 / 60, progress=False)
    with pytest.raises(KeyboardInterrupt):
        net().run(seconds=0.5, dt=1 / 60, into=path, progress=stop)
    scene, store = net(), folder.TakeFolder(path)
    left = 0.5 - store.resume(scene)
    take = scene.run(seconds=left, dt=1 / 60, into=store, progress=False)
    np.testing.assert_array_equal(take.positions, whole.positions)
    np.testing.assert_array_equal(take.energies["elastic"], whole.energies["elastic"])


def test_resume_refuses_another_scene(tmp_path, monkeypatch):
    monkeypatch.setattr(folder, "CHECKPOINT_SHARE", float("inf"))
    path = tmp_path / "a.zarr"
    settling(pl.Settle(0.8)).run(seconds=0.1, into=path)
    with pytest.raises(ValueError, match="another scene"):
        folder.TakeFolder(path).resume(settling(pl.Settle(0.9)))
    scene, store = settling(pl.Settle(0.8)), folder.TakeFolder(path)
    store.resume(scene)
    with pytest.raises(ValueError, match="one time step"):
        scene.run(seconds=0.1, dt=1 / 30, into=store)
    (path / "checkpoint.npz").unlink()
    with pytest.raises(ValueError, match="before its first frame"):
        folder.TakeFolder(path).resume(settling(pl.Settle(0.8)))


def test_a_lock_that_is_let_go_late_leaves_the_lock_of_another(tmp_path):
    """As when a take was removed and made anew while an old lock still lay in memory."""
    old = Lock(tmp_path)
    (tmp_path / ".writer").unlink()
    new = Lock(tmp_path)
    old.release()
    with pytest.raises(ValueError, match="being written by another run"):
        Lock(tmp_path)
    new.release()
    assert not (tmp_path / ".writer").exists()


def test_a_run_that_cannot_begin_leaves_no_lock(tmp_path, monkeypatch):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device", "points")

    monkeypatch.setattr(body_folder, "write_arrays", full)
    scene = settling(None)
    with pytest.raises(OSError, match="No space") as caught:
        scene.run(seconds=0.1, into=tmp_path / "a.zarr")
    assert caught.value is not None and not (tmp_path / "a.zarr" / ".writer").exists()


def test_a_run_taken_up_twice_goes_on(tmp_path, monkeypatch):
    """Stopped while frames are computed again."""
    path = tmp_path / "a.zarr"

    def run(stop_at, share):
        monkeypatch.setattr(folder, "CHECKPOINT_SHARE", share)
        scene, store = settling(pl.Settle(0.8, 2)), folder.TakeFolder(path)
        done = store.resume(scene) if path.exists() else 0.0

        def stop(step, of):
            if step == stop_at:
                raise KeyboardInterrupt

        return scene.run(seconds=2 / 3 - done, dt=1 / 60, into=store, progress=stop)

    with pytest.raises(KeyboardInterrupt):
        run(20, 0.0)  # the only checkpoint is that of the first frame
    before = pl.Take.read(path)
    with pytest.raises(KeyboardInterrupt):
        run(10, float("inf"))
    take = run(None, float("inf"))
    assert len(take) == 41
    np.testing.assert_array_equal(take.positions[:21], before.positions)
    whole = settling(pl.Settle(0.8, 2)).run(seconds=2 / 3, dt=1 / 60)
    np.testing.assert_array_equal(take.positions, whole.tracks[0].positions)
