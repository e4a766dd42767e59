"""MuJoCo's flex as a sheet: St Venant-Kirchhoff triangles and bending, one implicit step per frame.

As in `mujoco_flex`: `integrator="discrete"`, one linear solve with M + h^2 K per step by conjugate
gradients to `tolerance`, contacts off. Thickness h and Young's modulus E are those of stretch = E h and
bend = E h^3 / 12, with Poisson's ratio 0. Its own limit of 100 iterations is enough at 40 x 40 points
(1e-2 and 1e-8 hang alike); at 100 x 100 it leaves a sheet that falls at half speed, and 1e-4 takes up
to a thousand. So "fastest" is 1e-2 and 100 iterations, "solved" 1e-4 and 1000; steps that ran out of
them are counted, as MuJoCo does.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..sheet import BEND, DENSITY, DT, GRAVITY, STRETCH, Sheet, answer

VARIANTS = {"fastest": (1e-2, 100), "solved": (1e-4, 1000)}


class MuJoCo:
    """A flex made from text, which is how MuJoCo takes a mesh without a file."""

    def __init__(self, case: Sheet, *, tolerance: float, iterations: int) -> None:
        import mujoco

        self.mujoco, self.tolerance, self.iterations = mujoco, tolerance, iterations
        self.model = mujoco.MjModel.from_xml_string(self._text(case))
        self.data = mujoco.MjData(self.model)
        self._points = len(case.points)
        # Free points slide along x, y, z from where they are undeformed.
        self.data.qpos[:] = (case.start - case.points)[~case.held].ravel()

    def _text(self, case: Sheet) -> str:
        thickness = (12.0 * BEND / STRETCH) ** 0.5
        points = " ".join(map(repr, case.points.ravel().tolist()))
        triangles = " ".join(map(str, case.triangles.ravel().tolist()))
        pins = " ".join(map(str, np.flatnonzero(case.held).tolist()))
        return f"""
        <mujoco>
          <option integrator="discrete" solver="CG" tolerance="{self.tolerance}" timestep="{DT}"
                  iterations="{self.iterations}" gravity="0 {-GRAVITY} 0">
            <flag contact="disable"/>
          </option>
          <worldbody>
            <flexcomp name="sheet" type="direct" dim="2" radius="0.001" mass="{DENSITY}"
                      point="{points}" element="{triangles}">
              <contact contype="0" conaffinity="0" selfcollide="none"/>
              <elasticity young="{STRETCH / thickness}" poisson="0" thickness="{thickness}"
                          elastic2d="both"/>
              <pin id="{pins}"/>
            </flexcomp>
          </worldbody>
        </mujoco>"""

    def advance(self, frames: int) -> None:
        """One step per frame."""
        for _ in range(frames):
            self.mujoco.mj_step(self.model, self.data)

    def slow(self, factor: float) -> None:
        """Scale all velocities."""
        self.data.qvel[:] *= factor

    def positions(self) -> np.ndarray:
        """Where the points are [m]."""
        if any(self._warned(f"mjWARN_BAD{what}") for what in ("QPOS", "QVEL", "QACC")):
            # It blew up, and has begun again from the start by itself.
            return np.full((self._points, 3), np.nan)
        self.mujoco.mj_kinematics(self.model, self.data)
        self.mujoco.mj_flex(self.model, self.data)
        return self.data.flexvert_xpos.copy()

    def notes(self) -> dict[str, Any]:
        """Version and settings."""
        settings = f"{self.mujoco.__version__} discrete, CG, tolerance {self.tolerance:.0e}"
        short = self._warned("mjWARN_INERTIA")
        missed = f", not reached in {short} steps by {self.iterations} iterations"
        return {"settings": settings + (missed if short else "")}

    def _warned(self, what: str) -> int:
        return int(self.data.warning[int(getattr(self.mujoco.mjtWarning, what))].number)


if __name__ == "__main__":
    answer(
        {
            name: partial(MuJoCo, tolerance=tolerance, iterations=iterations)
            for name, (tolerance, iterations) in VARIANTS.items()
        }
    )
