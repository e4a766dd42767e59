"""Shaded pictures of tetrahedral bodies, by painter's algorithm."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgb

LIGHT = np.array([-0.35, 0.85, 0.55]) / np.linalg.norm([-0.35, 0.85, 0.55])
EDGE = 0.25  # how much of the outlines of triangles is seen


def view(azimuth: float, elevation: float) -> np.ndarray:
    """Right, up and towards the eye, as rows; y is up [degrees]."""
    a, e = np.radians([azimuth, elevation])
    toward = np.array([np.sin(a) * np.cos(e), np.sin(e), np.cos(a) * np.cos(e)])
    right = np.array([np.cos(a), 0.0, -np.sin(a)])
    return np.stack([right, np.cross(toward, right), toward])


def draw(
    axes: Axes,
    x: np.ndarray,
    triangles: np.ndarray,
    colours: Sequence[str],
    *,
    eye: np.ndarray,
    lines: np.ndarray | None = None,
) -> None:
    """Paint triangles (m, 3) of points x, each of its colour, the farthest first.

    What has blown up is not drawn: triangles that leave the axes by far, or are not numbers.
    """
    x = np.where(np.isfinite(x), x, 1e9)
    corners = (x @ eye.T)[triangles]
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    span = max(right - left, high - low)
    centre = np.array([0.5 * (left + right), 0.5 * (low + high)])
    near = (np.abs(corners[..., :2] - centre) < 3.0 * span).all(axis=(1, 2))
    corners, kept = corners[near], triangles[near]
    normals = np.cross(x[kept[:, 1]] - x[kept[:, 0]], x[kept[:, 2]] - x[kept[:, 0]])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    normals *= np.where(normals @ eye[2] < 0.0, -1.0, 1.0)[:, None]  # both sides are painted
    lit = 0.52 + 0.48 * np.clip(normals @ LIGHT, -0.3, 1.0)
    base = np.array([to_rgb(c) for c in np.asarray(colours)[near]]).reshape(-1, 3)
    shade = np.clip(base * lit[:, None], 0.0, 1.0)
    order = np.argsort(corners[..., 2].mean(axis=1), kind="stable")
    axes.add_collection(
        PolyCollection(
            list(corners[order][..., :2]),
            facecolors=shade[order],
            edgecolors=(shade * (1.0 - EDGE))[order],
            linewidths=0.25,
            rasterized=True,
        )
    )
    if lines is not None and len(lines):
        ends = (x @ eye.T)[lines]
        axes.add_collection(
            LineCollection(list(ends[..., :2]), colors="#6b5a45", linewidths=0.5, rasterized=True)
        )


def frame(axes: Axes, box: tuple[float, float, float, float]) -> None:
    """Axes of equal scale without ticks: left, right, low, high [m]."""
    axes.set(xlim=box[:2], ylim=box[2:], aspect="equal", xticks=[], yticks=[])
    axes.grid(False)
    for side in axes.spines.values():
        side.set_visible(False)
