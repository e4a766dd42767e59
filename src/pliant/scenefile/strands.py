"""Meshes of lines: `line = { a, b, cells }`, several `lines`, and `curve = { points | at, ... }`."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field, StrictBool, model_validator

from pliant.mesh import Mesh
from pliant.resources import require_memory

from .expressions import Expression
from .fields import Count, Numbers, PerAxis, Quantity, Table, Vector, Vectors, refuse


class Line(Table):
    """A straight line of lines."""

    a: Vector = Field(description="where it begins [m]")
    b: Vector = Field(description="where it ends [m]")
    cells: Count = Field(16, description="lines along it")

    @model_validator(mode="after")
    def _has_a_length(self) -> Line:
        if len(self.a) != len(self.b):
            refuse(f"{len(self.a)} numbers, as a has", field="b")
        if self.a == self.b:
            refuse("another place than a", field="b")
        return self

    def make(self) -> Mesh:
        """The mesh."""
        require_lines(self.cells)
        share = np.linspace(0.0, 1.0, self.cells + 1)[:, None]
        return joined((1.0 - share) * np.array(self.a) + share * np.array(self.b), closed=False)


#: A curve: an expression of t, or a number, per axis.
PLACES = PerAxis(
    ("t",),
    like='["0.1*cos(t)", "0.1*sin(t)", "-0.05*t"]',
    says="an expression of t per axis [m]",
    parts="numbers or expressions of t [m]",
)


class CurveMesh(Table):
    """A curve of lines: through points, or by expressions of a parameter t."""

    points: Vectors | None = Field(None, description="its points in order [m]")
    at: Annotated[tuple[Any, ...], PLACES] | None = Field(
        None,
        description="where it is [m] at the parameter t: numbers or expressions of t, per axis",
    )
    t: Annotated[tuple[float, ...], Numbers(each=Quantity(), counts=(2,), like="[0, 1]")] = Field(
        (0.0, 1.0), description="first and last value of t [-], beside `at`"
    )
    cells: Count = Field(32, description="lines along it, beside `at`")
    closed: StrictBool = Field(
        False,
        description="whether the last point is joined to the first; `at` then ends where it began",
    )

    @model_validator(mode="after")
    def _one_way(self) -> CurveMesh:
        if (self.points is None) == (self.at is None):
            got = "has both points and at" if self.at is not None else "has no points"
            refuse("points = [[0, 0, 0], ...] or at = [...] with t and cells", got=got)
        if self.points is not None:
            for name in sorted({"t", "cells"} & self.model_fields_set):
                refuse("it beside at = [...] only", field=name, got="is given")
            if len({len(p) for p in self.points}) > 1:
                refuse("2 numbers in all of them, or 3", field="points")
        least = 3 if self.closed else 2
        if len(self.points or ()) < least and self.points is not None:
            refuse(f"{least} points or more", field="points", got=f"has {len(self.points)}")
        if self.at is not None and self.cells < least - (not self.closed):
            refuse(f"{least} or more of a closed curve", field="cells")
        if self.t[0] == self.t[1]:
            refuse("two different values", field="t")
        return self

    def make(self) -> Mesh:
        """The mesh."""
        if self.points is not None:
            return joined(np.array(self.points), closed=self.closed)
        assert self.at is not None
        require_lines(self.cells)
        t = np.linspace(self.t[0], self.t[1], self.cells + 1)
        t = t[:-1] if self.closed else t  # then the last place is the first
        rows = [
            np.broadcast_to(Expression(p, ("t",))({"t": t}) if isinstance(p, str) else p, t.shape)
            for p in self.at
        ]
        points = np.stack(rows, axis=1).astype(float)
        bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
        if len(bad):
            raise ValueError(f"the curve is not finite at t = {t[bad[0]]:.6g}")
        return joined(points, closed=self.closed)


def require_lines(cells: int) -> None:
    """Refuse more lines than this machine has memory for."""
    require_memory(f"a mesh of {cells:.3g} lines", 200.0 * cells, "fewer: cells = 100")


def joined(points: np.ndarray, *, closed: bool) -> Mesh:
    """Points (n, d) joined by lines in their order."""
    n = len(points)
    if np.abs(points[-1] - points[0]).max() <= 1e-9 * np.ptp(points, axis=0).max():
        fix = "points without the last" if closed else "closed = true (points without the last)"
        raise ValueError(f"the curve ends where it began; expected {fix}")
    first = np.arange(n if closed else n - 1)
    return Mesh(points, {"line2": np.stack([first, (first + 1) % n], axis=1)})


def together(strands: list[Mesh]) -> Mesh:
    """Several meshes of lines as one, joined where they have a point in common."""
    dims = sorted({strand.dim for strand in strands})
    if len(dims) > 1:
        raise ValueError("some lines are 2D and some 3D; expected 2 numbers in all of them, or 3")
    first = np.cumsum([0, *(len(strand) for strand in strands[:-1])])
    cells = [n + np.asarray(s.cells["line2"]) for n, s in zip(first, strands, strict=True)]
    points = np.concatenate([strand.points for strand in strands])
    near = np.round(points / (1e-9 * np.ptp(points, axis=0).max()))
    _, kept, into = np.unique(near, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(kept)  # as they come
    rank = np.argsort(order)[into.ravel()]
    return Mesh(points[kept[order]], {"line2": rank[np.concatenate(cells)]})
