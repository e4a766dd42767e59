"""The shape of cells whose surface is where it was put."""

import numpy as np
import scipy.sparse as sp
from places import mean, scatter
from scipy.sparse.linalg import cg, spsolve

from pliant.mesh.embedding import embed

#: How much more a surface that is missed counts than cells that stretch unevenly.
HOLD = 1e4


def start_shape(mesh, rest, start, *, spacing):
    """Points of the mesh [m] (n, 3) that bring the surface from `rest` to `start`.

    Minimises the integral of |grad u|^2 plus HOLD times the squared distances missed: inside, the
    displacement is harmonic, so that a turn or a stretch of the whole surface is one of every cell.
    """
    corners, weights = scatter(rest, spacing)
    nodes, shares = embed(mesh, mean(rest.points, corners, weights))
    target = mean(start.points, corners, weights)
    count, n = len(nodes), len(mesh)
    rows = np.repeat(np.arange(count), nodes.shape[1])
    held = sp.csr_matrix((shares.ravel(), (rows, nodes.ravel())), shape=(count, n))
    pull = HOLD * np.ptp(mesh.points, axis=0).max() / count
    left = _laplacian(mesh.points, mesh.cells["tet4"]) + pull * (held.T @ held)
    right = pull * (held.T @ (target - held @ mesh.points))
    return mesh.points + _solve(left.tocsr(), right)


def _solve(left, right):
    scaled = sp.diags(1.0 / left.diagonal())
    columns = []
    for column in right.T:
        found, unfinished = cg(left, column, rtol=1e-10, maxiter=2000, M=scaled)
        if unfinished:  # very uneven cells: slower, but certain
            return spsolve(left.tocsc(), right)
        columns.append(found)
    return np.stack(columns, axis=1)


def _laplacian(points, tets):
    corners = points[tets]
    edges = np.swapaxes(corners[:, 1:] - corners[:, :1], 1, 2)
    slopes = np.linalg.inv(edges)  # rows: gradients of the last three shape functions
    slopes = np.concatenate([-slopes.sum(axis=1, keepdims=True), slopes], axis=1)
    volume = np.abs(np.linalg.det(edges)) / 6.0
    local = np.einsum("t,tid,tjd->tij", volume, slopes, slopes)
    rows, columns = np.repeat(tets, 4, axis=1), np.tile(tets, (1, 4))
    shape = (len(points), len(points))
    return sp.csr_matrix((local.ravel(), (rows.ravel(), columns.ravel())), shape=shape)
