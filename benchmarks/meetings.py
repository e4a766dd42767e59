"""Ours where bodies meet: `pl.Implicit` with `pl.Contact`."""

from __future__ import annotations

from typing import Any

import numpy as np

import pliant as pl

from .meeting import (
    CENTRE,
    DENSITY,
    DT,
    FRICTION,
    GRAVITY,
    POISSON,
    RADIUS,
    YOUNG,
    Meeting,
    answer,
)
from .sheet import BEND, DENSITY as AREA_DENSITY, SHEAR, STRETCH


class Ours:
    """A scene with contact."""

    def __init__(self, case: Meeting) -> None:
        kind = "tri" if case.sheet else "tet"
        mesh = pl.Mesh(case.points, {kind: case.cells})
        self.bodies: list[Any] = []
        for k, place in enumerate(case.places):
            body: Any
            if case.sheet:
                body = pl.Cloth(mesh, stretch=STRETCH, shear=SHEAR, bend=BEND, density=AREA_DENSITY)
            else:
                soft = pl.StableNeoHookean(young=YOUNG, poisson=POISSON)
                body = pl.Body(mesh, soft, density=DENSITY, name=f"box {k}")
                body.place(mesh.points + place)
            self.bodies.append(body)
        contact = pl.Contact(friction=FRICTION, record=False)
        self.scene = pl.Scene(self.bodies, gravity=(0, -GRAVITY, 0), contact=contact)
        self.scene.add(
            pl.Sphere(CENTRE, RADIUS) if case.sheet else pl.HalfSpace((0, 0, 0), (0, 1, 0))
        )
        self.iterations: list[int] = []

    def advance(self, frames: int) -> None:
        """One step per frame."""
        for _ in range(frames):
            self.iterations.append(self.scene.step(DT)[0].iterations)

    def positions(self) -> np.ndarray:
        """Where the points are [m]."""
        return np.array([body.state.x for body in self.bodies])

    def notes(self) -> dict[str, Any]:
        """Newton iterations."""
        return {"settings": f"{np.mean(self.iterations):.1f} Newton iterations a step"}


if __name__ == "__main__":
    answer({"ours": Ours})
