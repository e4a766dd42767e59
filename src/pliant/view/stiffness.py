"""The same material, stiffer or softer."""

from __future__ import annotations

from pliant.materials import Material


def scaled(material: Material, factor: float) -> Material:
    """The same material with its stiffness multiplied by a factor."""
    return material.scaled(factor)
