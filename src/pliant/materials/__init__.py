"""Energy density of the deformation gradient: F -> psi, P, dP/dF.

A material is one file here and one line below; scene files, docs, laboratory and law tests find it.
It declares its parameters, and has functions of Warp for energy, stress and tangent. It knows
nothing of cells.
"""

from typing import TYPE_CHECKING

from pliant.declared import exported

from .base import Functions as Functions, Material as Material
from .corotated import Corotated as Corotated
from .fibre_reinforced import FibreReinforced as FibreReinforced
from .hencky import Hencky as Hencky
from .invariants import invariants as invariants
from .linear import Linear as Linear
from .neo_hookean import NeoHookean as NeoHookean
from .plastic import Plastic as Plastic
from .plastic_law import plastic_functions as plastic_functions, plastic_tangent as plastic_tangent
from .projection import projected_tangent as projected_tangent
from .rotation import (
    lever_type as lever_type,
    nearest_rotation as nearest_rotation,
    rotation_and_lever as rotation_and_lever,
)
from .st_venant_kirchhoff import StVenantKirchhoff as StVenantKirchhoff
from .stable_neo_hookean import StableNeoHookean as StableNeoHookean
from .tangent import flattened as flattened
from .tear import Tear as Tear

if not TYPE_CHECKING:  # type checkers read the lines above
    __all__ = exported(globals())
