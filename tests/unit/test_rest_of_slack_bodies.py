"""Bodies that resist only where they are taut: the way to their rest begins where they were placed."""

import numpy as np
import pytest

import pliant as pl


def hung(kind, sag):
    """A chain or a net between two lines of pins, placed on a parabola."""
    if kind == "chain":
        points = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 11)
        mesh = pl.Mesh(points, {"line": np.stack([np.arange(10), np.arange(1, 11)], axis=1)})
    else:
        flat = pl.meshes.rectangle((1, 1), (6, 6))
        mesh = pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)
    body = pl.Springs(mesh, stiffness=500.0, mass=0.01)
    x = mesh.points[:, 0]
    body.fix((x < 1e-9) | (x > 1.0 - 1e-9))
    body.place(mesh.points - sag * np.outer(4 * x * (1 - x), [0.0, 1.0, 0.0]))
    return body


@pytest.mark.parametrize("kind", ["chain", "net"])
@pytest.mark.parametrize("sag", [0.02, 0.1, 0.3])
def test_what_hangs_rests_wherever_it_was_placed(kind, sag):
    body, gravity = hung(kind, sag), (0.0, -2.0, 0.0)
    known = pl.Scene(hung(kind, 0.02), gravity=gravity).equilibrium().positions[-1]
    # Both are solved to 1e-9 of the size; across its tension a chain is 1e-3 as stiff as along.
    np.testing.assert_allclose(body.rest_shape(gravity), known, atol=1e-6)
    body.damping = pl.Settle(rest_in=0.5)
    take = pl.Scene(body, gravity=gravity).run(seconds=0.6, dt=1 / 60)
    assert take.rest_time() == pytest.approx(0.5, rel=0.03)  # what is promised
