"""pliant: soft bodies that come to rest on cue."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import view as view
    from .bodies.cloth import Cloth as Cloth
    from .bodies.elastons import Elastons as Elastons
    from .bodies.example_based import ExampleBased as ExampleBased
    from .bodies.forms_curve import FormCurve as FormCurve
    from .bodies.forms_solid import FormSolid as FormSolid
    from .bodies.forms_surface import FormSurface as FormSurface
    from .bodies.impact import ImpactRods as ImpactRods
    from .bodies.preserving import Preserving as Preserving
    from .bodies.rod import Rod as Rod
    from .bodies.shell import Shell as Shell
    from .bodies.snake import Snake as Snake
    from .bodies.springs import Springs as Springs
    from .body import Body as Body
    from .damping import (
        ConditionDamping as ConditionDamping,
    )
    from .damping import (
        EnergyMinimising as EnergyMinimising,
    )
    from .damping import (
        IterativeSpringDamping as IterativeSpringDamping,
    )
    from .damping import (
        PointDamping as PointDamping,
    )
    from .damping import (
        Rayleigh as Rayleigh,
    )
    from .damping import (
        RelativeDamping as RelativeDamping,
    )
    from .damping import (
        Settle as Settle,
    )
    from .damping import (
        SpringDamping as SpringDamping,
    )
    from .damping import (
        StrainRate as StrainRate,
    )
    from .damping import (
        Undamped as Undamped,
    )
    from .errors import (
        ImpossibleWishError as ImpossibleWishError,
    )
    from .errors import (
        SolverError as SolverError,
    )
    from .errors import (
        UnstableError as UnstableError,
    )
    from .materials import (
        Corotated as Corotated,
    )
    from .materials import (
        FibreReinforced as FibreReinforced,
    )
    from .materials import (
        Linear as Linear,
    )
    from .materials import (
        NeoHookean as NeoHookean,
    )
    from .materials import (
        StableNeoHookean as StableNeoHookean,
    )
    from .materials import (
        StVenantKirchhoff as StVenantKirchhoff,
    )
    from .mesh import Mesh as Mesh
    from .mesh import MeshError as MeshError
    from .mesh import Surface as Surface
    from .mesh import generators as meshes
    from .obstacles import Capsule as Capsule
    from .obstacles import HalfSpace as HalfSpace
    from .obstacles import Sphere as Sphere
    from .scene import Scene as Scene
    from .stepping import (
        BDF2 as BDF2,
    )
    from .stepping import (
        XPBD as XPBD,
    )
    from .stepping import (
        AverageVelocity as AverageVelocity,
    )
    from .stepping import (
        ExplicitEuler as ExplicitEuler,
    )
    from .stepping import (
        Impact as Impact,
    )
    from .stepping import (
        Implicit as Implicit,
    )
    from .stepping import (
        LinearisedImplicit as LinearisedImplicit,
    )
    from .stepping import (
        Newmark as Newmark,
    )
    from .stepping import (
        QuasiStatic as QuasiStatic,
    )
    from .stepping import (
        RungeKutta4 as RungeKutta4,
    )
    from .stepping import (
        SymplecticEuler as SymplecticEuler,
    )
    from .take import Take as Take
    from .ties import Tie as Tie
    from .wind import Wind as Wind

__version__ = "0.1.0"

# Names are imported when first used: Warp and scipy alone take longer than an import should.
_HOMES = {
    ".body": ("Body",),
    ".bodies.cloth": ("Cloth",),
    ".bodies.elastons": ("Elastons",),
    ".bodies.forms_curve": ("FormCurve",),
    ".bodies.forms_solid": ("FormSolid",),
    ".bodies.forms_surface": ("FormSurface",),
    ".bodies.impact": ("ImpactRods",),
    ".bodies.example_based": ("ExampleBased",),
    ".damping": (
        "ConditionDamping",
        "EnergyMinimising",
        "IterativeSpringDamping",
        "PointDamping",
        "Rayleigh",
        "RelativeDamping",
        "Settle",
        "SpringDamping",
        "StrainRate",
        "Undamped",
    ),
    ".errors": (
        "ImpossibleWishError",
        "SolverError",
        "UnstableError",
    ),
    ".materials": (
        "Corotated",
        "FibreReinforced",
        "Linear",
        "NeoHookean",
        "StVenantKirchhoff",
        "StableNeoHookean",
    ),
    ".mesh": (
        "Mesh",
        "MeshError",
        "Surface",
    ),
    ".bodies.preserving": ("Preserving",),
    ".obstacles": ("Capsule", "HalfSpace", "Sphere"),
    ".scene": ("Scene",),
    ".bodies.rod": ("Rod",),
    ".bodies.shell": ("Shell",),
    ".bodies.snake": ("Snake",),
    ".bodies.springs": ("Springs",),
    ".stepping": (
        "AverageVelocity",
        "BDF2",
        "ExplicitEuler",
        "Impact",
        "Implicit",
        "LinearisedImplicit",
        "Newmark",
        "QuasiStatic",
        "RungeKutta4",
        "SymplecticEuler",
        "XPBD",
    ),
    ".take": ("Take",),
    ".ties": ("Tie",),
    ".wind": ("Wind",),
}
_MODULES = {"meshes": ".mesh.generators", "view": ".view"}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "BDF2",
    "XPBD",
    "AverageVelocity",
    "Body",
    "Capsule",
    "Cloth",
    "ConditionDamping",
    "Corotated",
    "Elastons",
    "EnergyMinimising",
    "ExampleBased",
    "ExplicitEuler",
    "FibreReinforced",
    "FormCurve",
    "FormSolid",
    "FormSurface",
    "HalfSpace",
    "Impact",
    "ImpactRods",
    "Implicit",
    "ImpossibleWishError",
    "IterativeSpringDamping",
    "Linear",
    "LinearisedImplicit",
    "Mesh",
    "MeshError",
    "NeoHookean",
    "Newmark",
    "PointDamping",
    "Preserving",
    "QuasiStatic",
    "Rayleigh",
    "RelativeDamping",
    "Rod",
    "RungeKutta4",
    "Scene",
    "Settle",
    "Shell",
    "Snake",
    "SolverError",
    "Sphere",
    "SpringDamping",
    "Springs",
    "StVenantKirchhoff",
    "StableNeoHookean",
    "StrainRate",
    "Surface",
    "SymplecticEuler",
    "Take",
    "Tie",
    "Undamped",
    "UnstableError",
    "Wind",
    "meshes",
    "view",
]


def _imported(name: str) -> Any:
    """A name of `__all__`, from where it lives."""
    if name in _MODULES:
        value: Any = import_module(_MODULES[name], __name__)
    elif name in _HOME:
        value = getattr(import_module(_HOME[name], __name__), name)
    else:
        raise AttributeError(f"module 'pliant' has no attribute {name!r}")
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # a type checker would take any name for one of ours
    __getattr__ = _imported


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES})
