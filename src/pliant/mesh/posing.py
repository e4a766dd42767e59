"""The shape of a mesh whose surface is where it was put."""

from __future__ import annotations

import warnings
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import cg, splu, spsolve

from .arrays import Floats
from .cutting import cut
from .embedding import embed
from .errors import MeshError
from .scattering import half_a_cell, mean, scatter
from .surface import Surface

if TYPE_CHECKING:
    from .mesh import Mesh


#: How much more a surface that is missed counts than cells that stretch unevenly.
HOLD_STIFFNESS = 1e4


def pose(mesh: Mesh, surface: Surface, there: Floats) -> Floats:
    """Points of the mesh [m] (n, d) that bring a surface on its rest shape to `there` [m] (m, 3).

    The motion is the affine one nearest to what was asked, plus the displacement u that minimises

        integral |grad u|^2 dV + HOLD_STIFFNESS L^(d-2) mean |u(p) - missing(p)|^2

    over places p all over the surface; L is the size of the mesh. So affine motions are exact and what
    is inside is harmonic: it bends and stretches no more than the surface makes it. The elements are
    those of the heat equation; source: [hughes2000] 2.3 to 2.5. Folds finer than the cells cannot be
    followed, with a warning if that is by more than a cell; of a surface that is flat in 3D only the
    turn within its plane is seen.
    """
    return np.asarray(poses(mesh, surface, np.asarray(there, dtype=np.float64)[None])[0])


def poses(mesh: Mesh, surface: Surface, theres: Floats) -> Floats:
    """The same for several places of the surface, (k, m, 3): (k, n, d) [m]. What can be is done once."""
    theres = np.asarray(theres, dtype=np.float64)
    if theres.shape[1:] != surface.points.shape:
        raise MeshError(
            f"got {theres.shape[1]} points; the surface that is put there has {len(surface.points)}: "
            "expected the same surface with its points elsewhere, in the same order"
        )
    d = mesh.dim
    if d == 2 and np.abs(theres[..., 2]).max() > 1e-9 * np.abs(theres).max():
        raise MeshError(
            f"got points up to z = {np.abs(theres[..., 2]).max():.3g} m; the body is 2D: expected the "
            "plane z = 0"
        )
    here, theres = surface.points[:, :d], theres[..., :d]
    spacing = half_a_cell(mesh)
    corners, weights = scatter(here, surface.corners[surface.triangles], spacing)
    places = mean(here, corners, weights)
    carried, shown = _means(mesh, places), _means(mesh, here)
    pull = HOLD_STIFFNESS * float(np.ptp(mesh.points, axis=0).max()) ** (d - 2) / len(places)
    left = (_laplacian(mesh) + pull * (carried.T @ carried)).tocsr()
    # Factors are worth their time for more than one.
    solve = partial(_solve, left) if len(theres) == 1 else splu(left.tocsc()).solve
    found = np.empty((len(theres), len(mesh), d))
    missed = np.zeros(len(here))
    for k, there in enumerate(theres):
        target = mean(there, corners, weights)
        x = _nearest_affine(places, target, mesh.points)
        found[k] = x + solve(pull * (carried.T @ (target - carried @ x)))
        missed = np.maximum(missed, np.linalg.norm(shown @ found[k] - there, axis=1))
    _warn_missed(missed, 2.0 * spacing)
    return found


def _means(mesh: Mesh, places: Floats) -> sp.csr_matrix:
    """The matrix (s, n) that takes points of the mesh to places that it carries."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # that some are outside was said when the surface was put on
        nodes, shares = embed(mesh, places)
    rows = np.repeat(np.arange(len(nodes)), nodes.shape[1])
    shape = (len(nodes), len(mesh))
    return sp.csr_matrix((shares.ravel(), (rows, nodes.ravel())), shape=shape)


def _nearest_affine(here: Floats, there: Floats, points: Floats) -> Floats:
    """Points after the affine motion that brings places nearest to where they should be."""
    middle = here.mean(axis=0)
    away = np.column_stack([here - middle, np.ones(len(here))])
    # Of the displacement, so that directions the places do not tell stay as they are.
    slope = np.linalg.lstsq(away, there - here, rcond=1e-9)[0]
    return np.asarray(points + np.column_stack([points - middle, np.ones(len(points))]) @ slope)


def _laplacian(mesh: Mesh) -> sp.csr_matrix:
    """The matrix (n, n) of the integral of |grad u|^2, u being linear in each simplex of the cells."""
    simplices = cut(mesh)
    d = mesh.dim
    edges = np.swapaxes(simplices.corners[:, 1:] - simplices.corners[:, :1], 1, 2)
    slopes = np.linalg.inv(edges)  # rows: gradients of the last d shape functions
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
    volume = np.abs(np.linalg.det(edges)) / (2.0 if d == 2 else 6.0)
    every = np.arange(len(slopes))
    slopes = np.einsum(
        "svc,svd->scd", simplices.means_of(every), slopes
    )  # corners are means of nodes
    local = np.einsum("s,sid,sjd->sij", volume, slopes, slopes)
    nodes = simplices.nodes_of(every)
    rows, columns = np.repeat(nodes, nodes.shape[1], axis=1), np.tile(nodes, (1, nodes.shape[1]))
    shape = (len(mesh), len(mesh))
    return sp.csr_matrix((local.ravel(), (rows.ravel(), columns.ravel())), shape=shape)


def _solve(left: sp.csr_matrix, right: Floats) -> Floats:
    scaled = sp.diags(1.0 / left.diagonal())
    columns = []
    for column in right.T:
        found, unfinished = cg(left, column, rtol=1e-10, maxiter=2000, M=scaled)
        if unfinished:  # very uneven cells: slower, but certain
            return np.asarray(spsolve(left.tocsc(), right))
        columns.append(found)
    return np.stack(columns, axis=1)


def _warn_missed(missed: Floats, cell: float) -> None:
    far = missed > cell
    if far.any():
        warnings.warn(
            f"{far.sum()} of {len(missed)} points of the surface are missed by more than a cell, up to "
            f"{missed.max():.3g} m; smaller cells follow finer folds",
            stacklevel=3,
        )
