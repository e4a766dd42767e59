"""Records the motion of a soft bar with MuJoCo's flex, into mujoco_bar.mdd beside this file.

It runs where `mujoco` can be imported, not here: `python -m benchmarks` makes such an environment. A bar
of 2 x 0.6 x 0.24 m, clamped at x = 0, begins straight and sags under 2 m/s^2; its elasticity is damped.
"""

import struct
from pathlib import Path

import mujoco
import numpy as np

FPS, SECONDS, STEPS = 30, 7.0, 16  # frames per second, and steps per frame
BAR = """
<mujoco>
  <option integrator="discrete" solver="CG" tolerance="1e-8" timestep="{step}" gravity="0 0 -2">
    <flag contact="disable"/>
  </option>
  <worldbody>
    <flexcomp name="bar" type="grid" dim="3" count="11 4 3" spacing="0.2 0.2 0.12" pos="1 0 0"
              radius="0.001" mass="288">
      <contact contype="0" conaffinity="0" selfcollide="none"/>
      <elasticity young="2e6" poisson="0.3" damping="0.116"/>
      <pin gridrange="0 0 0 0 3 2"/>
    </flexcomp>
  </worldbody>
</mujoco>"""


def recorded() -> np.ndarray:
    """Positions, (frames, points, 3) [m]."""
    model = mujoco.MjModel.from_xml_string(BAR.format(step=1 / (FPS * STEPS)))
    data = mujoco.MjData(model)
    frames = []
    for _ in range(round(FPS * SECONDS)):
        mujoco.mj_forward(model, data)
        frames.append(data.flexvert_xpos.copy())
        for _ in range(STEPS):
            mujoco.mj_step(model, data)
    return np.array(frames)


if __name__ == "__main__":
    x = recorded()
    edges = np.isclose(np.abs(x[0, :, 1:]), x[0, :, 1:].max(axis=0)).all(axis=1)
    fifths = np.isclose(np.round(x[0, :, 0] / 0.4) * 0.4, x[0, :, 0])
    seen = x[:, edges & fifths]
    head = struct.pack(">ii", *seen.shape[:2]) + (np.arange(len(x)) / FPS).astype(">f4").tobytes()
    Path(__file__).with_suffix(".mdd").write_bytes(head + seen.astype(">f4").tobytes())
