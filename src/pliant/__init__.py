"""pliant: soft bodies that come to rest on cue."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import moved
from .bodies import HOMES as _BODIES, RENAMED as _RENAMED

if TYPE_CHECKING:
    from . import haptics as haptics, shape as shape, view as view
    from .bodies import *  # noqa: F403
    from .bodies import Body as Body
    from .boundary import (
        Capsule as Capsule,
        Contact as Contact,
        HalfSpace as HalfSpace,
        Keyframes as Keyframes,
        MeshObstacle as MeshObstacle,
        Sphere as Sphere,
        Wind as Wind,
    )
    from .control import *  # noqa: F403
    from .errors import (
        ImpossibleWishError as ImpossibleWishError,
        SolverError as SolverError,
        UnstableError as UnstableError,
    )
    from .io import Cache as Cache
    from .many import (
        CMAES as CMAES,
        LBFGS as LBFGS,
        Annealing as Annealing,
        GaussNewton as GaussNewton,
        PointTracks as PointTracks,
        Sweep as Sweep,
        fit as fit,
        fit_wish as fit_wish,
    )
    from .materials import *  # noqa: F403
    from .materials import Plastic as Plastic, Tear as Tear
    from .mesh import (
        Mesh as Mesh,
        MeshError as MeshError,
        Surface as Surface,
        generators as meshes,  # noqa: F401
    )
    from .responses import Excite as Excite, Responses as Responses
    from .scene import Scene as Scene, Tie as Tie
    from .step import (
        BDF2 as BDF2,
        XPBD as XPBD,
        AverageVelocity as AverageVelocity,
        ExplicitEuler as ExplicitEuler,
        Impact as Impact,
        Implicit as Implicit,
        LinearisedImplicit as LinearisedImplicit,
        Newmark as Newmark,
        QuasiStatic as QuasiStatic,
        RungeKutta4 as RungeKutta4,
        SymplecticEuler as SymplecticEuler,
    )
    from .take import Take as Take
    from .touch import Probe as Probe

__version__ = "0.1.0"

moved.install()

# Names are imported when first used: Warp and scipy alone take longer than an import should.
_HOMES = {
    ".bodies": ("Body",),
    ".boundary": ("Capsule", "Contact", "HalfSpace", "Keyframes", "MeshObstacle", "Sphere", "Wind"),
    ".errors": ("ImpossibleWishError", "SolverError", "UnstableError"),
    ".many": (
        "Annealing",
        "CMAES",
        "GaussNewton",
        "LBFGS",
        "PointTracks",
        "Sweep",
        "fit",
        "fit_wish",
    ),
    ".io": ("Cache",),
    ".materials": ("Plastic", "Tear"),
    ".mesh": ("Mesh", "MeshError", "Surface"),
    ".responses": ("Excite", "Responses"),
    ".scene": ("Scene", "Tie"),
    ".step": (
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
    ".touch": ("Probe",),
}
_MODULES = {"haptics": ".haptics", "meshes": ".mesh.generators", "shape": ".shape", "view": ".view"}
_HOME = {name: home for home, names in _HOMES.items() for name in names}
_HOME |= {name: f".bodies.{home}" for name, home in _BODIES.items()}


def _found() -> dict[str, Any]:
    """Materials and dampings, which their packages export."""
    from .kinds import DAMPINGS, MATERIALS

    return {c.__name__: c for sort in (MATERIALS, DAMPINGS) for c in sort.own().values()}


def _imported(name: str) -> Any:
    """A name of `__all__`, from where it lives."""
    if name in _MODULES:
        value: Any = import_module(_MODULES[name], __name__)
    elif name in _HOME:
        value = getattr(import_module(_HOME[name], __name__), name)
    elif name == "__all__":
        value = sorted({*_HOME, *_MODULES, *_found()})
    elif name in _RENAMED:
        from .errors import renamed

        renamed(f"pl.{name}", f"pl.{_RENAMED[name]}")
        return _imported(_RENAMED[name])
    elif f"pliant.{name}" in moved.HOMES:
        value = import_module(f"pliant.{name}")
    else:
        value = None if name.startswith("_") else _found().get(name)
        if value is None:
            raise AttributeError(f"module 'pliant' has no attribute {name!r}")
    globals()[name] = value
    return value


if not TYPE_CHECKING:  # a type checker would take any name for one of ours
    __getattr__ = _imported


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME, *_MODULES, *_found()})
