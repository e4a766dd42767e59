"""MuJoCo's flex: linear tetrahedra of St Venant-Kirchhoff, one implicit step per frame, float64.

Since version 4 only `integrator="discrete"` integrates elasticity implicitly: one linear solve with
M + h^2 K per step, by conjugate gradients to `tolerance`; no nonlinear iteration, so no residual to
converge. Tried at 1k, 6k and 48k: solver CG and Newton (the same without contacts), tolerance 1e-1 to
1e-10, 10 to 400 iterations, a thread pool of two. At 1e-2 the tip is within 0.1 % of its place at 1e-8
after five seconds (1k, 6k); at 1e-1, or with 30 iterations or fewer, it is not. Threads change nothing
without contacts. So "fastest" is 1e-2, and "defaults" MuJoCo's own 1e-8, both with its 100 iterations,
which from 6k on do not always reach 1e-8; such steps are counted, as MuJoCo does. Contacts are off.
flexcomp gives every point the same mass, so the lumped ones are put in after it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ..cantilever import DENSITY, DT, POISSON, YOUNG, Cantilever
from ..contest import main

TOLERANCES = {"fastest": 1e-2, "defaults": 1e-8}


class MuJoCo:
    """A flex made from text, which is how MuJoCo takes a mesh without a file."""

    def __init__(self, case: Cantilever, gravity: float, *, tolerance: float) -> None:
        import mujoco

        self.mujoco, self.tolerance = mujoco, tolerance
        self.model = mujoco.MjModel.from_xml_string(self._text(case, gravity))
        self.data = mujoco.MjData(self.model)
        free = ~case.clamped
        self.model.body_mass[self.model.flex_vertbodyid[free]] = case.masses[free]
        mujoco.mj_setConst(self.model, self.data)

    def _text(self, case: Cantilever, gravity: float) -> str:
        points = " ".join(map(repr, case.points.ravel().tolist()))
        tets = " ".join(map(str, case.tets.ravel().tolist()))
        pins = " ".join(map(str, np.flatnonzero(case.clamped).tolist()))
        return f"""
        <mujoco>
          <option integrator="discrete" solver="CG" tolerance="{self.tolerance}" timestep="{DT}"
                  gravity="0 {-gravity} 0">
            <flag contact="disable"/>
          </option>
          <worldbody>
            <flexcomp name="beam" type="direct" dim="3" radius="0.001" mass="{4 * DENSITY}"
                      point="{points}" element="{tets}">
              <contact contype="0" conaffinity="0" selfcollide="none"/>
              <elasticity young="{YOUNG}" poisson="{POISSON}"/>
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
        self.mujoco.mj_forward(self.model, self.data)
        if any(self._warned(f"mjWARN_BAD{what}") for what in ("QPOS", "QVEL", "QACC")):
            # It blew up, and has begun again from the start by itself.
            return np.full_like(self.data.flexvert_xpos, np.nan)
        return self.data.flexvert_xpos.copy()

    def notes(self) -> dict[str, Any]:
        """Version and settings."""
        settings = f"{self.mujoco.__version__} discrete, CG, tolerance {self.tolerance:.0e}"
        short = self._warned("mjWARN_INERTIA")
        return {"settings": f"{settings}, not reached in {short} steps" if short else settings}

    def _warned(self, what: str) -> int:
        return int(self.data.warning[int(getattr(self.mujoco.mjtWarning, what))].number)


if __name__ == "__main__":
    main({name: partial(MuJoCo, tolerance=t) for name, t in TOLERANCES.items()})
