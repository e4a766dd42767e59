"""pliant: soft bodies that come to rest on cue."""

from __future__ import annotations

import warp as _warp

# Warp's start-up banner is not ours to print. `quiet` was replaced by `log_level` in Warp 1.10.
_warp.config.quiet = True
_warp.config.log_level = 40

from .body import Body  # noqa: E402
from .damping import EnergyMinimising, Rayleigh, Settle, StrainRate, Undamped  # noqa: E402
from .errors import ImpossibleWishError, SolverError, UnstableError  # noqa: E402
from .materials import (  # noqa: E402
    Corotated,
    Linear,
    NeoHookean,
    StableNeoHookean,
    StVenantKirchhoff,
)
from .mesh import Mesh, MeshError  # noqa: E402
from .mesh import generators as meshes  # noqa: E402
from .scene import Scene  # noqa: E402
from .stepping import Implicit, QuasiStatic, SymplecticEuler  # noqa: E402
from .take import Take  # noqa: E402

__version__ = "0.1.0"

__all__ = [
    "Body",
    "Corotated",
    "EnergyMinimising",
    "Implicit",
    "ImpossibleWishError",
    "Linear",
    "Mesh",
    "MeshError",
    "NeoHookean",
    "QuasiStatic",
    "Rayleigh",
    "Scene",
    "Settle",
    "SolverError",
    "StVenantKirchhoff",
    "StableNeoHookean",
    "StrainRate",
    "SymplecticEuler",
    "Take",
    "Undamped",
    "UnstableError",
    "meshes",
]
