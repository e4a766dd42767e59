"""Where a page looks from: at all bodies, beside the panel, and never from below the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import viser

FOV = np.radians(40.0)
#: The camera stays above the ground by this share of its distance to what it looks at.
CLEARANCE = 0.02


def place_camera(
    server: viser.ViserServer, around: np.ndarray, *, plane: bool, size: float
) -> None:
    """Let pages begin where bodies at points `around` (n, 3), and some room to pull them, fit."""
    camera = server.initial_camera
    middle = 0.5 * (around.min(axis=0) + around.max(axis=0))
    direction = np.array([0.0, 0.0, 1.0] if plane else [0.35, 0.3, 1.0])
    direction /= np.linalg.norm(direction)
    wide = float(np.linalg.norm(np.ptp(around, axis=0)))
    away = 0.5 * wide / np.sin(0.5 * FOV) * 1.25
    # The panel covers the right of the page: look a little to the right of the body.
    aim = middle + np.array([0.12 * wide, 0.0, 0.0])
    camera.fov = float(FOV)
    camera.look_at = aim
    camera.position = aim + away * direction
    camera.up = (0.0, 1.0, 0.0)
    camera.near, camera.far = 1e-3 * size, 1e3 * size


def keep_above(camera: Any, height: float | None) -> None:
    """Lift a camera of a page that went below the ground at a height [m], and what it looks at."""
    if height is None:
        return
    eye, aim = np.array(camera.position), np.array(camera.look_at)
    least = height + CLEARANCE * max(float(np.linalg.norm(aim - eye)), 1e-9)
    if eye[1] >= least and aim[1] >= height:
        return
    aim = np.array([aim[0], max(aim[1], height), aim[2]])
    with camera.client.atomic():
        camera.position = np.array([eye[0], max(eye[1], least), eye[2]])
        camera.look_at = aim  # a camera takes along what it looks at
