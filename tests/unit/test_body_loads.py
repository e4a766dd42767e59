"""Loads on a body: pressures, tractions, forces, and their resultants."""

import numpy as np
import pytest

from pliant.energies.loaded_surface import LoadedSurface
from tests.unit.beams import N, beam, refused


@pytest.mark.parametrize("dim", [2, 3])
def test_pressure_on_a_closed_surface_has_no_resultant(dim):
    body = beam(dim, **({"thickness": 0.3} if dim == 2 else {}))
    body.push(pressure=1e4)
    x = body.mesh.points + 0.2 * np.random.default_rng(0).uniform(-1, 1, body.mesh.points.shape)
    f = body.loads_at(x, 0.0, np.zeros(dim))
    assert np.abs(f).max() > 100
    # A closed polyhedron's area vectors sum to zero, and so does their moment for triangles/edges.
    assert np.abs(f.sum(axis=0)).max() <= 1e-12 * np.abs(f).sum()
    if dim == 2:
        torque = (x[:, 0] * f[:, 1] - x[:, 1] * f[:, 0]).sum()
    else:
        torque = np.cross(x, f).sum(axis=0)
    assert np.abs(torque).max() <= 1e-12 * np.abs(f).sum() * 2


@pytest.mark.parametrize("dim", [2, 3])
def test_pressure_pushes_inward_and_turns_with_the_surface(dim):
    body = beam(dim)
    top = body.mesh.points[:, 1] > body.mesh.points[:, 1].max() - 1e-9
    body.push(pressure=50.0, on=top)
    area = 2.0 if dim == 2 else 2.0 * 1.0
    f = body.loads_at(body.mesh.points, 0.0, np.zeros(dim)).sum(axis=0)
    assert f == pytest.approx([0, -50 * area, 0][:dim], abs=1e-12)
    Q = np.eye(dim)
    Q[:2, :2] = [[0, -1], [1, 0]]  # a quarter turn: the top looks along -x, and is pushed along +x
    turned = body.loads_at(body.mesh.points @ Q.T, 0.0, np.zeros(dim)).sum(axis=0)
    assert turned == pytest.approx([50 * area, 0, 0][:dim], abs=1e-12)


@pytest.mark.parametrize("dim", [2, 3])
def test_traction_has_its_resultant_and_keeps_its_direction(dim):
    body = beam(dim, **({"thickness": 0.5} if dim == 2 else {}))
    right = body.mesh.points[:, 0] > 2 - 1e-9
    pull = np.array([3.0, -4.0, 5.0])[:dim]
    body.push(traction=pull, on=right)
    area = 0.5 * 0.5 if dim == 2 else 1.0
    for x in (body.mesh.points, 2.0 * body.mesh.points[:, ::-1]):
        f = body.loads_at(x, 0.0, np.zeros(dim))
        assert f.sum(axis=0) == pytest.approx(pull * area, rel=1e-12)
        assert not f[~right].any()


def test_force_volume_and_gravity_have_their_resultants():
    body = beam(density=300.0)
    body.push(force=(1.0, 2.0), on=[3, 4])
    body.push(volume=(0.0, -7.0))
    f = body.loads_at(body.mesh.points, 0.0, np.array([0.5, 0.0]))
    assert f.sum(axis=0) == pytest.approx([2 + 300 * 0.5, 4 - 7.0], rel=1e-12)


def test_loads_over_time_and_unpush():
    body = beam()
    still = np.zeros(2)
    one = body.push(force=lambda t: (t, 0.0), on=[0])
    two = body.push(pressure=([0.0, 1.0], [0.0, 10.0]))
    begun, half, full, late = (
        body.loads_at(body.mesh.points, t, still) for t in (0.0, 0.5, 1.0, 2.0)
    )
    pull = np.zeros_like(full)
    pull[0, 0] = 1.0  # the force after a second
    around = 2 * (2.0 + 0.5)  # |n| is axis-aligned, so the sum of |f| is pressure times perimeter
    assert not begun.any()
    np.testing.assert_allclose(half, 0.5 * full, rtol=1e-12, atol=1e-12)
    assert np.abs(full - pull).sum() == pytest.approx(10.0 * around, rel=1e-12)
    np.testing.assert_allclose(late - full, pull, atol=1e-12)  # pressure is held, the force grows
    body.unpush(two)
    assert np.abs(body.loads_at(body.mesh.points, 0.5, still)).sum() == pytest.approx(0.5)
    body.unpush(one)
    assert not body.loads_at(body.mesh.points, 1.0, still).any()


def test_wrong_pushes_are_refused():
    body = beam()
    refused(lambda: body.push(), "nothing", "force=", "pressure=")
    refused(
        lambda: body.push(force=(0, 1), volume=(0, 1), on=[0]), "force", "volume", "exactly one"
    )
    refused(lambda: body.push(force=(0, 1)), "on=", "None")
    refused(lambda: body.push(force=(0, 1, 0), on=[1]), "(3,)", "(2,)")
    refused(lambda: body.push(force=(0, 1), on=np.zeros(N, bool)), "no points")
    refused(lambda: body.push(pressure=1.0, on=[6]), "no boundary facet", "on=")
    refused(lambda: body.push(pressure=np.nan), "pressure", "finite")
    assert not body.loads_at(body.mesh.points, 0.0, np.zeros(2)).any()


def test_facet_normals_point_outward():
    body = beam(3)
    for facets in body.mesh.boundary.values():
        surface = LoadedSurface([facets], body.mesh.points, thickness=1.0)
        surface.orient(body.mesh.points, (1.0, 0.0))
        normals = surface.normals.numpy()[:: facets.shape[1]]
        outward = body.mesh.points[facets].mean(axis=1) - body.mesh.points.mean(axis=0)
        assert (np.einsum("fd,fd->f", normals, outward) > 0).all()
