"""What a user names: bodies, each made of something else.

A body is a file here (or a few) and two lines below; scene files, schema, docs and law tests find it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cloth import Cloth as Cloth
    from .elastons import Elastons as Elastons
    from .example_based import ExampleBased as ExampleBased
    from .forms_curve import FormCurve as FormCurve
    from .forms_solid import FormSolid as FormSolid
    from .forms_surface import FormSurface as FormSurface
    from .impact import ImpactRods as ImpactRods
    from .preserving import Preserving as Preserving
    from .rod import Rod as Rod
    from .shell import Shell as Shell
    from .snake import Snake as Snake
    from .springs import Springs as Springs
    from .thin import Thin as Thin

#: Where each is, in the order of messages. They are imported when first used.
HOMES = {
    "Springs": "springs",
    "Cloth": "cloth",
    "Shell": "shell",
    "Rod": "rod",
    "Preserving": "preserving",
    "Elastons": "elastons",
    "FormCurve": "forms_curve",
    "FormSurface": "forms_surface",
    "FormSolid": "forms_solid",
    "ImpactRods": "impact",
    "ExampleBased": "example_based",
    "Snake": "snake",
}


def __getattr__(name: str) -> Any:
    home = "thin" if name == "Thin" else HOMES.get(name)  # `Thin` is what shells and others share
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
