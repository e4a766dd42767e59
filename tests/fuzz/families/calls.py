"""Arguments of a call: sound ones, and such of which one or two may be wrong."""

from __future__ import annotations

import inspect
import math
import random
from collections.abc import Callable
from typing import Any

from . import arguments, spoiling

_MODULI = ("young", "poisson")
#: Parameters that are optional to Python and needed all the same, one of several for example.
NEEDED: dict[str, tuple[str, ...]] = {
    "Rod": ("radius",),
    "ImpactRods": ("radius",),
    "Elastons": ("thickness",),
    "ConstraintBody": ("distance",),
    "push": ("force",),
    "Excite": ("force",),
    "Keyframes": ("offsets",),
    "Modal": ("modes",),
    "Subspace": ("modes", "size"),
    **dict.fromkeys(("Linear", "NeoHookean", "StableNeoHookean", "Corotated", "Hencky"), _MODULI),
    **dict.fromkeys(("StVenantKirchhoff", "FibreReinforced"), _MODULI),
}
#: Of these only one may be given, so the others are left out unless they are spoilt.
ALTERNATIVES = ("traction", "pressure", "volume", "wind", "lame", "area", "width", "height")
PATHS = (
    "out.npz", "a.obj", "x", "", ".", "a\0b", "nowhere.npz", "a" * 300 + ".npz", None, 3, ".zarr",
    "deep/er/x.vtu", "é.npz", "x.msh", b"x.npz", "take.zarr", "x.ply",
)  # fmt: skip


def bound(owner: str, function: Callable[..., Any], rng: random.Random | None) -> dict[str, Any]:
    """Sound arguments: the needed ones, and with `rng` some of the others."""
    given = {}
    for name, parameter in inspect.signature(function).parameters.items():
        needed = parameter.default is parameter.empty or name in NEEDED.get(owner, ())
        wanted = rng is not None and name not in ALTERNATIVES and rng.random() < 0.25
        if needed or (wanted and arguments.knows(owner, name)):
            given[name] = arguments.sound(owner, name) if arguments.knows(owner, name) else None
    return given


def wrong(
    rng: random.Random, owner: str, function: Callable[..., Any]
) -> tuple[dict[str, Any], str]:
    """Arguments of which one or two may be wrong, and how they read."""
    given = bound(owner, function, rng)
    names = [n for n in inspect.signature(function).parameters if n != "into"]
    for name in rng.sample(names, min(len(names), rng.choice((0, 1, 1, 1, 2)))):
        known = arguments.sound(owner, name) if arguments.knows(owner, name) else 1.0
        given[name] = spoiling.spoilt(rng, given.get(name, known), name)
    if "path" in given and function.__name__ in ("save", "write", "read"):
        given["path"] = rng.choice(PATHS)
    return given, ", ".join(f"{k}={_read(v)}" for k, v in given.items())


def _read(value: Any) -> str:
    return " ".join(f"{value!r}".split())[:80]


def is_short(given: dict[str, Any]) -> bool:
    """Whether a run is short, or absurd enough to be refused at once."""
    try:
        ratio = float(given.get("seconds", 0.03)) / float(given.get("dt", 1 / 60))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        return True
    return not math.isfinite(ratio) or ratio < 20 or ratio > 1e15
