"""What the colours of bodies say, and those that bodies have of themselves."""

from __future__ import annotations

from enum import Enum

import numpy as np

#: Of bodies in the order of a take, where colours say nothing else.
BODY_COLOURS = ("#6fa3c4", "#dd9a1f", "#4f9d69", "#8e6bbf", "#c25b8f")


class ColourBy(str, Enum):
    """What films colour bodies by: how far they are from rest, or each in the colour of its material."""

    rest = "rest"
    material = "material"


def rgb(colour: str) -> np.ndarray:
    """A colour written as "#rrggbb", each from 0 to 1, (3,)."""
    return np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255.0


def linear_rgb(colour: str) -> np.ndarray:
    """The same as amounts of light, which renderers count in: sRGB decoded, (3,)."""
    encoded = rgb(colour)
    curved = ((encoded + 0.055) / 1.055) ** 2.4
    return np.asarray(np.where(encoded <= 0.04045, encoded / 12.92, curved))


def body_colour(number: int) -> str:
    """The colour of a body by its number in the take."""
    return BODY_COLOURS[number % len(BODY_COLOURS)]
