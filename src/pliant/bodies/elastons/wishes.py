"""What may be asked of elastons."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import LARGEST, SMALLEST, shown
from pliant.given import floats, floats_or_nan, unit_vectors
from pliant.mesh import KINDS, Mesh

#: What elastons can be sampled from.
CELLS = ("line2", "tri3", "quad4", "tet4", "hex8")
#: A cosine, beyond which a rod runs along a direction.
LEVEL = 0.999


def check_mesh(mesh: Mesh) -> None:
    """Refuse what elastons cannot be sampled from."""
    if mesh.dim != 3:
        raise ValueError(
            f"Elastons: got {mesh!r}; expected points in 3D. A sheet of the plane gets there with "
            "pl.Mesh(np.insert(sheet.points, 2, 0.0, axis=1), sheet.cells)"
        )
    if not set(mesh.cells) <= set(CELLS):
        raise ValueError(f"Elastons: got {mesh!r}; expected cells of {', '.join(CELLS)}")
    if len({KINDS[kind].dim for kind in mesh.cells}) > 1:
        raise ValueError(
            f"Elastons: got {mesh!r}; expected cells of one dimension: a body each for curves, surfaces "
            "and volumes"
        )


def cross_section(mesh: Mesh, thickness: Any) -> np.ndarray:
    """Lengths across the body [m]: two of a rod, one of a shell, none of a solid."""
    wanted = 3 - mesh.cell_dim
    if wanted == 0:
        if thickness is not None:
            raise ValueError(
                f"Elastons: got thickness={shown(thickness)} for a solid; expected None, or for "
                "samples of a surface dimension=2"
            )
        return np.zeros(0)
    what, whom = {1: ("one number", "shell"), 2: ("one number or two", "rod")}[wanted]
    try:
        given = floats(thickness)
        across = np.array(np.broadcast_to(given, (wanted,)))
    except (TypeError, ValueError):
        across = np.full(wanted, np.nan)
    if not ((across >= SMALLEST) & (across <= LARGEST)).all():
        raise ValueError(
            f"Elastons: got thickness={shown(thickness)}; expected {what} above 0 [m] for a "
            f"{whom}, as in thickness=0.01; for samples of a volume dimension=3"
        )
    return across


def upward(mesh: Mesh, up: Any) -> np.ndarray:
    """The direction that the second thickness of a rod is measured along."""
    if mesh.cell_dim != 1:
        if up is not None:
            raise ValueError(
                f"Elastons: got up={shown(up)}; expected None: only rods have a direction up"
            )
        return np.array([0.0, 0.0, 1.0])
    ends = mesh.points[mesh.cells["line2"]]
    along = ends[:, 1] - ends[:, 0]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    if up is None:
        axes = np.eye(3)[::-1]
        if np.abs(along @ axes.T).max(axis=0).min() > LEVEL:  # it runs along each of them somewhere
            axes = np.random.default_rng(0).standard_normal((100, 3))
            axes /= np.linalg.norm(axes, axis=1, keepdims=True)
        return np.asarray(axes[np.abs(along @ axes.T).max(axis=0).argmin()])
    given = floats_or_nan(up)
    if given.shape != (3,) or not (np.isfinite(given).all() and given.any()):
        raise ValueError(f"Elastons: got up={shown(up)}; expected a direction, as in up=(0, 0, 1)")
    direction = unit_vectors(given)
    if np.abs(along @ direction).max() > LEVEL:
        raise ValueError(
            f"Elastons: got up={shown(up)}, which the rod runs along; expected it across"
        )
    return direction
