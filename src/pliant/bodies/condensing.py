"""The compliance of bodies of finite elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.compliance import CondensedCompliance
from pliant.mesh import Skin, Surface
from pliant.reduced import RestStiffness

from .deformable import Deformable


def rest_for_touch(body: Deformable, gravity: Any) -> np.ndarray:
    """The rest shape [m] under gravity [m/s^2] and loads; the mesh's own points if it is that."""
    points, pinned = body.mesh.points, body.pinned
    at_home = np.array_equal(body.pin_positions(0.0)[pinned], points[pinned])
    return points if at_home and gravity is None and not body.loads else body.rest_shape(gravity)


def condensed(body: Deformable, gravity: Any = None) -> CondensedCompliance:
    """K^-1 of a held solid on its surface, about its rest shape under gravity [m/s^2] and its loads."""
    mesh, system = body.mesh, body.system()
    if mesh.cell_dim != 3 or mesh.dim != 3:
        raise ValueError(
            f"{body.name}: got {mesh!r}; expected a solid of tetrahedra or hexahedra to touch"
        )
    if system.rank:
        raise ValueError(
            f"{body.name}: no pins hold it, and a touch would push it away; expected a body that is "
            "held, as by body.fix(mesh.points[:, 2] < 1e-9)"
        )
    x = rest_for_touch(body, gravity)
    matrix = system.stiffness(x)
    if not sp.issparse(matrix):
        raise ValueError(
            f"{body.name}: got {type(body).__name__}, whose cells all act on each other; expected a "
            "pl.Body of one material"
        )
    free = system.free
    masses = np.repeat(system.masses[free], 3)
    stiffness = RestStiffness(matrix, masses, x[free], np.zeros((len(masses), 0)))
    bare = Skin.bare(mesh)
    points, faces = bare.nodes[:, 0], bare.surface
    return CondensedCompliance(
        stiffness, x, free, points, Surface(x[points], faces.sizes, faces.corners)
    )
