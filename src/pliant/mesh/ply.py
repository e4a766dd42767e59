"""PLY: polygons in ASCII or binary, with normals and texture coordinates of points or corners."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import Floats, Indices
from .errors import MeshError
from .surface import Surface

_PLY_TYPES = {
    **dict.fromkeys(("char", "int8"), "i1"),
    **dict.fromkeys(("uchar", "uint8"), "u1"),
    **dict.fromkeys(("short", "int16"), "i2"),
    **dict.fromkeys(("ushort", "uint16"), "u2"),
    **dict.fromkeys(("int", "int32"), "i4"),
    **dict.fromkeys(("uint", "uint32"), "u4"),
    **dict.fromkeys(("float", "float32"), "f4"),
    **dict.fromkeys(("double", "float64"), "f8"),
}
_ORDERS = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}
_UV = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))


@dataclass
class _Element:
    name: str
    count: int
    properties: list[tuple[str, str, str]] = field(
        default_factory=list
    )  # name, type, type of count


def read_ply(path: Path) -> Surface:
    """Read vertices and polygons."""
    data = path.read_bytes()
    elements, order, start, line = _header(data, path)
    values = (
        _ascii(data[start:], elements, path, line)
        if not order
        else _binary(data, start, elements, order, path)
    )
    face = values.get("face", {})
    # A list where one number is meant has no meaning here.
    vertex = {n: v for n, v in values.get("vertex", {}).items() if not isinstance(v, tuple)}
    if not {"x", "y", "z"} <= vertex.keys():
        raise MeshError(f"{path}: expected an element 'vertex' with properties x, y and z")
    polygons = face.get("vertex_indices", face.get("vertex_index"))
    if not isinstance(polygons, tuple) or not len(polygons[0]):
        raise MeshError(f"{path} has no polygons; expected 'face' with a list vertex_indices")
    if not all((np.abs(part) < 2**62).all() for part in polygons):  # so that NaN fails
        raise MeshError(f"{path}: a face has a point that is no whole number; expected indices")
    sizes, corners = polygons[0].astype(np.int64), polygons[1].astype(np.int64)
    points = _columns(vertex, ("x", "y", "z"))
    if len(corners) and (corners.min() < 0 or corners.max() >= len(points)):
        raise MeshError(
            f"{path}: a face has point {corners.max() if corners.min() >= 0 else corners.min()}; "
            f"expected 0 to {len(points) - 1}"
        )
    if sizes.min() < 3:
        thin = int(np.argmax(sizes < 3))
        raise MeshError(f"{path}: face {thin} has {sizes[thin]} corners; expected at least 3")
    uv = next((_columns(vertex, pair)[corners] for pair in _UV if set(pair) <= vertex.keys()), None)
    wedge = face.get("texcoord")
    if isinstance(wedge, tuple) and len(wedge[1]) == 2 * len(corners):
        uv = wedge[1].reshape(-1, 2)
    normals = None
    if {"nx", "ny", "nz"} <= vertex.keys():
        normals = _columns(vertex, ("nx", "ny", "nz"))[corners]
    return Surface(points, sizes, corners, uv=uv, normals=normals)


def _columns(values: dict[str, Any], names: tuple[str, ...]) -> Floats:
    return np.stack([np.asarray(values[n], dtype=np.float64) for n in names], axis=1)


def _header(data: bytes, path: Path) -> tuple[list[_Element], str, int, int]:
    """Elements, byte order ("" for ASCII), where the body begins, and the number of lines before."""
    end = data.find(b"end_header")
    start = data.find(b"\n", end) + 1
    if not data.startswith(b"ply") or end < 0 or not start:
        raise MeshError(f"{path} is no PLY file: expected 'ply' at its start and 'end_header'")
    elements: list[_Element] = []
    order = None
    lines = data[:end].decode("ascii", errors="replace").splitlines()
    for number, line in enumerate(lines, start=1):
        try:
            match line.split():
                case ["format", form, _]:
                    order = _ORDERS[form]
                case ["element", name, count]:
                    elements.append(_Element(name, _count(count)))
                case ["property", "list", size, type_, name]:
                    elements[-1].properties.append((name, _PLY_TYPES[type_], _PLY_TYPES[size]))
                case ["property", type_, name]:
                    elements[-1].properties.append((name, _PLY_TYPES[type_], ""))
        except (KeyError, ValueError, IndexError):
            raise MeshError(
                f"{path}, line {number}: {line.strip()[:60]!r} is not understood"
            ) from None
    if order is None:
        raise MeshError(f"{path}: expected a line 'format ascii 1.0' or one of {list(_ORDERS)[1:]}")
    return elements, order, start, len(lines) + 1


def _count(word: str) -> int:
    if not 0 <= int(word) < 2**62:
        raise ValueError
    return int(word)


def _ascii(body: bytes, elements: list[_Element], path: Path, line: int) -> dict[str, Any]:
    rows = [
        (number, row.split())
        for number, row in enumerate(body.splitlines(), line + 1)
        if row.strip()
    ]
    found: dict[str, Any] = {}
    begin = 0
    for element in elements:
        table = rows[begin : begin + element.count]
        begin += element.count
        if len(table) < element.count:
            raise MeshError(
                f"{path} ends after {len(table)} of {element.count} rows of {element.name[:60]!r}"
            )
        columns: dict[str, list[list[float]]] = {name: [] for name, _, _ in element.properties}
        for number, words in table:
            place = 0
            try:
                for name, _, size in element.properties:
                    many = int(words[place]) if size else 1
                    place += bool(size)
                    if many < 0:
                        raise ValueError
                    values = [float(word) for word in words[place : place + many]]
                    if len(values) < many:
                        raise ValueError
                    place += many
                    columns[name].append(values)
            except (ValueError, IndexError):
                said = b" ".join(words)[:60].decode("ascii", errors="replace")
                wanted = " ".join(name for name, _, _ in element.properties)[:60]
                raise MeshError(
                    f"{path}, line {number}: {said!r}: expected numbers for {wanted}"
                ) from None
        found[element.name] = {
            name: _listed(columns[name]) if size else np.array(columns[name]).ravel()
            for name, _, size in element.properties
        }
    return found


def _listed(rows: list[Any]) -> tuple[Indices, Floats]:
    sizes = np.array([len(row) for row in rows], dtype=np.int64)
    return sizes, np.array([value for row in rows for value in row], dtype=np.float64)


def _binary(
    data: bytes, start: int, elements: list[_Element], order: str, path: Path
) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for element in elements:
        try:
            found[element.name], start = _table(data, start, element, order)
        except (ValueError, IndexError, OverflowError):
            raise MeshError(
                f"{path} ends within the {element.count} rows of {element.name[:60]!r}: it has "
                f"{len(data)} bytes"
            ) from None
    return found


def _table(data: bytes, start: int, element: _Element, order: str) -> tuple[dict[str, Any], int]:
    """Rows of one element; all at once if their lists are as long as those of the first row."""
    if not element.count:
        empty = np.empty(0)
        return {n: (empty, empty) if size else empty for n, _, size in element.properties}, start
    first, _ = _row(data, start, element, order)
    record: list[Any] = []
    for (name, type_, size), value in zip(element.properties, first, strict=True):
        if size:
            record.append((f"{name} count", order + size))
            record.append((name, order + type_, (len(value),)))
        else:
            record.append((name, order + type_))
    whole = np.dtype(record)
    if len(data) - start >= whole.itemsize * element.count:
        table = np.frombuffer(data, whole, element.count, offset=start)
        lists = [(n, table[n]) for n, _, size in element.properties if size]
        if all((table[f"{n} count"] == rows.shape[1]).all() for n, rows in lists):
            values: dict[str, Any] = {n: table[n] for n, _, size in element.properties if not size}
            for n, rows in lists:
                values[n] = (np.full(len(rows), rows.shape[1]), rows.ravel())
            return values, start + whole.itemsize * element.count
    rows_: list[list[NDArray[Any]]] = []
    for _ in range(element.count):
        row, start = _row(data, start, element, order)
        rows_.append(row)
    columns = list(zip(*rows_, strict=True))
    return {
        name: _listed(list(column)) if size else np.concatenate(column)
        for (name, _, size), column in zip(element.properties, columns, strict=True)
    }, start


def _row(data: bytes, start: int, element: _Element, order: str) -> tuple[list[NDArray[Any]], int]:
    row = []
    for _, type_, size in element.properties:
        many = 1
        if size:
            many = int(np.frombuffer(data, order + size, 1, start)[0])
            if many < 0:  # numpy would take it for all that is left
                raise ValueError
            start += np.dtype(size).itemsize
        row.append(np.frombuffer(data, order + type_, many, start))
        start += np.dtype(type_).itemsize * many
    return row, start
