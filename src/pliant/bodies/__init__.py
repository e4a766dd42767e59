"""What a user names: bodies, each made of something else.

A model is a folder or a file here, and two lines below; scene files, schema, docs and laws find it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .cloth import Cloth as Cloth
    from .elastons import Elastons as Elastons
    from .example import ExampleBased as ExampleBased
    from .forms import FormCurve as FormCurve, FormSolid as FormSolid, FormSurface as FormSurface
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
    "FormCurve": "forms",
    "FormSurface": "forms",
    "FormSolid": "forms",
    "ImpactRods": "impact",
    "ExampleBased": "example",
    "Snake": "snake",
}


def __getattr__(name: str) -> Any:
    home = "thin" if name == "Thin" else HOMES.get(name)  # `Thin` is what shells and others share
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{home}", __name__), name)
