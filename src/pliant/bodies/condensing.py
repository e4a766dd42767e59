"""The compliance of bodies of finite elements."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from pliant.compliance import CondensedCompliance
from pliant.mesh import Skin, Surface
from pliant.reduced import RestStiffness

from .deformable import Deformable


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
    loaded = gravity is not None or bool(body.loads)
    x = body.rest_shape(gravity) if loaded else body.pin_positions(0.0, mesh.points)
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
