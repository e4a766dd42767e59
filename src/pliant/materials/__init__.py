"""Energy density of the deformation gradient: F -> psi, P, dP/dF."""

from pliant.materials.base import Functions, Material
from pliant.materials.corotated import Corotated
from pliant.materials.fibre_reinforced import FibreReinforced
from pliant.materials.linear import Linear
from pliant.materials.neo_hookean import NeoHookean
from pliant.materials.projection import projected_tangent
from pliant.materials.st_venant_kirchhoff import StVenantKirchhoff
from pliant.materials.stable_neo_hookean import StableNeoHookean

__all__ = [
    "Corotated",
    "FibreReinforced",
    "Functions",
    "Linear",
    "Material",
    "NeoHookean",
    "StVenantKirchhoff",
    "StableNeoHookean",
    "projected_tangent",
]
