"""Takes that are not as pliant wrote them: one line that names the file, and no array is believed."""

from __future__ import annotations

import json
import os
import shutil
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.io import checkpoint, folder
from pliant.io.stored import member_sums


def beam_scene() -> pl.Scene:
    mesh = pl.meshes.rectangle(size=(2, 1), cells=(4, 2))
    mesh = pl.Mesh(mesh.points, mesh.cells, groups={"end": mesh.points[:, 0] > 1.9})
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), damping=pl.Settle(0.2, 1))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points * [1.1, 1.0])
    return pl.Scene([body], gravity=(0, -1))


@pytest.fixture(scope="module")
def original(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("takes") / "a.zarr"
    beam_scene().run(seconds=0.1, dt=0.02, into=path, progress=False).save(path.with_name("a.npz"))
    return path


@pytest.fixture
def take(original, tmp_path) -> Path:
    return Path(shutil.copytree(original, tmp_path / "a.zarr"))


def describe(array: str, **changes):
    def change(take: Path) -> None:
        path = take / array / ".zarray"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def tell(**changes):
    def change(take: Path) -> None:
        path = take / ".zattrs"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def write(name: str, content: bytes):
    return lambda take: (take / name).write_bytes(content)


def remove(name: str):
    return lambda take: (take / name).unlink()


def link(name: str, to: str):
    def change(take: Path) -> None:
        (take / name).unlink(missing_ok=True)
        (take / name).symlink_to(to)

    return change


def pipe(name: str):
    def change(take: Path) -> None:
        (take / name).unlink()
        os.mkfifo(take / name)

    return change


def link_folder(take: Path) -> None:
    outside = take.parent / "outside"
    (take / "body0").rename(outside)
    (take / "body0").symlink_to(outside)


DAMAGE = {
    "facts are a list": write(".zattrs", b"[1, 2]"),
    "facts are no JSON": write(".zattrs", b"{"),
    "facts are deep": write(".zattrs", b"[" * 100_000),
    "no facts": remove(".zattrs"),
    "version is text": tell(version="two"),
    "names are numbers": tell(names=[1]),
    "no names": tell(names=[], asked=[]),
    "more names than wishes": tell(names=["a", "b"]),
    "dt is text": tell(dt="fast"),
    "dt is huge": tell(dt=10**400),
    "wish is a list": tell(asked=[[]]),
    "wish is nonsense": tell(asked=[{"rest_in": -1.0, "bounces": "many"}]),
    "about is text": tell(about="me"),
    "gravity is text": tell(about={"gravity": "down"}),
    "obstacle is nonsense": tell(about={"obstacles": [{"kind": "sphere", "radius": "x"}]}),
    "obstacle is unknown": tell(about={"obstacles": [{"kind": "cow"}]}),
    "group without its array": tell(groups=[{"groups": ["end", "other"], "skin/groups": []}]),
    "no description": remove("body0/positions/.zarray"),
    "description is a list": write("body0/positions/.zarray", b"[]"),
    "description is empty": write("body0/positions/.zarray", b""),
    "shape is text": describe("body0/positions", shape="wide"),
    "shape is negative": describe("body0/positions", shape=[6, -1, 2]),
    "shape is huge": describe("body0/masses", shape=[10**15], chunks=[10**15]),
    "shape is too huge": describe("body0/masses", shape=[10**400]),
    "more points": describe("body0/positions", shape=[6, 16, 2], chunks=[1, 16, 2]),
    "other dimension": describe("body0/points", shape=[30], chunks=[30]),
    "chunks of zero": describe("body0/positions", chunks=[0, 15, 2]),
    "chunks are none": describe("times", chunks=[]),
    "parts are not numbered": write("body0/components/0", np.full(15, 99).tobytes()),
    "no chunks": describe("body0/positions", chunks=[]),
    "type is objects": describe("body0/positions", dtype="|O"),
    "type is a table": describe("body0/positions", dtype=[["a", "<f8"]]),
    "type is text": describe("body0/positions", dtype="<U8"),
    "whole numbers": describe("body0/positions", dtype="<i8"),
    "compressed": describe("body0/positions", compressor={"id": "zlib"}),
    "a frame is missing": remove("body0/positions/3.0.0"),
    "a velocity is missing": remove("body0/velocities/3.0.0"),
    "energies are missing": remove("body0/energies/.zarray"),
    "masses are missing": remove("body0/masses/0"),
    "a mass is zero": write("body0/masses/0", np.zeros(15).tobytes()),
    "a frame is short": write("body0/positions/3.0.0", b"12345678"),
    "a frame is long": write("body0/positions/3.0.0", bytes(1000)),
    "a frame is not finite": write("body0/positions/3.0.0", np.full(30, np.nan).tobytes()),
    "a time is not finite": write("times/3", np.array([np.inf]).tobytes()),
    "times jump back": write("times/3", np.array([0.01]).tobytes()),
    "times stand still": write("times/3", np.array([0.04]).tobytes()),
    "rest shape is not there": write("body0/resting/3", np.array([7]).tobytes()),
    "cells of points that are not there": write(
        "body0/cells/tri3/0.0", np.full((16, 3), 99).tobytes()
    ),
    "skin of points that are not there": write(
        "body0/skin/nodes/0.0", np.full((15, 1), 99).tobytes()
    ),
    "text is none": write("body0/solver/reason/2", b"\xff" * 128),
    "an endless device": link("body0/positions/3.0.0", "/dev/zero"),
    "a link out": link("body0/positions/3.0.0", "../../../b.zarr/body0/positions/3.0.0"),
    "a link within": link("body0/positions/3.0.0", "2.0.0"),
    "facts are a link": link(".zattrs", "/dev/zero"),
    "description is a link": link("body0/positions/.zarray", "/dev/zero"),
    "a folder is a link": link_folder,
    "a pipe": pipe("body0/positions/3.0.0"),
    "a pipe for facts": pipe(".zattrs"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_take_is_refused_in_one_line(take, damage):
    assert len(pl.Take.read(take)) == 6
    DAMAGE[damage](take)
    with pytest.raises(ValueError) as caught:
        pl.Take.read(take)
    told = str(caught.value)
    assert str(take) in told and "\n" not in told and len(told) < 400
    assert "expected" in told or "is damaged" in told


@pytest.mark.parametrize("damage", DAMAGE)
def test_nothing_is_written_to_a_damaged_take(take, damage):
    """Neither through a link nor over what may still be saved."""
    DAMAGE[damage](take)
    before = {
        p: p.read_bytes() for p in take.parent.rglob("*") if p.is_file() and not p.is_symlink()
    }
    with pytest.raises(ValueError) as caught:
        folder.TakeFolder(take).resume(beam_scene())
    assert str(take) in str(caught.value)
    for path, content in before.items():
        assert path.read_bytes() == content


def members(take: Path) -> dict[str, np.ndarray]:
    with np.load(take.with_name("a.npz")) as archive:
        return dict(archive)


def bomb(path: Path, original: Path) -> None:
    """Positions that claim a terabyte."""
    header = (
        b"\x93NUMPY\x01\x00v\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("facts.npy", bytes(100))
        archive.writestr("times.npy", header % 10**12 + bytes(1_000_000))


def flip(path: Path) -> None:
    """Change one bit of the positions."""
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("body0/positions.npy").header_offset + 200
    content = bytearray(path.read_bytes())
    content[at] ^= 4
    path.write_bytes(content)


NPZ = {
    "truncated": lambda a, path: path.write_bytes(path.read_bytes()[:-2000]),
    "empty": lambda a, path: path.write_bytes(b""),
    "text": lambda a, path: path.write_text("hello"),
    "a bomb": lambda a, path: bomb(path, path),
    "a byte": lambda a, path: flip(path),
    "objects": lambda a, path: np.savez(path, **a | {"body0/masses": np.array([{}, []], object)}),
    "no facts": lambda a, path: np.savez(path, times=a["times"]),
    "facts are numbers": lambda a, path: np.savez(path, **a | {"facts": np.zeros(3)}),
    "no masses": lambda a, path: np.savez(
        path, **{k: v for k, v in a.items() if k != "body0/masses"}
    ),
    "wrong shape": lambda a, path: np.savez(
        path, **a | {"body0/positions": a["body0/positions"][:, 1:]}
    ),
    "complex": lambda a, path: np.savez(path, **a | {"body0/masses": a["body0/masses"] + 1j}),
    "times fall": lambda a, path: np.savez(path, **a | {"times": a["times"][::-1]}),
}


@pytest.mark.parametrize("damage", NPZ)
def test_a_damaged_archive_is_refused_in_one_line(original, tmp_path, damage):
    path = Path(shutil.copy(original.with_name("a.npz"), tmp_path / "a.npz"))
    NPZ[damage](members(original), path)
    with pytest.raises(ValueError) as caught:
        pl.Take.read(path)
    told = str(caught.value)
    assert str(path) in told and "\n" not in told and len(told) < 400


def test_times_are_read_when_their_number_is_that_of_the_frames(original, tmp_path):
    """A few megabytes may unpack to gigabytes of times: here to 80 MB."""
    path = tmp_path / "a.npz"
    many = np.arange(10_000_000.0)
    np.savez_compressed(path, **members(original) | {"times": many})
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"positions has the shape .* expected \(10000000, "):
            pl.Take.read(path)
        assert tracemalloc.get_traced_memory()[1] < many.nbytes / 4
    finally:
        tracemalloc.stop()


def altered(**changes):
    def change(arrays: dict[str, np.ndarray], path: Path) -> None:
        said = json.loads(str(arrays["said"])) | changes
        savez(path, arrays | {"said": np.array(json.dumps(said))})

    return change


def savez(path: Path, arrays: dict[str, np.ndarray]) -> None:
    """An archive with a seal that fits it, so that its fields are looked at."""
    np.savez(path, **arrays)
    seal = checkpoint._seal(member_sums(path))
    np.savez(path, **arrays, seal=np.array(seal))


FACTOR = "/solver0/linear/source"
CHECKPOINTS = {
    "truncated": lambda a, path: path.write_bytes(path.read_bytes()[:-100]),
    "empty": lambda a, path: path.write_bytes(b""),
    "no state": lambda a, path: savez(path, {"said": np.array("{}")}),
    "a list": lambda a, path: savez(path, {"said": np.array("[]")}),
    "numbers": lambda a, path: savez(path, {"said": np.zeros(4)}),
    "frame is text": altered(frame="one"),
    "frame is to come": altered(frame=10**6),
    "frame is negative": altered(frame=-1),
    "time is huge": altered(time=10**400),
    "no memory": altered(body0={"x": {"array": "/body0/x"}, "v": {"array": "/body0/v"}}),
    "a body is a list": altered(body0=[]),
    "other shape": lambda a, path: savez(path, a | {"/body0/v": a["/body0/v"][1:]}),
    "not finite": lambda a, path: savez(path, a | {"/body0/v": a["/body0/v"] * np.nan}),
    "complex": lambda a, path: savez(
        path, a | {"/body0/rest/bounds": a["/body0/rest/bounds"].astype(complex)}
    ),
    "half a factor": lambda a, path: savez(path, a | {f"{FACTOR}/data": a[f"{FACTOR}/data"][::2]}),
    "more points": lambda a, path: savez(path, a | {"/body0/x": np.zeros((99, 2))}),
}


@pytest.mark.parametrize("damage", CHECKPOINTS)
def test_a_damaged_checkpoint_is_refused_and_its_frames_are_kept(take, damage):
    path = take / "checkpoint.npz"
    with np.load(path) as archive:
        arrays = {k: v for k, v in archive.items() if k != "seal"}
    CHECKPOINTS[damage](arrays, path)
    scene = beam_scene()
    with pytest.raises(ValueError) as caught:
        folder.TakeFolder(take).resume(scene)
    assert str(take) in str(caught.value) and len(str(caught.value)) < 400
    assert len(pl.Take.read(take)) == 6
    assert scene.time == 0.0 and np.array_equal(
        scene.bodies[0].positions, beam_scene().bodies[0].positions
    )


def test_a_checkpoint_with_another_number_is_noticed(take):
    """Every field is of the right kind; only the seal tells."""
    path = take / "checkpoint.npz"
    with zipfile.ZipFile(path) as archive:
        files = {m: archive.read(m) for m in archive.namelist()}
    content = bytearray(files["/body0/x.npy"])
    content[-1] ^= 1
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in (files | {"/body0/x.npy": bytes(content)}).items():
            archive.writestr(name, data)
    with pytest.raises(ValueError, match="was changed since"):
        folder.TakeFolder(take).resume(beam_scene())


def test_numbers_that_break_arithmetic_are_refused(take):
    for name, values in {
        "body0/positions/3.0.0": np.full(30, 1e300),
        "body0/components/0": np.r_[np.zeros(14, dtype=np.int64), 7],
        "body0/skin/weights/0.0": np.full((15, 1), 1e9),
    }.items():
        kept = (take / name).read_bytes()
        (take / name).write_bytes(values.tobytes())
        with pytest.raises(ValueError, match="It is damaged"):
            pl.Take.read(take)
        (take / name).write_bytes(kept)
    assert len(pl.Take.read(take)) == 6
