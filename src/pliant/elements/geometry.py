"""Shape gradients and integration weights of the cells of a mesh."""

import numpy as np

from .element import Element
from .quadrature import Rule


def shape_gradients(
    points: np.ndarray,
    cells: np.ndarray,
    element: Element,
    *,
    thickness: float = 1.0,
    rule: Rule | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return dN_a/dX at each quadrature point and the weights that integrate over the cells.

        J = dX/dxi = sum_a X_a dN_a/dxi,   dN_a/dX = J^-T dN_a/dxi,   weight = w_q det J

    points: [m], shape (n, d); cells: (c, k). Returns gradients [1/m], shape (c, q, k, d), and
    weights [m^3], shape (c, q): in 2D areas times thickness [m], in 1D lengths times section [m^2].
    Source: [hughes2000] section 3.9. Raises ValueError on an inverted or degenerate cell.
    """
    rule = element.rule if rule is None else rule
    jacobian, weights = _jacobians(points, cells, element, thickness, rule)
    local = element.gradients(rule.points)
    inverse = np.broadcast_to(np.linalg.inv(jacobian), (*weights.shape, *jacobian.shape[2:]))
    return np.einsum("cqji,qaj->cqai", inverse, local), weights


def integration_weights(
    points: np.ndarray,
    cells: np.ndarray,
    element: Element,
    *,
    thickness: float = 1.0,
    rule: Rule | None = None,
) -> np.ndarray:
    """Return only the weights of `shape_gradients`.

    For lines in the plane or in space they are lengths times the section, which is `thickness` [m^2].
    """
    rule = element.rule if rule is None else rule
    if element.dim == 1 < np.shape(points)[-1]:
        ends = np.asarray(points, float)[cells]
        along = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        points = np.stack([np.zeros_like(along), along], axis=1).reshape(-1, 1)
        cells = np.arange(2 * len(along)).reshape(-1, 2)
    return _jacobians(points, cells, element, thickness, rule)[1]


def _jacobians(
    points: np.ndarray, cells: np.ndarray, element: Element, thickness: float, rule: Rule
) -> tuple[np.ndarray, np.ndarray]:
    """J at the quadrature points, at one only where it is constant, and all weights."""
    points, cells = _checked(points, cells, element)
    if element.dim < 3 and not thickness > 0:
        raise ValueError(f"got thickness={thickness}; expected thickness > 0, e.g. thickness=1.0")
    local = element.gradients(rule.points[:1] if element.is_simplex else rule.points)
    jacobian = np.einsum("cai,qaj->cqij", points[cells], local)
    volume = np.linalg.det(jacobian)
    # Relative to the edges of the cell: a sliver this thin has no usable inverse in float64.
    size = np.linalg.norm(jacobian, axis=(-2, -1)) ** element.dim
    bad = np.unique(np.nonzero(~(volume > 1e-12 * size))[0])
    if bad.size:
        raise ValueError(
            f"{element.name}: got {bad.size} inverted or degenerate of {len(cells)} cells, first "
            f"cell {bad[0]} with nodes {cells[bad[0]].tolist()}; expected positive volume. "
            f"Inside-out cells are repaired by cells[bad] = cells[bad][:, {list(element.mirrored)}]"
        )
    return jacobian, volume * rule.weights * (thickness if element.dim < 3 else 1.0)


def _checked(
    points: np.ndarray, cells: np.ndarray, element: Element
) -> tuple[np.ndarray, np.ndarray]:
    points, cells = np.asarray(points, float), np.asarray(cells)
    if points.ndim != 2 or points.shape[1] != element.dim:
        raise ValueError(
            f"{element.name}: got points of shape {points.shape}; expected (n, {element.dim})"
        )
    if cells.ndim != 2 or cells.shape[1] != element.n_nodes or cells.dtype.kind not in "iu":
        raise ValueError(
            f"{element.name}: got cells of shape {cells.shape} and type {cells.dtype}; "
            f"expected integers of shape (c, {element.n_nodes})"
        )
    if not np.all(np.isfinite(points)):
        first = np.nonzero(~np.isfinite(points).all(axis=1))[0][0]
        raise ValueError(f"got point {first} = {points[first]}; expected finite coordinates")
    if cells.size and (cells.min() < 0 or cells.max() >= len(points)):
        raise ValueError(
            f"{element.name}: got node indices {cells.min()} to {cells.max()}; expected 0 to "
            f"{len(points) - 1}, the rows of points"
        )
    return points, cells
