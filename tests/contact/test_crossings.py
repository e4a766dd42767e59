"""Bodies that go through each other are found, as ipctk finds them, and no others."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.contact import BarrierContact, ContactBody, ContactSurface, crossing_bodies
from tests.contact.scenes import crowd, flat_crowd, rod, sheet, solid

BOX = pl.meshes.box((0.5, 0.5, 0.5), (2, 2, 2))


def crossing(surface, x=None):
    contact = BarrierContact(surface)
    x = surface.rest[: surface.count] if x is None else x
    return crossing_bodies(contact, wp.array(x, dtype=contact.vec, device="cpu"))


@pytest.mark.parametrize("make", [crowd, flat_crowd])
def test_what_is_apart_is_not_told(make):
    assert crossing(make()) == []


@pytest.mark.parametrize("seed", range(8))
def test_two_boxes_cross_where_ipctk_says_so(seed):
    ipctk = pytest.importorskip("ipctk", reason="ipctk has no wheel for this platform")
    rng = np.random.default_rng(seed)
    turn = np.linalg.qr(rng.standard_normal((3, 3)))[0]
    place = rng.uniform(-0.75, 0.75, 3)
    bodies = [solid(BOX, gap=1e-6), solid(pl.Mesh((BOX.points - 0.25) * [1, 1, 1], BOX.cells))]
    x = np.concatenate([BOX.points, (BOX.points - 0.25) @ turn + 0.25 + place])
    surface = ContactSurface(bodies)
    mesh = ipctk.CollisionMesh(
        x, surface.edges.astype(np.int32), surface.triangles.astype(np.int32)
    )
    assert (crossing(surface, x) == [(0, 1)]) == ipctk.has_intersections(mesh, x)


def test_sheets_rods_balls_and_planes_are_told_by_their_numbers():
    floor = np.array([[0.0, 0.0, 0.1]]), np.array([[0.0, 0.0, 1.0]])
    bodies = [
        solid(BOX),
        sheet(4, 0.8, at=(0.1, 0.1, 0.3)),
        rod(3, (0.9, 0.9, -0.2), (0.8, 0.7, 0.6)),
        rod(3, (0.0, 2.0, 2.0), (1.0, 2.0, 2.0)),
        rod(3, (0.0, 2.03, 2.0), (1.0, 2.03, 2.0)),
        ContactBody(np.array([[0.2, 0.2, 0.7]]), loose=np.array([0]), radius=0.3, given=True),
    ]
    found = crossing(ContactSurface(bodies, planes=floor))
    assert found == [(0, 1), (0, 5), (0, 6), (1, 2), (2, 6), (3, 4)]
    left = crossing(ContactSurface(bodies, planes=floor, ignore=[(0, 1), (3, 4)]))
    assert left == [pair for pair in found if pair not in [(0, 1), (3, 4)]]


def test_a_sheet_that_goes_through_itself_is_told():
    body = sheet(4, 1.0)
    x = body.points.copy()
    middle = np.abs(x[:, 0] - 0.5) < 0.3
    x[middle, 2] = 0.2
    assert crossing(ContactSurface([body]), x) == []
    fold = body.points.copy()
    fold[body.points[:, 0] > 0.7] += [-0.65, 0.0, -0.3]
    fold[body.points[:, 0] > 0.9, 2] = 0.3  # its edge comes up again through the other half
    assert crossing(ContactSurface([body]), fold) == [(0, 0)]


def test_in_the_plane():
    square = pl.meshes.rectangle((0.5, 0.5), (2, 2))
    apart = ContactSurface([solid(square), solid(square, at=(0.6, 0.0))])
    assert crossing(apart) == []
    across = ContactSurface([solid(square), solid(square, at=(0.3, 0.1))])
    assert crossing(across) == [(0, 1)]
