"""Second derivatives at the points of a surface, from the points around them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.spatial import cKDTree

from pliant.errors import Advice
from pliant.mesh import KINDS, Mesh

from .balance import balanced, flat
from .cells import tangents

#: A quadratic through a point has five coefficients; fits worse than this know not all of them.
CONDITION = 1e4


@dataclass(frozen=True)
class PointTerms:
    """Points where x,1 x,2 x,11 x,22 x,12 are known, each by itself and those around it."""

    stencils: np.ndarray  # (terms, k), short ones padded with their own point
    operators: np.ndarray  # (terms, 5, k)
    sizes: np.ndarray  # area around each [m^2], (terms,)
    rim: np.ndarray  # the term nearest to each point of the rim
    rim_sizes: np.ndarray  # area around that point [m^2]
    rim_along: np.ndarray  # its direction in the tangents of that term, (rim, 2)


def point_terms(mesh: Mesh, what: str) -> PointTerms:
    """The terms of all points inside a surface, and those that are nearest to its rim.

        x(u, v) ~ x_0 + x,1 u + x,2 v + x,11 u^2/2 + x,22 v^2/2 + x,12 u v

    is fitted to the points of the cells around x_0, the nearer the closer (weights 1/r^4), over the
    plane that touches the surface there at rest, and `balanced`. On a square grid these are nearly
    centred differences.
    """
    normals, areas = _normals_and_areas(mesh, what)
    inside = np.ones(len(mesh), dtype=bool)
    inside[mesh.boundary_points] = False
    centres = np.flatnonzero(inside)
    if not len(centres):
        raise ValueError(
            Advice(
                f"{what}: got {mesh!r}, all of whose points are on its rim; expected points inside, "
                "which have a curvature, as in ",
                'pl.meshes.rectangle((1, 1), (4, 4), kind="quad")',
                'rectangle = { cells = [4, 4], kind = "quad" }',
            )
        )
    axes = tangents(normals[centres])
    around = _neighbours(mesh)
    stencils, operators = _stencils(mesh.points, around, centres, axes, what)
    uv = (mesh.points[stencils] - mesh.points[centres][:, None]) @ axes
    free = (around @ ~inside == 0) & flat(axes, stencils, len(mesh))
    operators = balanced(mesh.points, uv, stencils, operators, areas[centres], free)
    rim = mesh.boundary_points
    nearest = np.zeros(0, dtype=int)
    if len(rim):
        nearest = cKDTree(mesh.points[centres]).query(mesh.points[rim])[1]
    along = np.einsum("rij,ri->rj", axes[nearest], _rim_directions(mesh)[rim])
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
    return PointTerms(stencils, operators, areas[centres], nearest, areas[rim], along)


def _stencils(
    points: np.ndarray, around: sp.csr_matrix, centres: np.ndarray, axes: np.ndarray, what: str
) -> tuple[np.ndarray, np.ndarray]:
    """The points around each centre, and the derivatives there as sums over them."""
    further = (around @ around).tocsr()
    rows = []
    for p, frame in zip(centres, axes, strict=True):
        near, fit, quality = _fit(points, p, around, frame)
        if quality > CONDITION:
            near, fit, quality = _fit(points, p, further, frame)
        if quality > CONDITION:
            raise ValueError(
                f"{what}: the {len(near)} points around point {p} do not tell its curvature; expected a "
                "finer mesh, or curvature=0.0"
            )
        rows.append((near, fit))
    width = 1 + max(len(near) for near, _ in rows)
    stencils = np.repeat(centres[:, None], width, axis=1)
    operators = np.zeros((len(centres), 5, width))
    for t, (near, fit) in enumerate(rows):
        stencils[t, 1 : 1 + len(near)] = near
        operators[t, :, 1 : 1 + len(near)] = fit
    operators[:, :, 0] = -operators[:, :, 1:].sum(axis=2)
    return stencils, operators


def _fit(
    points: np.ndarray, p: int, around: sp.csr_matrix, frame: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """The points around p, the five derivatives as sums over them, and how ill they are known."""
    near = around.indices[around.indptr[p] : around.indptr[p + 1]]
    near = near[near != p]
    u, v = ((points[near] - points[p]) @ frame).T
    size = np.sqrt((u * u + v * v).mean())
    u, v = u / size, v / size
    columns = np.stack([u, v, u * u / 2, v * v / 2, u * v], axis=1)
    weight = 1.0 / (u * u + v * v)
    weighted = weight[:, None] * columns
    values = np.linalg.svd(weighted, compute_uv=False)
    quality = np.inf if len(values) < 5 or values[-1] == 0.0 else values[0] / values[-1]
    fit = np.linalg.pinv(weighted) * weight
    return near, fit / np.array([size, size, size**2, size**2, size**2])[:, None], float(quality)


def _normals_and_areas(mesh: Mesh, what: str) -> tuple[np.ndarray, np.ndarray]:
    """Normals of the points, of any length, and the area of the cells around each [m^2]."""
    normals, areas = np.zeros((len(mesh), 3)), np.zeros(len(mesh))
    up = np.zeros((len(mesh), 3))  # the normal of one of the cells, whose side the others take
    for kind, cells in mesh.cells.items():
        x = mesh.points[cells]
        last = KINDS[kind].corners - 1
        # Two sides of a triangle, the diagonals of a quad.
        normal = np.cross(x[:, last - 1] - x[:, 0], x[:, last] - x[:, last - 2])[:, None]
        up[cells] = np.where(up[cells].any(axis=2, keepdims=True), up[cells], normal)
        same = np.sign((normal * up[cells]).sum(axis=2, keepdims=True))
        np.add.at(normals, cells, same * normal)
        np.add.at(areas, cells, (mesh.measures[kind] / (last + 1))[:, None])
    torn = np.linalg.norm(normals, axis=1) < 1e-3 * areas
    if torn.any():
        raise ValueError(
            f"{what}: the cells around point {int(np.argmax(torn))} are folded back on each other; "
            "expected a surface that has a tangent plane everywhere"
        )
    return normals, areas


def _neighbours(mesh: Mesh) -> sp.csr_matrix:
    """Which points share a cell, as a matrix of ones."""
    found = sp.csr_matrix((len(mesh), len(mesh)))
    for cells in mesh.cells.values():
        count, k = cells.shape
        of = sp.csr_matrix(
            (np.ones(count * k), (np.repeat(np.arange(count), k), np.asarray(cells).ravel())),
            shape=(count, len(mesh)),
        )
        found = found + of.T @ of
    return found.tocsr()


def _rim_directions(mesh: Mesh) -> np.ndarray:
    """The direction of the rim at its points, of any length and either sense, (n, 3).

    That from the one neighbour along the rim to the other.
    """
    out = np.zeros((len(mesh), 3))
    lines = np.concatenate([*mesh.boundary.values(), np.zeros((0, 2), dtype=int)])
    here, other = np.concatenate([lines, lines[:, ::-1]]).T
    order = np.argsort(here, kind="stable")
    here, other = here[order], other[order]
    nth = np.arange(len(here)) - np.searchsorted(here, here)
    sign = np.where(nth % 2, 1.0, -1.0)
    np.add.at(out, here, sign[:, None] * (mesh.points[other] - mesh.points[here]))
    return out
