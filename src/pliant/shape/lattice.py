"""A lattice of control points around something: it moves what is inside."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.bodies import Deformable
from pliant.errors import described, is_whole, shown
from pliant.given import floats_or_nan, path_of
from pliant.mesh import Mesh, Surface
from pliant.resources import require_memory

from . import knots as algebra
from .checks import points_given
from .knots import Array

#: Weights in rows that are fuller than this are kept as a dense matrix: it is multiplied faster.
FULL = 0.3


class Lattice:
    """Free-form deformation: points are means of control points that stand around them.

        x = B c,     B = products of B-splines along each axis, rows of which sum to 1

    shape: a mesh, a surface, a body, or points [m], (n, d). divisions: control points along each axis.
    degree: of the splines, 1 to 3 and less than the control points along an axis. box [m]: the lowest
    and the highest corner of the lattice; those of the points if left out.

    `points`, (..., d), are the control points [m], which may be changed in place; `positions` are the
    points of the shape. Where the lattice is moved as a whole, affinely, they make that motion exactly.

        lattice = pl.shape.Lattice(mesh, divisions=(4, 4, 4))
        lattice.points[-1] += (0, 0.5, 0)
        body.place(lattice.positions)

    Source: [sederberg1986], with B-splines.
    """

    def __init__(
        self,
        shape: Any,
        divisions: Sequence[int] = (4, 4, 4),
        *,
        degree: int = 3,
        box: Any = None,
    ):
        x = points_of(shape)
        d = x.shape[1]
        self._divisions = _accept_divisions(divisions, d)
        if not (is_whole(degree) and 1 <= degree <= 3):
            raise ValueError(f"Lattice: got degree={shown(degree)}; expected 1, 2 or 3")
        self._box = _accept_box(box, x)
        self._degree = int(degree)
        self.matrix = self._weights(x)
        self.points = self.rest

    def __repr__(self) -> str:
        counts = " x ".join(map(str, self._divisions))
        return f"<Lattice of {counts} control points around {self.matrix.shape[0]} points>"

    @property
    def divisions(self) -> tuple[int, ...]:
        """Control points along each axis."""
        return self._divisions

    @property
    def rest(self) -> Array:
        """Where control points stand when nothing is moved [m], (..., d)."""
        low, high = self._box
        each = [
            low[a] + (high[a] - low[a]) * _greville(*self._axis(a))
            for a in range(len(self._divisions))
        ]
        return np.stack(np.meshgrid(*each, indexing="ij"), axis=-1)

    @property
    def positions(self) -> Array:
        """Where the points of the shape are [m], (n, d)."""
        controls = self._controls()
        return np.asarray(self.matrix @ controls.reshape(-1, controls.shape[-1]))

    @property
    def basis(self) -> Array:
        """How points move with each coordinate of each control point, (k, n, d): for `pl.Subspace`."""
        d, (n, count) = len(self._divisions), self.matrix.shape
        require_memory("Lattice.basis", 8.0 * count * n * d * d, "fewer divisions")
        weights = self.matrix.toarray() if sp.issparse(self.matrix) else self.matrix
        found = np.zeros((count, d, n, d))
        for axis in range(d):
            found[:, axis, :, axis] = weights.T
        return found.reshape(count * d, n, d)

    def reset(self) -> None:
        """Put the control points back."""
        self.points = self.rest

    def write(self, path: str | Path) -> None:
        """Write a TOML file with the lattice and the control points that are moved, for scene files."""
        moved = self._controls() - self.rest
        lines = [
            f"divisions = {list(self._divisions)}",
            f"degree = {self._degree}",
            f"box = {self._box.tolist()} # [m]",
            "move = [",
        ]
        for place in np.ndindex(*self._divisions):
            if moved[place].any():
                lines.append(f"  {{ point = {list(place)}, by = {moved[place].tolist()} }},")
        path_of("Lattice.write", path).write_text("\n".join([*lines, "]", ""]), encoding="utf-8")

    @classmethod
    def read(cls, path: str | Path, shape: Any) -> Lattice:
        """The lattice of a TOML file around a shape: divisions, and how control points are moved."""
        from .lattice_file import read_lattice

        file = path_of("Lattice.read", path)
        given, moves = read_lattice(file)
        lattice = cls(shape, **given)
        for place, by in moves:
            fits = len(place) == len(lattice.divisions) == len(by)
            if not fits or any(i >= n for i, n in zip(place, lattice.divisions, strict=True)):
                raise ValueError(
                    f"{file.name}: got move of point {list(place)} by {list(by)}; expected "
                    f"{len(lattice.divisions)} numbers each, for points of {list(lattice.divisions)}"
                )
            lattice.points[tuple(place)] += by
        return lattice

    def _controls(self) -> Array:
        """The control points, which a user may have replaced."""
        shape = (*self._divisions, len(self._divisions))
        controls = floats_or_nan(self.points)
        if controls.shape != shape or not np.isfinite(controls).all():
            raise ValueError(
                f"Lattice.points: got {described(self.points)}; expected finite numbers of shape "
                f"{shape} [m]"
            )
        return controls

    def _axis(self, axis: int) -> tuple[Array, int]:
        """Knots and degree along an axis."""
        count = self._divisions[axis]
        p = min(self._degree, count - 1)
        return algebra.clamped(count, p), p

    def _weights(self, x: Array) -> Any:
        """B, (n, control points): dense if most of it is not zero."""
        low, high = self._box
        outside = np.flatnonzero(((x < low) | (x > high)).any(axis=1))
        if len(outside):
            raise ValueError(
                f"Lattice: {len(outside)} of {len(x)} points are outside of box={self._box.tolist()}; "
                "expected a box around all of them, or none"
            )
        each = [self._axis(a) for a in range(x.shape[1])]
        total, own = int(np.prod(self._divisions)), int(np.prod([p + 1 for _, p in each]))
        require_memory("Lattice: its weights", 24.0 * own * len(x), "a lower degree")
        values, columns = np.ones((len(x), 1)), np.zeros((len(x), 1), dtype=np.int64)
        for a, (knots, p) in enumerate(each):
            share = np.clip((x[:, a] - low[a]) / (high[a] - low[a]), 0.0, 1.0)
            one = algebra.weights_at(knots, p, share)
            data, index = (v.reshape(len(x), p + 1) for v in (one.data, one.indices))
            values = (values[:, :, None] * data[:, None, :]).reshape(len(x), -1)
            columns = columns[:, :, None] * self._divisions[a] + index[:, None, :]
            columns = columns.reshape(len(x), -1)
        starts = np.arange(len(x) + 1) * own
        matrix = sp.csr_array((values.ravel(), columns.ravel(), starts), shape=(len(x), total))
        return matrix.toarray() if own > FULL * total else matrix


def points_of(shape: Any) -> Array:
    """The points [m], (n, d), of whatever has some."""
    if isinstance(shape, Deformable):
        return shape.mesh.points
    if isinstance(shape, (Mesh, Surface)):
        return shape.points
    return points_given("Lattice", shape, expected="a mesh, a surface, a body, or finite points")


def _greville(knots: Array, degree: int) -> Array:
    """Where control points must stand for points to be where they are: means of knots."""
    count = len(knots) - degree - 1
    return np.array([knots[i + 1 : i + 1 + degree].mean() for i in range(count)])


def _accept_divisions(divisions: Any, dim: int) -> tuple[int, ...]:
    listed = isinstance(divisions, (Sequence, np.ndarray)) and not isinstance(divisions, str)
    given = tuple(divisions) if listed else ()
    if len(given) == 3 and dim == 2:
        given = given[:2]
    if len(given) != dim or not all(is_whole(n) and n >= 2 for n in given):
        raise ValueError(
            f"Lattice: got divisions={shown(divisions)}; expected {dim} whole numbers from 2, control "
            f"points along each axis, as in divisions={(4, 4, 4)[:dim]}"
        )
    return tuple(int(n) for n in given)


def _accept_box(box: Any, x: Array) -> Array:
    """Both corners, (2, d); along an axis on which points do not extend it is as wide as they are."""
    if box is None:
        low, high = x.min(axis=0), x.max(axis=0)
        size = float((high - low).max()) or 1.0
        flat = high - low <= 1e-12 * size
        return np.stack([np.where(flat, low - size, low), np.where(flat, high + size, high)])
    found = floats_or_nan(box)
    if found.shape != (2, x.shape[1]) or not (found[0] < found[1]).all():
        raise ValueError(
            f"Lattice: got box={described(box)}; expected the lowest and the highest corner [m], "
            f"shape (2, {x.shape[1]})"
        )
    return found
