"""What a user names: bodies, one folder for each model.

A model is a folder here, and two lines below; scene files, schema, docs and laws find it.
`Deformable` is what all of them share: it has the mesh, the pins, loads and obstacles, the damping,
and the state.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .body_kind import LINEAR_CELLS as LINEAR_CELLS
    from .boundary_elements import (
        BoundaryElements as BoundaryElements,
        SurfaceAnswer as SurfaceAnswer,
    )
    from .cloth import Cloth as Cloth
    from .constraint import ConstraintBody as ConstraintBody
    from .cues import Cues as Cues
    from .cuttable import Cuttable as Cuttable
    from .deformable import Deformable as Deformable
    from .elastons import Elastons as Elastons
    from .example import ExampleBased as ExampleBased
    from .forms import FormCurve as FormCurve, FormSolid as FormSolid, FormSurface as FormSurface
    from .impact import ImpactRods as ImpactRods
    from .long_elements import LongElements as LongElements
    from .modal import Modal as Modal, Subspace as Subspace, SubspaceReport as SubspaceReport
    from .rod import Rod as Rod
    from .shell import Shell as Shell
    from .snake import Snake as Snake
    from .solid import Body as Body
    from .springs import Springs as Springs
    from .thin import Thin as Thin

#: Where each is, in the order of messages. They are imported when first used.
HOMES = {
    "Springs": "springs",
    "Cloth": "cloth",
    "Shell": "shell",
    "Rod": "rod",
    "ConstraintBody": "constraint",
    "Elastons": "elastons",
    "FormCurve": "forms",
    "FormSurface": "forms",
    "FormSolid": "forms",
    "ImpactRods": "impact",
    "ExampleBased": "example",
    "LongElements": "long_elements",
    "BoundaryElements": "boundary_elements",
    "Modal": "modal",
    "Subspace": "modal",
    "Snake": "snake",
}
#: The solid has its own table in scene files; the rest is shared by models.
SHARED = {
    "Body": "solid",
    "Cues": "cues",
    "Deformable": "deformable",
    "LINEAR_CELLS": "body_kind",
    "SubspaceReport": "modal",
    "SurfaceAnswer": "boundary_elements",
    "Cuttable": "cuttable",
    "Thin": "thin",
}

#: Old names and new ones.
RENAMED = {"Preserving": "ConstraintBody"}


def __getattr__(name: str) -> Any:
    if name in RENAMED:
        from pliant.errors import renamed

        renamed(f"pliant.{name}", f"pliant.{RENAMED[name]}")
        name = RENAMED[name]
    home = (HOMES | SHARED).get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
