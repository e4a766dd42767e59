"""What touches: a dot at each place, and a line along its force."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pliant.contact import FrameContacts
from pliant.io import LONGEST, lines_of
from pliant.mesh import in_space

if TYPE_CHECKING:
    import viser

TOUCH = (208, 32, 96)
#: The radius of a dot, as a share of the scene's size.
DOT = 0.006


class TouchMarks:
    """Contacts on a viser server; `show` draws those of a moment."""

    def __init__(self, server: viser.ViserServer, size: float):
        self._server, self._size = server, size
        self._drawn: list[Any] = []
        self._known: FrameContacts | None = None

    def show(self, contacts: FrameContacts | None) -> None:
        """Draw contacts; None: they are not to be shown."""
        if contacts is self._known:
            return
        self._known = contacts
        for handle in self._drawn:
            handle.remove()
        self._drawn = []
        if contacts is None or not len(contacts):
            return
        longest = LONGEST * self._size
        largest = float(np.linalg.norm(contacts.forces, axis=1).max())
        lines = np.stack(lines_of(contacts, longest / max(largest, 1e-300), longest), axis=1)
        scene = self._server.scene
        self._drawn = [
            scene.add_line_segments("/contacts", lines.astype(np.float32), TOUCH),
            scene.add_point_cloud(
                "/touches",
                in_space(contacts.points).astype(np.float32),
                TOUCH,
                point_size=DOT * self._size,
                point_shape="circle",
                precision="float32",
            ),
        ]
