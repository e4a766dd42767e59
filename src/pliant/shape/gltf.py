"""Skeletons, motion and skins in glTF files."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from scipy.spatial.transform import Rotation, Slerp

from .rig import RawRig

Array = np.ndarray
TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
#: Places in files are below this.
LARGEST = 2**40
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


def read_gltf(file: Path) -> RawRig:
    """The rig of the first skin of a file, with the first animation."""
    try:
        return _read(Gltf(file))
    except (LookupError, TypeError, AttributeError, ValueError, struct.error) as error:
        if isinstance(error, ValueError) and str(error).startswith(file.name):
            raise
        raise ValueError(
            f"{file.name} is broken: what it names is not there; expected glTF 2.0, export it again"
        ) from None


class Gltf:
    """The JSON of a file, and its numbers."""

    def __init__(self, file: Path):
        self.name, self._folder = file.name, file.parent
        content = file.read_bytes()
        self._chunk = b""
        if content[:4] == b"glTF":
            length = struct.unpack("<I", content[12:16])[0]
            self.json: dict[str, Any] = json.loads(content[20 : 20 + length].decode())
            self._chunk = content[20 + length + 8 :]
        else:
            self.json = json.loads(content.decode())
        self._buffers: dict[int, bytes] = {}

    def refuse_compression(self) -> None:
        """Say so if meshes are stored in a way that is not read here."""
        packed = [name for name in self.json.get("extensionsRequired", []) if "compression" in name]
        if packed:
            raise ValueError(
                f"{self.name} needs {packed[0]}; expected a file without compression: export it again"
            )

    def numbers(self, accessor: int) -> Array:
        """The values of an accessor, (n, k)."""
        given = self.json["accessors"][accessor]
        kind, width, count = TYPES[given["componentType"]], WIDTHS[given["type"]], given["count"]
        if "bufferView" not in given or "sparse" in given:
            raise ValueError(f"{self.name} has sparse accessors; expected plain ones")
        view = self.json["bufferViews"][given["bufferView"]]
        start = view.get("byteOffset", 0) + given.get("byteOffset", 0)
        stride = view.get("byteStride", 0) or np.dtype(kind).itemsize * width
        # Rows are read by strides: nothing may lead out of the buffer.
        if not all(type(n) is int and 0 <= n < LARGEST for n in (start, stride, count)):
            raise ValueError(f"{self.name} has places that are no whole numbers; expected glTF 2.0")
        raw = np.frombuffer(self._buffer(view["buffer"])[start:], np.uint8)
        size = np.dtype(kind).itemsize * width
        if count < 1 or len(raw) < (count - 1) * stride + size:
            raise ValueError(f"{self.name} ends too early; expected all of its buffers")
        rows = np.lib.stride_tricks.as_strided(raw, (count, size), (stride, 1))
        values = np.ascontiguousarray(rows).view(kind).reshape(count, width)
        if given.get("normalized") and kind != "<f4":
            return np.asarray(values / np.iinfo(values.dtype).max)
        return values.astype(float) if kind == "<f4" else values.astype(np.int64)

    def _buffer(self, number: int) -> bytes:
        if number not in self._buffers:
            uri = self.json["buffers"][number].get("uri")
            if uri is None:
                found = self._chunk
            elif uri.startswith("data:"):
                found = base64.b64decode(uri.partition(",")[2])
            else:
                own = Path(unquote(uri))
                beside = self._folder / own
                if own.is_absolute() or ".." in own.parts or not beside.is_file():
                    raise ValueError(f"{self.name} names {uri[:80]!r}; expected a file beside it")
                found = beside.read_bytes()
            self._buffers[number] = found
        return self._buffers[number]


def _read(gltf: Gltf) -> RawRig:
    skins, nodes = gltf.json.get("skins", []), gltf.json.get("nodes", [])
    if not skins:
        raise ValueError(
            f"{gltf.name} has no skin; expected a mesh with a skeleton, exported as glTF 2.0"
        )
    gltf.refuse_compression()
    joints = list(skins[0]["joints"])
    above = {child: i for i, node in enumerate(nodes) for child in node.get("children", [])}
    chain = _chain(nodes, above, gltf.name)
    if "inverseBindMatrices" in skins[0]:
        inverse = gltf.numbers(skins[0]["inverseBindMatrices"])
        inverse = np.swapaxes(inverse.reshape(-1, 4, 4), 1, 2)[: len(joints)]
    else:
        inverse = np.tile(np.eye(4), (len(joints), 1, 1))
    bind = np.linalg.inv(inverse)
    numbers = {node: i for i, node in enumerate(joints)}
    parents = []
    for node in joints:
        while (up := above.get(node)) is not None and up not in numbers:
            node = up
        parents.append(-1 if up is None else numbers[up])
    names = [nodes[n].get("name", f"joint{i}") for i, n in enumerate(joints)]
    still = _worlds(nodes, above, chain, {}, 1)[:, 0]
    holder = above.get(joints[parents.index(-1)]) if -1 in parents else None
    return RawRig(
        names,
        parents,
        bind,
        above=np.eye(4) if holder is None else still[holder],
        rest=still[joints],
        **_motion(gltf, nodes, above, chain, joints, inverse),
        **_skin(gltf, nodes, len(joints)),
    )


def _chain(nodes: list[Any], above: dict[int, int], name: str) -> list[int]:
    """Nodes with parents before children."""
    order: list[int] = []
    left, known = set(range(len(nodes))), set()
    while left:
        ready = sorted(i for i in left if above.get(i) is None or above[i] in known)
        if not ready:
            raise ValueError(f"{name} has nodes that hang on themselves; expected a tree")
        order += ready
        known |= set(ready)
        left -= set(ready)
    return order


def _motion(
    gltf: Gltf,
    nodes: list[Any],
    above: dict[int, int],
    chain: list[int],
    joints: list[int],
    inverse: Array,
) -> dict[str, Any]:
    """Times [s] and maps from bind of the first animation; keys of all channels are frames."""
    animations = gltf.json.get("animations", [])
    if not animations:
        return {}
    channels, samplers = animations[0]["channels"], animations[0]["samplers"]
    keyed = [c for c in channels if c["target"]["path"] in ("translation", "rotation", "scale")]
    if not keyed:
        return {}
    inputs = [gltf.numbers(samplers[c["sampler"]]["input"])[:, 0] for c in keyed]
    times = np.unique(np.concatenate(inputs))
    parts = {}
    for channel, keys in zip(keyed, inputs, strict=True):
        sampler = samplers[channel["sampler"]]
        values = gltf.numbers(sampler["output"])
        if sampler.get("interpolation") == "CUBICSPLINE":
            values = values.reshape(len(keys), 3, -1)[:, 1]  # between tangents
        path = channel["target"]["path"]
        step = sampler.get("interpolation") == "STEP"
        parts[channel["target"]["node"], path] = _sampled(keys, values, times, path, step)
    worlds = _worlds(nodes, above, chain, parts, len(times))
    poses = np.swapaxes(worlds[joints] @ inverse[:, None], 0, 1)
    return {"times": times, "poses": poses[:, :, :3]}


def _worlds(
    nodes: list[Any],
    above: dict[int, int],
    chain: list[int],
    parts: dict[tuple[int, str], Array],
    frames: int,
) -> Array:
    """The transform of each node to the world at each frame, (nodes, f, 4, 4)."""
    worlds = np.zeros((len(nodes), frames, 4, 4))
    for i in chain:
        own = _local(nodes[i], i, parts, frames)
        up = above.get(i)
        worlds[i] = own if up is None else worlds[up] @ own
    return worlds


def _sampled(keys: Array, values: Array, times: Array, path: str, step: bool) -> Array:
    """Values of keys at times, held outside."""
    t = np.clip(times, keys[0], keys[-1])
    if step or len(keys) == 1:
        last = np.clip(np.searchsorted(keys, t, side="right") - 1, 0, len(keys) - 1)
        return np.asarray(values[last])
    if path == "rotation":
        return np.asarray(Slerp(keys, Rotation.from_quat(values))(t).as_quat())
    return np.stack([np.interp(t, keys, column) for column in values.T], axis=1)


def _local(node: Any, number: int, parts: dict[tuple[int, str], Array], frames: int) -> Array:
    """The transform of a node against its parent at each frame, (f, 4, 4)."""
    if "matrix" in node:
        return np.tile(np.reshape(node["matrix"], (4, 4)).T.astype(float), (frames, 1, 1))
    rest = {"translation": (0, 0, 0), "rotation": (0, 0, 0, 1), "scale": (1, 1, 1)}
    t, q, s = (
        np.broadcast_to(
            parts.get((number, k), np.array(node.get(k, v), dtype=float)), (frames, len(v))
        )
        for k, v in rest.items()
    )
    found = np.tile(np.eye(4), (frames, 1, 1))
    found[:, :3, :3] = Rotation.from_quat(q).as_matrix() * s[:, None, :]
    found[:, :3, 3] = t
    return found


def _skin(gltf: Gltf, nodes: list[Any], bones: int) -> dict[str, Any]:
    """All triangles that the first skin moves, as one surface."""
    points, faces, weights, count = [], [], [], 0
    meshes = [node["mesh"] for node in nodes if node.get("skin") == 0 and "mesh" in node]
    for primitive in (p for m in meshes for p in gltf.json["meshes"][m]["primitives"]):
        given = primitive["attributes"]
        if primitive.get("mode", 4) != 4 or not {"POSITION", "JOINTS_0", "WEIGHTS_0"} <= set(given):
            continue
        own = gltf.numbers(given["POSITION"])
        dense = np.zeros((len(own), bones))
        rows = np.arange(len(own))[:, None]
        for k in range(len([name for name in given if name.startswith("JOINTS_")])):
            index, weight = gltf.numbers(given[f"JOINTS_{k}"]), gltf.numbers(given[f"WEIGHTS_{k}"])
            np.add.at(dense, (np.broadcast_to(rows, index.shape), index), weight)
        corners = np.arange(len(own))
        if "indices" in primitive:
            corners = gltf.numbers(primitive["indices"])[:, 0]
        faces.append(corners.reshape(-1, 3) + count)
        points.append(own)
        weights.append(dense)
        count += len(own)
    if not points:
        return {}
    corners = np.concatenate(faces)
    return {"points": np.concatenate(points), "faces": corners, "weights": np.concatenate(weights)}
