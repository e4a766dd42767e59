"""`python -m benchmarks.peers.newton_contact_gpu [scene ...]`: `contact_gpu` in VBD of Newton.

The same meshes, materials, friction and frame time, on a CUDA device, in float32. 5 substeps of 10
iterations a frame, as `newton_meeting`, recorded as a CUDA graph of two frames and replayed. `deepest`
is how far a point is inside the floor.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from .. import contact_gpu

SUBSTEPS, ITERATIONS = 5, 10
#: Contact begins at this distance [m].
REACH = 1e-3
#: Of the penalties of contact [N/m].
STIFFNESS = 1e5


def main() -> None:
    """Print a row for every scene."""
    for name in sys.argv[1:] or contact_gpu.SCENES:
        measure(name, contact_gpu.SCENES[name]())


def measure(name: str, scene: Any) -> None:
    """One row."""
    import newton
    import warp as wp

    began = time.perf_counter()
    builder = newton.ModelBuilder(up_axis=newton.Axis.Z, gravity=(0.0, 0.0, -9.81))
    for body in scene.bodies:
        _add(builder, body)
    config = newton.ModelBuilder.ShapeConfig(ke=STIFFNESS, kd=0.0, mu=scene.contact.friction)
    builder.add_ground_plane(cfg=config)
    builder.color(include_bending=any("tri3" in b.mesh.cells for b in scene.bodies))
    model = builder.finalize(device="cuda")
    model.soft_contact_ke, model.soft_contact_kd = STIFFNESS, 0.0
    model.soft_contact_mu = scene.contact.friction
    solver = newton.solvers.SolverVBD(
        model,
        iterations=ITERATIONS,
        particle_enable_self_contact=True,
        particle_self_contact_margin=REACH,
        particle_self_contact_gap=REACH,
        particle_topological_contact_filter_threshold=1,
    )
    pipeline = newton.CollisionPipeline(model, broad_phase="nxn", soft_contact_gap=5.0 * REACH)
    contacts, control = pipeline.contacts(), model.control()
    now, then = model.state(), model.state()
    setup = time.perf_counter() - began

    def two_frames() -> None:
        nonlocal now, then
        for _ in range(2 * SUBSTEPS):
            now.clear_forces()
            pipeline.collide(now, contacts)
            solver.step(now, then, control, contacts, contact_gpu.DT / SUBSTEPS)
            now, then = then, now

    two_frames()  # compiles
    with wp.ScopedCapture() as capture:
        two_frames()

    spent = []
    for _ in range(contact_gpu.STEPS // 2):
        wp.synchronize()
        start = time.perf_counter()
        wp.capture_launch(capture.graph)
        wp.synchronize()
        spent.append((time.perf_counter() - start) / 2)
    heights = now.particle_q.numpy()[:, 2]
    print(
        f"{name:>8} Newton {newton.__version__} VBD {SUBSTEPS} x {ITERATIONS} {setup:6.1f} s "
        f"{1e3 * float(np.median(spent)):9.1f} ms/frame, "
        f"deepest {-1e3 * min(0.0, float(np.nanmin(heights))):.2f} mm, "
        f"finite {bool(np.isfinite(heights).all())}",
        flush=True,
    )


def _add(builder: Any, body: Any) -> None:
    import newton
    import warp as wp

    how = {
        "pos": wp.vec3(0.0, 0.0, 0.0),
        "rot": wp.quat_identity(),
        "scale": 1.0,
        "vel": wp.vec3(0.0, 0.0, 0.0),
        "particle_radius": REACH,
    }
    cells = body.mesh.cells
    if "tri3" in cells:
        builder.add_cloth_mesh(
            **how,
            vertices=[wp.vec3(*p) for p in body.mesh.points],
            indices=cells["tri3"].ravel().tolist(),
            density=0.2,
            tri_ke=200.0,
            tri_ka=100.0,
            tri_kd=0.0,
            edge_ke=1e-4,
            edge_kd=0.0,
        )
        return
    young, poisson = 1e5, 0.3
    builder.add_soft_mesh(
        **how,
        mesh=newton.TetMesh(body.mesh.points, cells["tet4"].ravel()),
        density=1000.0,
        k_mu=young / (2 * (1 + poisson)),
        k_lambda=young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
        k_damp=0.0,
    )


if __name__ == "__main__":
    main()
