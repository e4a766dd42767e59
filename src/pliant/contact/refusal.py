"""What contact cannot be combined with."""

from __future__ import annotations

from typing import Any

from pliant.errors import Advice


def refuse_contact(name: str, damping: Any) -> None:
    """Refuse a damping that controls inertia: contact could not stop the rigid motion of a body."""
    raise ValueError(
        Advice(
            f"{name}: got contact with {type(damping).__name__}, which leaves rigid motion alone, so "
            "that nothing would stop a body that falls; expected ",
            "damping=None, pl.Rayleigh(...) or pl.StrainRate(...), or pins that hold every part: "
            "body.fix(...)",
            'damping = { model = "StrainRate", ... } or "Rayleigh" or none, or pins that hold every '
            'part: fix = "x < 0.01"',
        )
    )
