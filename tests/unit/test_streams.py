"""Takes on disk are exported frame by frame: memory does not grow with the number of frames."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant import io
from pliant.io.film import save_film
from pliant.take import ENERGIES

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.streams import beam, write_take

SHORT, LONG = 16, 80
CELLS = (20, 9, 9)
#: USD and HDF5 keep what they hold where Python does not see it; `benchmarks.streams` measures all.
FORMATS = io.known_suffixes()
FILMS = {".mp4": ["vtkmodules", "imageio_ffmpeg"], ".gif": ["vtkmodules"]}


@pytest.fixture(scope="module")
def takes(tmp_path_factory):
    folder = tmp_path_factory.mktemp("takes")
    return [write_take(folder, frames, beam(CELLS)) for frames in (SHORT, LONG)]


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return write_take(tmp_path_factory.mktemp("small"), SHORT, beam((1, 1, 1)))


def peak(take: Path, use: Callable[[pl.Take], object]) -> int:
    """The most bytes that are allocated while a take that was read is used."""
    tracemalloc.start()
    try:
        found = pl.Take.read(take)
        tracemalloc.reset_peak()  # making the mesh takes more for a moment
        use(found)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def save(take: pl.Take, target: Path) -> None:
    if target.suffix in FILMS:
        save_film(take, target, size=(64, 32), curve=True, slow=0.125)
    else:
        take.save(target)


def growth(takes: list[Path], use: Callable[[pl.Take], object]) -> float:
    """How much more memory the longer take needs, as a share of its further positions."""
    short, long = (peak(take, use) for take in takes)
    # Python's own table of names may have doubled meanwhile, 4 MB that it keeps: seldom twice in a row.
    long = min(long, peak(takes[1], use))
    points = len(pl.Take.read(takes[0]).tracks[0].mesh)
    return (long - short) / (8 * points * 3 * (LONG - SHORT))


@pytest.mark.parametrize("suffix", FORMATS)
def test_memory_does_not_grow_with_frames(takes, small, tmp_path, suffix):
    for package in ({".vtkhdf": ["h5py"]} | FILMS).get(suffix, []):
        pytest.importorskip(package)
    if suffix.startswith(".usd"):
        pytest.importorskip("pxr")
    peak(small, lambda take: save(take, tmp_path / f"small{suffix}"))  # imports what it needs
    assert growth(takes, lambda take: save(take, tmp_path / f"take{suffix}")) < 0.2


def test_the_measure_sees_frames_that_are_kept(takes):
    assert growth(takes, lambda take: take.positions) == pytest.approx(1.0, abs=0.05)


def test_frames_are_an_ordinary_array_when_all_are_asked_for(takes):
    take = pl.Take.read(takes[0])
    track = take.tracks[0]
    frame = track.position_frames[3]
    assert not frame.flags.writeable  # it is kept for whoever asks next
    assert isinstance(take.positions, np.ndarray) and take.positions.flags.writeable
    np.testing.assert_array_equal(take.positions[3], frame)
    assert take.positions is track.positions is track.position_frames
    take.positions[3] += 1.0  # and exports see what was changed
    np.testing.assert_array_equal(track.position_frames[3], frame + 1.0)


def test_a_take_that_was_written_again_is_not_mixed_with_the_old_one(tmp_path):
    def run():
        body = pl.Body(pl.meshes.rectangle(cells=(2, 2)), pl.Linear(young=1e3, poisson=0.3))
        body.velocity = (1.0, 0.0)
        return pl.Scene([body]).run(seconds=0.1, dt=0.05, into=tmp_path / "a.zarr")

    first = run()
    assert first.tracks[0].position_frames[1].shape == (9, 2)
    second = run()
    with pytest.raises(ValueError, match="was removed or written again"):
        _ = first.positions
    assert second.positions.shape == (3, 9, 2)
    second.velocities[:] = 0.0
    second.save(tmp_path / "a.zarr")  # over itself
    assert np.ptp(second.positions) > 0.0
    assert not pl.Take.read(tmp_path / "a.zarr").velocities.any()


def test_a_frame_that_was_damaged_after_reading_is_refused(tmp_path):
    take = write_take(tmp_path, 24, beam((2, 1, 1)))
    found = pl.Take.read(take)
    chunk = take / "body0" / "positions" / "20.0.0"
    chunk.unlink()  # or its hard links would change, too
    chunk.write_bytes(np.full(36, np.nan).tobytes())
    for suffix in (".pc2", ".npz", ".html", ".zarr"):
        with pytest.raises(ValueError, match=r"row 20 of body0/positions.*It is damaged"):
            found.save(tmp_path / f"out{suffix}")
        assert not list(tmp_path.glob("out*")) and not list(tmp_path.glob(".writing*"))
    chunk.write_bytes(bytes(8))
    with pytest.raises(ValueError, match="has 8 bytes; expected 288"):
        found.save(tmp_path / "out.pc2")
    chunk.unlink()
    chunk.symlink_to("19.0.0")
    with pytest.raises(ValueError, match="is a link"):
        found.distance()
    chunk.unlink()
    with pytest.raises(ValueError, match="is missing"):
        _ = found.positions


def test_energies_are_not_counted_for_formats_without_them(tmp_path, monkeypatch):
    from pliant.io import body_folder, folder

    counted = []
    zeros = (0.0,) * 7
    monkeypatch.setattr(body_folder, "energies", lambda *given, **more: counted.append(1) or zeros)

    def run(**how):
        body = pl.Body(pl.meshes.rectangle(cells=(2, 2)), pl.Linear(young=1e3, poisson=0.3))
        store = folder.TakeFolder(tmp_path / "a.zarr", **how)
        return pl.Scene([body]).run(seconds=0.1, dt=0.05, into=store)

    take = run(energies=False)
    assert not counted
    with pytest.raises(ValueError, match=r"were not recorded.*\.zarr or \.npz"):
        _ = take.energies
    for suffix in (".npz", ".zarr", ".html", ".png", ".pc2"):
        take.save(tmp_path / f"b{suffix}")
    assert pl.Take.read(tmp_path / "b.npz").tracks[0].count_energies is None
    assert run().energies.dtype == ENERGIES and len(counted) == 3
    assert io.shows_energies(Path("a.ZARR")) and not io.shows_energies(Path("a.usdc"))


@pytest.mark.parametrize("frame", ["1", -1, 99, 0.5, None, True])
def test_a_frame_that_is_not_there_is_refused(frame, small):
    track = pl.Take.read(small).tracks[0]
    with pytest.raises(ValueError, match=r"displacement: got frame=.*from 0 to \d+"):
        track.displacement(frame)
    with pytest.raises(ValueError, match="rest"):
        track.displacement(0, rest=[1.0])
