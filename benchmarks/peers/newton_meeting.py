"""Newton's vertex block descent on the CPU where bodies meet: penalties with truncated steps, float32.

As in `newton_vbd`: 5 substeps x 10 iterations a frame. Contact within 1 mm, looked for in every substep.
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
from ..sheet import BEND, DENSITY as AREA_DENSITY, SHEAR, STRETCH

SUBSTEPS, ITERATIONS, REACH = 5, 10, 1e-3


class Newton:
    """Soft meshes, or a cloth, in one model."""

    def __init__(self, case: Meeting) -> None:
        import newton
        import warp as wp

        wp.set_device("cpu")
        self.shape, self.version = (len(case.places), *case.points.shape), newton.__version__
        builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -GRAVITY, 0.0))
        stiffness = 1e5
        config = newton.ModelBuilder.ShapeConfig(ke=stiffness, kd=0.0, mu=FRICTION)
        for place in case.places:
            how = {
                "pos": wp.vec3(*place),
                "rot": wp.quat_identity(),
                "scale": 1.0,
                "vel": wp.vec3(0.0, 0.0, 0.0),
                "particle_radius": REACH,
            }
            if case.sheet:
                builder.add_cloth_mesh(
                    **how,
                    vertices=[wp.vec3(*p) for p in case.points],
                    indices=case.cells.ravel().tolist(),
                    density=AREA_DENSITY,
                    tri_ke=SHEAR,
                    tri_ka=STRETCH - 2.0 * SHEAR,
                    tri_kd=0.0,
                    edge_ke=BEND,
                    edge_kd=0.0,
                )
            else:
                builder.add_soft_mesh(
                    **how,
                    mesh=newton.TetMesh(case.points, case.cells.ravel()),
                    density=DENSITY,
                    k_mu=YOUNG / (2 * (1 + POISSON)),
                    k_lambda=YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)),
                    k_damp=0.0,
                )
        if case.sheet:
            at = wp.transform(wp.vec3(*CENTRE), wp.quat_identity())
            builder.add_shape_sphere(-1, xform=at, radius=RADIUS, cfg=config)
        else:
            builder.add_ground_plane(cfg=config)
        builder.color(include_bending=case.sheet)
        self.model = model = builder.finalize()
        model.soft_contact_ke, model.soft_contact_kd = stiffness, 0.0
        model.soft_contact_mu = FRICTION
        self.solver = newton.solvers.SolverVBD(
            model,
            iterations=ITERATIONS,
            particle_enable_self_contact=True,
            particle_self_contact_margin=REACH,
            particle_self_contact_gap=REACH,
            particle_enable_tile_solve=False,
        )
        self.pipeline = newton.CollisionPipeline(
            model, broad_phase="nxn", soft_contact_gap=5.0 * REACH
        )
        self.contacts = self.pipeline.contacts()
        self.now, self.then, self.control = model.state(), model.state(), model.control()

    def advance(self, frames: int) -> None:
        """Substeps of each frame."""
        for _ in range(frames * SUBSTEPS):
            self.now.clear_forces()
            self.pipeline.collide(self.now, self.contacts)
            self.solver.step(self.now, self.then, self.control, self.contacts, DT / SUBSTEPS)
            self.now, self.then = self.then, self.now

    def positions(self) -> np.ndarray:
        """Where the points are [m]."""
        return self.now.particle_q.numpy().astype(float).reshape(self.shape)

    def notes(self) -> dict[str, Any]:
        """Version and settings."""
        return {"settings": f"{self.version} VBD, {SUBSTEPS} substeps x {ITERATIONS} iterations"}


if __name__ == "__main__":
    answer({"fastest": Newton})
