"""What may be asked of elastons."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import is_finite
from pliant.mesh import Mesh
from pliant.mesh.kinds import KINDS

#: What elastons can be sampled from.
CELLS = ("line2", "tri3", "quad4", "tet4", "hex8")


def check_mesh(mesh: Any) -> None:
    """Refuse what elastons cannot be sampled from."""
    if not isinstance(mesh, Mesh):
        raise TypeError(f"Elastons: got mesh of type {type(mesh).__name__}; expected pl.Mesh")
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


def check_matter(young: Any, poisson: Any, density: Any, support: Any) -> None:
    """Refuse numbers that no material has."""
    for what, value, unit in (
        ("young", young, " [Pa]"),
        ("density", density, " [kg/m^3]"),
        ("support", support, ""),
    ):
        if not (is_finite(value) and value > 0.0):
            raise ValueError(f"Elastons: got {what}={value!r}; expected more than 0{unit}")
    if not (is_finite(poisson) and -1.0 < poisson < 0.5):
        raise ValueError(
            f"Elastons: got poisson={poisson!r}; expected more than -1 and less than 0.5"
        )


def cross_section(mesh: Mesh, thickness: Any) -> np.ndarray:
    """Lengths across the body [m]: two of a rod, one of a shell, none of a solid."""
    wanted = 3 - mesh.cell_dim
    if wanted == 0:
        if thickness is not None:
            raise ValueError(f"Elastons: got thickness={thickness!r} for a solid; expected None")
        return np.zeros(0)
    what = {1: "one number", 2: "one number or two"}[wanted]
    try:
        given = np.asarray(thickness, dtype=float)
        across = np.array(np.broadcast_to(given, (wanted,)))
    except (TypeError, ValueError):
        across = np.full(wanted, np.nan)
    if not (np.isfinite(across) & (across > 0.0)).all():
        raise ValueError(
            f"Elastons: got thickness={thickness!r}; expected {what} above 0 [m], as in thickness=0.01"
        )
    return across


def upward(mesh: Mesh, up: Any) -> np.ndarray:
    """The direction that the second thickness of a rod is measured along."""
    if mesh.cell_dim != 1:
        if up is not None:
            raise ValueError(
                f"Elastons: got up={up!r}; expected None: only rods have a direction up"
            )
        return np.array([0.0, 0.0, 1.0])
    ends = mesh.points[mesh.cells["line2"]]
    along = ends[:, 1] - ends[:, 0]
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    if up is None:
        return np.eye(3)[int(np.abs(along).max(axis=0)[::-1].argmin() * -1 + 2)]
    try:
        given = np.asarray(up, dtype=float)
        good = given.shape == (3,) and np.isfinite(given).all() and given.any()
    except (TypeError, ValueError):
        good = False
    if not good:
        raise ValueError(f"Elastons: got up={up!r}; expected a direction, as in up=(0, 0, 1)")
    unit = given / np.linalg.norm(given)
    if np.abs(along @ unit).max() > 0.999:
        raise ValueError(f"Elastons: got up={up!r}, which the rod runs along; expected it across")
    return unit
