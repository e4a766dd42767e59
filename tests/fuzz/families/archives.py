"""Archives of numpy, broken: members dropped, renamed, of other types and shapes, bombs, torn bytes."""

from __future__ import annotations

import io
import json
import random
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from .. import mutation, nasty
from .bombs import write_bomb

Members = dict[str, bytes]  # name in the archive, as it is in the zip, to the bytes of an .npy file


def break_archive(rng: random.Random, path: Path) -> str:
    """Change an .npz file in place; returns what was done."""
    kind = rng.random()
    if kind < 0.2:
        data, did = mutation.change_bytes(rng, path.read_bytes())
        path.write_bytes(data)
        return did
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for seal in [name for name in members if not name.endswith(".npy")]:
        if (
            rng.random() < 0.7
        ):  # as an earlier version wrote it: what is below the seal is tried, too
            del members[seal]
    name = rng.choice(sorted(name for name in members if name.endswith(".npy")))
    if kind < 0.205:
        write_bomb(path, members, name)
        return f"{name} is a bomb"
    said = [k for k in members if as_json(members[k]) is not None]
    if kind < 0.45 and said:
        name = rng.choice(said)
        members[name], did = _other_json(rng, members[name])
    else:
        did = rng.choice(WAYS)(rng, members, name)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for member, content in members.items():
            archive.writestr(member, content)
    return f"{name}: {did}"


def as_json(member: bytes) -> Any:
    """The JSON that a member holds as text; None if it holds something else."""
    try:
        array = np.load(io.BytesIO(member), allow_pickle=False)
        return json.loads(str(array)) if array.dtype.kind == "U" and array.ndim == 0 else None
    except ValueError:
        return None


def npy(array: Any, pickle: bool = False) -> bytes:
    """The bytes of an .npy file."""
    file = io.BytesIO()
    np.save(file, array, allow_pickle=pickle)
    return file.getvalue()


def _other_json(rng: random.Random, member: bytes) -> tuple[bytes, str]:
    tree = as_json(member)
    kind = rng.random()
    if kind < 0.75:
        tree, did = mutation.change_tree(rng, tree)
        return npy(np.array(json.dumps(tree))), "; ".join(did)
    text = rng.choice(("", "[]", "null", "{}", "1", '"x"', "NaN", nasty.deep_text(rng),
    '{"a": ' + nasty.deep_text(rng),
                       json.dumps(tree)[: rng.randrange(400)], json.dumps([tree])))  # fmt: skip
    return npy(np.array(text)), f"the text {text!r:.60}"


def _array(member: bytes) -> np.ndarray:
    return (
        np.load(io.BytesIO(member), allow_pickle=True)
        if member[:6] == b"\x93NUMPY"
        else np.zeros(3)
    )


def _drop(rng: random.Random, members: Members, name: str) -> str:
    del members[name]
    return "dropped"


def _rename(rng: random.Random, members: Members, name: str) -> str:
    new = rng.choice(
        (nasty.text(rng), rng.choice(nasty.NAMES), name[:-5] + ".npy", rng.choice(sorted(members)))
    )
    members[new.replace("\0", "_") or "x"] = members.pop(name)
    return f"renamed to {new!r:.60}"


def _swap(rng: random.Random, members: Members, name: str) -> str:
    other = rng.choice(sorted(members))
    members[name], members[other] = members[other], members[name]
    return f"swapped with {other}"


def _type(rng: random.Random, members: Members, name: str) -> str:
    kind = rng.choice(("f4", "f8", "i8", "u1", "c16", "?", "U3", "S3", "M8[s]", "V8", "O", ">f8"))
    array = _array(members[name])
    try:
        members[name] = npy(array.astype(kind), pickle=True)
    except (ValueError, TypeError, OverflowError):
        members[name] = npy(np.zeros(array.shape, kind), pickle=True)
    return f"of type {kind}"


def _pickle(rng: random.Random, members: Members, name: str) -> str:
    members[name] = npy(np.array([None, {"x": 1}], dtype=object), pickle=True)
    return "pickled objects"


def _shape(rng: random.Random, members: Members, name: str) -> str:
    array = _array(members[name])
    ways: list[Callable[[], Any]] = [
        lambda: array[..., None], lambda: array.ravel(), lambda: array[:-1], lambda: array[:0],
        lambda: np.concatenate([array, array]), lambda: array.T, lambda: array[..., :1],
        lambda: array[0],
        lambda: np.zeros((0, 0)), lambda: np.float64(1.0), lambda: array[None],
    ]  # fmt: skip
    try:
        found = rng.choice(ways)()
    except (IndexError, ValueError):
        found = array[None]
    members[name] = npy(found)
    return f"of shape {np.shape(found)} instead of {array.shape}"


def _values(rng: random.Random, members: Members, name: str) -> str:
    array = np.atleast_1d(_array(members[name])).copy()
    if array.dtype.kind not in "fiub" or not array.size:
        return _shape(rng, members, name)
    flat, at = array.reshape(-1), rng.randrange(array.size)
    given = nasty.number(rng)
    with np.errstate(all="ignore"):
        try:
            flat[at :: rng.choice((1, 10**9))] = np.array([given]).astype(array.dtype)[0]
        except (OverflowError, ValueError, TypeError):
            flat[at] = -1 if array.dtype.kind in "fi" else 1
    members[name] = npy(array if _array(members[name]).ndim else array[0])
    return f"{given!r:.40} at {at}"


def _header(rng: random.Random, members: Members, name: str) -> str:
    """Another shape in the header of an .npy file, with the data of before."""
    shape = rng.choice(("(1000000000000,)", "(-1,)", "(1.5,)", "(2, 0)",
    "(99999999999999999999,)", "()", "'x'",
                        "(268435456, 8)", "(1,) * 40", "[3]"))  # fmt: skip
    text = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header = text + b" " * (63 - (len(text) + 10) % 64) + b"\n"
    members[name] = (
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + members[name][-64:]
    )
    return f"a header that says {shape}"


def _bytes(rng: random.Random, members: Members, name: str) -> str:
    members[name], did = mutation.change_bytes(rng, members[name])
    return did


WAYS = (
    _drop,
    _rename,
    _swap,
    _type,
    _pickle,
    _shape,
    _shape,
    _values,
    _values,
    _values,
    _header,
    _bytes,
)
