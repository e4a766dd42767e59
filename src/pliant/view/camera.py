"""Where a page looks from: at all bodies, beside the panel, and never from below the ground."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import viser

FOV = np.radians(40.0)
#: The camera stays above the ground by this share of its distance to what it looks at.
CLEARANCE = 0.02

#: The panel covers so many pixels at the right of a page, unless the page is no wider than a phone.
PANEL, PHONE = 340.0, 576.0
#: Bodies take up as much of the rest as leaves them this many times their width.
ROOM = 1.2


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
    camera.fov = float(FOV)
    camera.look_at = middle
    camera.position = middle + away * direction
    camera.up = (0.0, 1.0, 0.0)
    camera.near, camera.far = 1e-3 * size, 1e3 * size


def fit_beside_panel(camera: Any, begin: Any, around: np.ndarray) -> None:
    """Let bodies at points `around` (n, 3) fit into what the panel leaves of a page.

    The page looks the way that the server's initial camera, `begin`, does.
    """
    wide, high = max(float(camera.image_width), 1.0), max(float(camera.image_height), 1.0)
    covered = PANEL / wide if wide > PHONE else 0.0  # there it is below
    aspect, slope = wide / high, np.tan(0.5 * float(begin.fov))
    eye, aim = np.array(begin.position), np.array(begin.look_at)
    forward = (aim - eye) / np.linalg.norm(aim - eye)
    right = np.cross(forward, [0.0, 1.0, 0.0])
    right /= np.linalg.norm(right)
    middle = 0.5 * (around.min(axis=0) + around.max(axis=0))
    across = float(np.ptp(around @ right))
    least = 0.5 * ROOM * across / (slope * aspect * (1.0 - covered))
    away = max(float(np.linalg.norm(aim - eye)), least)
    aim = middle + covered * away * slope * aspect * right
    if _same(camera.position, aim - away * forward) and _same(camera.look_at, aim):
        return
    with camera.client.atomic():
        camera.position = aim - away * forward
        camera.look_at = aim


def not_moved(camera: Any, begin: Any) -> bool:
    """Whether a page looks from where it began: it takes up that place after it has connected."""
    return _same(camera.position, begin.position)


def _same(a: Any, b: Any) -> bool:
    """Whether two places are the same for a page, which knows them in float32."""
    return bool(np.allclose(a, b, rtol=1e-4, atol=1e-6))


def keep_above(camera: Any, height: float | None) -> None:
    """Lift a camera of a page that went below the ground at a height [m], and what it looks at."""
    if height is None:
        return
    eye, aim = np.array(camera.position), np.array(camera.look_at)
    room = CLEARANCE * max(float(np.linalg.norm(aim - eye)), 1e-9)
    if eye[1] >= height + 0.5 * room and aim[1] >= height - 0.5 * room:
        return
    least, aim = height + room, np.array([aim[0], max(aim[1], height), aim[2]])
    with camera.client.atomic():
        camera.position = np.array([eye[0], max(eye[1], least), eye[2]])
        camera.look_at = aim  # a camera takes along what it looks at
