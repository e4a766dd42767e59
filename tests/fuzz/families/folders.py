"""Folders of a take, broken: files gone, torn, linked elsewhere, and JSON that says something else."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np

from .. import mutation, nasty

#: What a field of `.zarray` may be given.
FIELDS: dict[str, tuple[Any, ...]] = {
    "shape": ([], [0], [-1], [1e9], [1.5], ["x"], [2**40], [2**62, 2**62], [3, 3], 5, None, "x",
    [[1]], [5, 0, 3], [10**30], [True],
              [4], [6], [5, 8, 2], [5, 8, 3, 1], [1] * 70),
    "chunks": ([0], [0, 0, 0], [-1], [1.5], ["x"], [2**40], [], None, 1, [2], [1], [10**30], [3,
    8, 3], [1, 1, 1], [[1]]),
    "dtype": ("<f4", ">f8", "|O", "<i8", "|b1", "<U9", "<U99999999", "|S0", "x", "", None, 3,
    ["<f8"], "<M8[s]", "|V8", "f8,f8",
              [["a", "<f8"]], "<c16", "<f2", "object", "void"),
    "order": ("F", "X", None), "zarr_format": (3, "2", None), "filters": ([], [{"id": "delta"}],
    "x"),
    "compressor": ({"id": "blosc"}, {"id": "zlib", "level": 1}, "x", []), "fill_value": (0, "NaN",
    None, [], "x", 1e400),
}  # fmt: skip
TEXTS = ("", "[]", "null", "{}", "1", '"x"', "{", "NaN", '{"a": 1}', "\0", "[" * 5,
'{"format": "pliant take"}',
         '{"format": "pliant take", "version": 1}', '{"format": "pliant take", "version": "x"}',
         '{"format": "pliant take", "version": 99}', "\ufeff{}")  # fmt: skip


def break_folder(rng: random.Random, take: Path, precious: Path) -> tuple[str, bool]:
    """Change a take in place; what was done, and whether only something was taken away."""
    files = sorted(path for path in take.rglob("*") if path.is_file())
    described = [path for path in files if path.name == ".zarray"]
    chunks = [path for path in files if not path.name.startswith(".") and path.suffix != ".npz"]
    kind = rng.random()
    if kind < 0.18:
        return _remove(rng, take, files), True
    if kind < 0.4:
        return _array_said(rng, rng.choice(described)), False
    if kind < 0.58:
        return _said(
            rng,
            rng.choice(
                (take / ".zattrs", take / ".zattrs", rng.choice(described), take / ".zgroup")
            ),
        ), False
    if kind < 0.72:
        return _link(
            rng, rng.choice(files if rng.random() < 0.7 else _folders(take)), take, precious
        ), False
    if kind < 0.76:
        return _add(rng, take), False
    if kind < 0.88:
        return _values(rng, rng.choice(chunks)), False
    path = rng.choice(files)
    data, did = mutation.change_bytes(rng, path.read_bytes())
    path.write_bytes(data)
    return f"{path.relative_to(take)}: {did}", did.startswith("cut")


def _folders(take: Path) -> list[Path]:
    return sorted(path for path in take.rglob("*") if path.is_dir())


def _remove(rng: random.Random, take: Path, files: list[Path]) -> str:
    path = rng.choice(files if rng.random() < 0.8 else _folders(take))
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    return f"without {path.relative_to(take)}"


def _array_said(rng: random.Random, path: Path) -> str:
    said = json.loads(path.read_text())
    did = []
    for _ in range(rng.choice((1, 1, 2))):
        field = (
            rng.choice(sorted(FIELDS))
            if rng.random() < 0.3
            else rng.choice(("shape", "chunks", "dtype"))
        )
        if rng.random() < 0.08:
            said.pop(field, None)
        else:
            said[field] = rng.choice(FIELDS[field])
        did.append(f"{field}={said.get(field)!r:.40}")
    path.write_text(json.dumps(said))
    return f"{path.parent.name}: {', '.join(did)}"


def _said(rng: random.Random, path: Path) -> str:
    kind = rng.random()
    if kind < 0.65:
        tree, did = mutation.change_tree(rng, json.loads(path.read_text()))
        path.write_text(json.dumps(tree))
        return f"{path.parent.name}/{path.name}: {'; '.join(did)}"
    text = rng.choice(TEXTS) if kind < 0.85 else nasty.deep_text(rng)
    if kind > 0.97:
        text = json.dumps({**json.loads(path.read_text()), "x": "a" * 30_000_000})
    path.write_text(text)
    return f"{path.parent.name}/{path.name} is {text!r:.60}"


def _link(rng: random.Random, path: Path, take: Path, precious: Path) -> str:
    """Something else under the name of a file or folder."""
    size = path.stat().st_size if path.is_file() else 0
    inside = path.is_dir() and rng.random() < 0.5
    aside = precious.parent / "work" / "aside"
    if inside:
        shutil.move(path, aside)  # the same folder, but outside of the take
    elif path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
    to = aside if inside else rng.choice(
        ("/dev/zero", "/dev/random", "/dev/stdin", str(precious / "secret.bin"), str(precious),
        "fifo", "folder",
         path.name, ".", "..", "nowhere", "/", "sparse")
    )  # fmt: skip
    if to == "fifo":
        os.mkfifo(path)
    elif to == "folder":
        path.mkdir()
    elif to == "sparse":
        with path.open("wb") as file:  # gigabytes that need no disk
            file.truncate(rng.choice((size + 8, 400 * 2**20)))
    else:
        path.symlink_to(to)
    return f"{path.relative_to(take)} is {to}"


def _add(rng: random.Random, take: Path) -> str:
    name = rng.choice(("body7", "body0/groups/x y", "body0/cells/tet9", "body0/cells/tri3",
    "body0/skin/groups/q", "body-1", "times/9",
                       "a" * 200, "body0/solver/x", "é", "body0/positions/.zarray.1.part",
                       "body0/rests"))  # fmt: skip
    path = take / name
    shutil.rmtree(path, ignore_errors=True)
    if rng.random() < 0.5:
        shutil.copytree(take / "body0" / rng.choice(("positions", "masses", "points")), path)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return f"with {name}"


def _values(rng: random.Random, path: Path) -> str:
    data = np.frombuffer(
        path.read_bytes(), np.float64 if path.stat().st_size % 8 == 0 else np.uint8
    ).copy()
    if not data.size:
        return "nothing"
    at = rng.randrange(data.size)
    if data.dtype == np.float64:
        data[at] = rng.choice((np.nan, np.inf, -np.inf, 0.0, -1.0, 1e300, 5e-324))
        if rng.random() < 0.3:  # as whole numbers, which point indices are
            data.view(np.int64)[at] = rng.choice((-1, 10**6, 2**63 - 1, -(2**63), 7))
    else:
        data[at] ^= 255
    path.write_bytes(data.tobytes())
    return f"{path.parent.name}/{path.name}[{at}] = {data[at]!r}"
