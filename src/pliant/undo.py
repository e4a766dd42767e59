"""Steps are made by all bodies or by none."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pliant.scene import Scene


class Undo:
    """A scene as it is now, so that what comes next can be undone to the last bit.

        with undo:   # what fails or is interrupted in here leaves the scene as it was
            ...

    Of everything a step replaces it keeps references: arrays are not copied. That covers clocks,
    strains, rest shapes and cuts, and what solvers keep for the next step, on which its last digits
    depend. An Undo lasts until the next one of the same scene is made.
    """

    def __init__(self, scene: Scene):
        self._scene, self._time = scene, scene.time
        self._bodies = [(body, body.keep()) for body in scene.bodies]
        systems = [body.prepared for body in scene.bodies]
        self._systems = [(system, system.keep()) for system in systems if system is not None]

    def __enter__(self) -> Undo:
        return self

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:  # an interrupt, too
            self.put_back()

    def put_back(self) -> None:
        """Undo all that has happened since."""
        # First what is quick: a second interrupt may cost digits, but no body its place.
        self._scene.time = self._time
        for body, kept in self._bodies:
            body.put_back(kept)
        for system, solved in self._systems:
            system.put_back(solved)
