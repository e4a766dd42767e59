"""Meshes of every element and exact fields of linear elasticity, for tests of convergence."""

import numpy as np

import pliant as pl
from pliant.elements import ELEMENTS, by_name, shape_gradients
from pliant.elements.quadrature import conical, cube

KINDS = [name for name, element in ELEMENTS.items() if element.dim > 1]
QUADRATIC = [k for k in KINDS if by_name(k).degree == 2]
LINEAR_KIND = {"tri6": "tri3", "quad9": "quad4", "tet10": "tet4", "hex20": "hex8"}


def grid(kind, n, *, size=None, jitter=0.0, curve=0.0, seed=0):
    """A square or cube of n^d cells; corners inside shifted by up to `jitter` of a cell.

    Edges are straight; `curve` then shifts the inner nodes of quadratic cells as well.
    """
    dim = by_name(kind).dim
    size = (1.0,) * dim if size is None else size
    cells = (n,) * dim if np.ndim(n) == 0 else n
    make = pl.meshes.rectangle if dim == 2 else pl.meshes.box
    mesh = make(size, cells, kind=LINEAR_KIND.get(kind, kind))
    rng = np.random.default_rng(seed)
    step = min(s / c for s, c in zip(size, cells, strict=True))
    mesh = _shifted(mesh, jitter * step, rng)
    if kind in LINEAR_KIND:
        mesh = _shifted(pl.meshes.quadratic(mesh), curve * step, rng)
    return mesh


SPLIT = {
    "tri": [[0, 1, 2], [0, 2, 3]],
    "tet": [[0, 1, 2, 6], [0, 2, 3, 6], [0, 3, 7, 6], [0, 7, 4, 6], [0, 4, 5, 6], [0, 5, 1, 6]],
}


def slanted(kind, n, *, size=None):
    """Like `grid`, but every cell is cut along the same diagonal; quads and hexes stay whole.

    The generators cut neighbouring cells along mirrored diagonals, and such triangles and
    tetrahedra hardly lock: their constraints of volume are not independent. Meshes of scanned or
    drawn shapes have no such pattern.
    """
    simplex = by_name(kind).nodes.min() >= 0
    if not simplex:
        return grid(kind, n, size=size)
    shape, whole = ("tri", "quad4") if by_name(kind).dim == 2 else ("tet", "hex8")
    blocks = grid(whole, n, size=size)
    cells = np.concatenate([blocks.cells[whole][:, s] for s in SPLIT[shape]])
    mesh = pl.Mesh(blocks.points, {shape: cells})
    return pl.meshes.quadratic(mesh) if kind in LINEAR_KIND else mesh


def _shifted(mesh, by, rng):
    x = mesh.points.copy()
    inside = np.setdiff1d(np.arange(len(x)), mesh.boundary_points)
    x[inside] += by * rng.uniform(-1, 1, (len(inside), mesh.dim))
    return pl.Mesh(x, mesh.cells)


def field(X):
    """A displacement [m] whose body force is constant: grad of a harmonic function, and squares."""
    if X.shape[-1] == 2:
        x, y = X[..., 0], X[..., 1]
        e = 0.1 * np.exp(x)
        parts = [e * np.cos(y) + 0.05 * x**2, -e * np.sin(y) + 0.05 * y**2]
    else:
        a, b = 0.6, 0.8  # a^2 + b^2 = 1
        x, y, z = X[..., 0], X[..., 1], X[..., 2]
        e = 0.1 * np.exp(x)
        parts = [
            e * np.cos(a * y) * np.cos(b * z) + 0.05 * x**2,
            -a * e * np.sin(a * y) * np.cos(b * z) + 0.05 * y**2,
            -b * e * np.cos(a * y) * np.sin(b * z) + 0.05 * z**2,
        ]
    return np.stack(parts, axis=-1)


def field_gradient(X):
    """du_i/dX_j of `field` by complex steps, exact to rounding: (..., d, d)."""
    h, columns = 1e-30, []
    for j in range(X.shape[-1]):
        step = X.astype(complex)
        step[..., j] += 1j * h
        columns.append(field(step).imag / h)
    return np.stack(columns, axis=-1)


def body_force(material, dim):
    """-div sigma of `field` [N/m^3]: (lam + 2 mu) times minus the second derivatives, 0.1."""
    return np.full(dim, -0.1 * (material.lam + 2 * material.mu))


def errors(mesh, u, material):
    """L2 norm [m] and energy norm of the interpolated u minus `field`."""
    ((kind, cells),) = mesh.cells.items()
    element = by_name(kind)
    simplex = element.nodes.min() >= 0
    rule = conical(element.dim, 4) if simplex else cube(element.dim, 4)
    grads, weights = shape_gradients(mesh.points, cells, element, rule=rule)
    N = element.shape(rule.points)
    where = np.einsum("qa,cad->cqd", N, mesh.points[cells])
    miss = np.einsum("qa,cad->cqd", N, u[cells]) - field(where)
    slope = np.einsum("cai,cqaj->cqij", u[cells], grads) - field_gradient(where)
    strain = 0.5 * (slope + np.swapaxes(slope, -1, -2))
    trace = np.einsum("cqii->cq", strain)
    psi = material.mu * (strain**2).sum(axis=(2, 3)) + material.lam / 2 * trace**2
    return np.sqrt((weights * (miss**2).sum(axis=2)).sum()), np.sqrt((weights * psi).sum())


def order(sizes, errors):
    """The fitted exponent of errors over mesh sizes."""
    return np.polyfit(np.log(sizes), np.log(errors), 1)[0]
