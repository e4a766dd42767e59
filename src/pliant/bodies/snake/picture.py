"""What a snake is given: a picture and a contour in it."""

from __future__ import annotations

from typing import Any

import numpy as np

from pliant.errors import LARGEST, described, usable
from pliant.given import floats_or_nan
from pliant.mesh import Mesh


def accept_picture(picture: Any) -> np.ndarray:
    """Grey values (rows, columns)."""
    grey = floats_or_nan(picture)
    if grey.ndim != 2 or min(grey.shape) < 8:
        more = ", as picture.mean(axis=2) makes it of colours" if grey.ndim == 3 else ""
        raise ValueError(
            f"Snake: got the picture {described(picture)}; expected grey values (rows, columns) "
            f"of at least 8 by 8{more}"
        )
    if not usable(grey):
        row, column = np.argwhere(~(np.abs(grey) <= LARGEST))[0]
        raise ValueError(
            f"Snake: the picture is not finite in row {row}, column {column}; expected numbers, as "
            "np.nan_to_num(picture) makes them"
        )
    if np.ptp(grey) == 0.0:
        raise ValueError(f"Snake: the picture is {grey[0, 0]:g} all over; expected edges in it")
    return grey


def accept_contour(contour: Any, picture: np.ndarray, pixel: float, closed: bool) -> Mesh:
    """A chain of lines through points that lie in the picture."""
    points = floats_or_nan(contour)
    least = 5 if closed else 3
    if points.ndim != 2 or points.shape[1] != 2 or len(points) < least:
        raise ValueError(
            f"Snake: got the contour {described(contour)}; expected (n, 2), at least {least} "
            "points (x, y)"
        )
    rows, columns = picture.shape
    size = pixel * np.array([columns - 1, rows - 1])
    out = ~((points >= 0.0) & (points <= size)).all(axis=1)  # NaN is out, too
    if out.any():
        first = int(np.argmax(out))
        raise ValueError(
            f"Snake: point {first} at {points[first].tolist()} is outside the picture ({int(out.sum())} "
            f"in all); expected x from 0 to {size[0]:g} and y from 0 to {size[1]:g}"
        )
    start = np.arange(len(points) if closed else len(points) - 1)
    lines = np.stack([start, (start + 1) % len(points)], axis=1)
    steps = np.linalg.norm(points[lines[:, 1]] - points[lines[:, 0]], axis=1)
    if not steps.all():
        same = lines[int(np.argmin(steps))].tolist()
        again = ". A closed snake does not repeat its first point" if closed else ""
        raise ValueError(f"Snake: points {same} are in one place; expected them apart{again}")
    return Mesh(points, {"line": lines})


def edges_of(picture: np.ndarray, blur: float) -> np.ndarray:
    """The gradient of the blurred picture, at most 1; blur: standard deviation [pixels]."""
    from scipy.ndimage import gaussian_gradient_magnitude

    steep = gaussian_gradient_magnitude(picture, blur, mode="nearest")
    most = float(steep.max())
    return np.asarray(steep / most if most > 0.0 else steep)
