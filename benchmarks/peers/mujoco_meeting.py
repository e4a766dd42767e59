"""MuJoCo's flexes where they meet: soft constraints, one implicit step per frame.

As in `mujoco_flex` and `mujoco_cloth`: `integrator="discrete"`, tolerance 1e-2, 100 iterations. Contacts
are MuJoCo's own with its default `solref`, which lets things sink in.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..meeting import (
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
from ..sheet import BEND, DENSITY as AREA_DENSITY, STRETCH


class MuJoCo:
    """Flexes made from text."""

    def __init__(self, case: Meeting) -> None:
        import mujoco

        self.mujoco, self.shape = mujoco, (len(case.places), *case.points.shape)
        self.model = mujoco.MjModel.from_xml_string(self._text(case))
        self.data = mujoco.MjData(self.model)

    def _text(self, case: Meeting) -> str:
        cells = " ".join(map(str, case.cells.ravel().tolist()))
        thickness = (12.0 * BEND / STRETCH) ** 0.5
        if case.sheet:
            place = " ".join(map(repr, CENTRE.tolist()))
            floor = f'<geom type="sphere" pos="{place}" size="{RADIUS}" friction="{FRICTION}"/>'
            mass, dim = AREA_DENSITY, 2
            elastic = f'young="{STRETCH / thickness}" poisson="0" thickness="{thickness}"'
            elastic += ' elastic2d="both"'
        else:
            floor = f'<geom type="plane" size="9 9 9" zaxis="0 1 0" friction="{FRICTION}"/>'
            mass, dim = DENSITY * 0.2**3, 3
            elastic = f'young="{YOUNG}" poisson="{POISSON}"'
        flexes = ""
        for k, place in enumerate(case.places):
            points = " ".join(map(repr, (case.points + place).ravel().tolist()))
            flexes += f"""
            <flexcomp name="body{k}" type="direct" dim="{dim}" radius="0.001" mass="{mass}"
                      point="{points}" element="{cells}">
              <contact selfcollide="none" friction="{FRICTION}"/>
              <elasticity {elastic}/>
            </flexcomp>"""
        return f"""
        <mujoco>
          <size memory="2G"/>
          <option integrator="discrete" solver="CG" tolerance="1e-2" timestep="{DT}"
                  gravity="0 {-GRAVITY} 0"/>
          <worldbody>{floor}{flexes}</worldbody>
        </mujoco>"""

    def advance(self, frames: int) -> None:
        """One step per frame."""
        for _ in range(frames):
            self.mujoco.mj_step(self.model, self.data)

    def positions(self) -> np.ndarray:
        """Where the points are [m]."""
        self.mujoco.mj_kinematics(self.model, self.data)
        self.mujoco.mj_flex(self.model, self.data)
        warned = [self.mujoco.mjtWarning.mjWARN_BADQPOS, self.mujoco.mjtWarning.mjWARN_BADQACC]
        if any(self.data.warning[int(w)].number for w in warned):
            return np.full(self.shape, np.nan)  # it blew up, and has begun again by itself
        return self.data.flexvert_xpos.reshape(self.shape).copy()

    def notes(self) -> dict[str, Any]:
        """Version, settings and contacts at the end."""
        settings = (
            f"{self.mujoco.__version__} discrete, CG, tolerance 1e-2, {self.data.ncon} contacts"
        )
        return {"settings": settings}


if __name__ == "__main__":
    answer({"fastest": MuJoCo})
