"""Rods whose lines branch: rigid joints, against beam theory."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.energies.assembly import Assembly
from tests.unit.test_rods import LINE, energy, rod
from tests.verification.test_rods_theory import NU, E, G, orders


def bush():
    """A stem, two branches of it, and a ring at the end of one."""
    points = np.concatenate([
        LINE[::5] * 0.5,
        [[0.7, 0.2, 0.0], [0.9, 0.3, 0.1]],
        [[0.7, -0.2, 0.1], [0.8, -0.4, 0.1], [0.9, -0.3, 0.3], [0.8, -0.2, 0.2]],
    ])  # fmt: skip
    stem = [(0, 1), (1, 2), (2, 3), (3, 4)]
    lines = [*stem, (4, 5), (5, 6), (4, 7), (7, 8), (8, 9), (9, 10), (10, 7)]
    return pl.Mesh(points, {"line": lines})


def test_lines_may_branch_and_joints_are_rigid():
    mesh = bush()
    body = rod(mesh)
    assert body.nodes == 11 and len(body) == 33 + 2 and body.facts()["strands"] == 4
    np.testing.assert_array_equal(body.node([3, 4]), [9, 10, 11, 12, 13, 14, 33])
    np.testing.assert_allclose(body.along(body.positions), mesh.points, atol=1e-15)
    assert len(np.unique(body.components)) == 1
    long = np.linalg.norm(np.diff(mesh.points[mesh.cells["line2"]], axis=1), axis=2).sum()
    assert body.masses.sum() == pytest.approx(1000 * 4e-4 * long)
    assert energy(body, body.positions) < 1e-18
    turned = body.positions @ np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]).T + 2.0
    assert energy(body, turned) < 1e-18
    # A branch that turns about its own line at the joint twists: nothing is loose there.
    assembly = Assembly(len(body), 3, body.energies(device="cpu"))
    K = assembly.pattern.matrix(assembly.blocks(body.positions, project=False)).toarray()
    values = np.linalg.eigvalsh(K)
    assert (np.abs(values[:6]) < 1e-14 * values[-1]).all() and values[6] > 1e-9 * values[-1]


def test_a_frame_of_bars_is_a_rod():
    """Joints everywhere, of up to eighteen bars, some in one line."""
    box = pl.meshes.box((1, 1, 1), (2, 2, 2))
    body = rod(pl.Mesh(box.points, {"line": box.edges}))
    assert len(body) == 4 * body.nodes == 4 * 27
    assert energy(body, body.positions) < 1e-18
    body.fix(body.node(box.points[:, 1] < 1e-9))
    x = pl.Scene([body], gravity=(0, -9.81, 0)).equilibrium().positions[0]
    assert -0.01 < body.along(x)[:, 1].min() - box.points[:, 1].min() <= 0.0
    assert (body.along(x)[:, 1] - box.points[:, 1]).min() < -1e-5


def test_the_skin_of_a_bush_goes_along():
    body = rod(bush(), radius=0.01)
    report = body.skin.surface.report()
    assert report.closed and report.oriented and report.shells == 4
    Q = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
    moved = body.skin.positions(body.positions @ Q.T)
    np.testing.assert_allclose(moved, body.skin.surface.points @ Q.T, atol=1e-12)


@pytest.mark.parametrize("bounces", [None, 2])
def test_a_bush_rests_on_cue(bounces):
    body = rod(bush())
    body.fix(body.node(0))
    body.place(body.positions + 0.02 * body.positions[:, :1] ** 2 * [0, 1, 0])
    body.damping = pl.Settle(0.8, bounces)
    take = pl.Scene([body], gravity=(0, -0.1, 0)).run(seconds=1.0, dt=1 / 60, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


def star(arms, elements, **section):
    """Rods from the origin to each of `arms`, and their last nodes."""
    share = np.linspace(0.0, 1.0, elements + 1)[1:, None]
    points = np.concatenate([np.zeros((1, 3)), *(share * arm for arm in arms)])
    lines = np.arange(1, len(points))[:, None] - [1, 0]
    lines[::elements, 0] = 0
    mesh = pl.Mesh(points, {"line": lines})
    rod = pl.Rod(mesh, young=E, poisson=NU, density=1000.0, **section)
    return rod, elements * np.arange(1, len(arms) + 1)


def test_three_beams_carry_a_joint_together():
    """Clamped at their far ends: the joint does not turn, so each resists with 12 E I / L^3."""
    a, F, errors = 0.3 + 2 * np.pi / 3 * np.arange(3), 1e-5, []
    arms = np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)
    for n in (4, 8, 16):
        rod, ends = star(arms, n, width=0.02, height=0.02)
        rod.fix(rod.node(ends))
        rod.push(force=(0, 0, F / 4), on=rod.node(0))
        x = rod.along(pl.Scene([rod]).equilibrium().positions[0])
        soft = 1 / (12 * E * 0.02**4 / 12) + 1 / (rod.section.shear(NU) * G * 0.02**2)
        errors.append(x[0, 2] / (F * soft / 3) - 1)
    assert (orders(errors) > 1.95).all() and abs(errors[-1]) < 5e-3


def test_a_crossing_in_a_plane_is_no_pair_of_scissors():
    """A beam clamped at one end, and one across it that is pushed along the first.

    F L_2^3 / 3 E I + F L_2^2 L_1 / E I, and the pull of the first, however fine the mesh.
    """
    arms, F, r, errors = np.array([[-1.0, 0, 0], [0, 0.5, 0], [0.3, 0, 0]]), 1e-6, 0.01, []
    I, A = np.pi * r**4 / 4, np.pi * r**2
    for n in (4, 8, 32):
        rod, ends = star(arms, n, radius=r)
        rod.fix(rod.node(ends[0]))
        rod.push(force=(F / 3, 0, 0), on=rod.node(ends[1]))
        x = rod.along(pl.Scene([rod]).equilibrium().positions[0])
        known = (
            (0.5**3 / 3 + 0.5**2) / (E * I) + 0.5 / (rod.section.shear(NU) * G * A) + 1 / (E * A)
        )
        errors.append(x[ends[1], 0] / (F * known) - 1)
    assert orders(errors[:2])[0] > 1.8 and np.abs(errors[1:]).max() < 2e-3


@pytest.mark.parametrize("turn", [0.0, 0.7])
def test_a_joint_passes_on_bending_and_torsion(turn):
    """A clamped arm, an arm across it that is pushed at its end, and two that carry nothing.

    F (L_1^3 + L_2^3) / 3 E I + F L_2^2 L_1 / G J, whichever way all of it is turned.
    """
    Q = Rotation.from_rotvec(turn * np.array([1.0, 0.3, 0.8])).as_matrix()
    arms = np.array([[1.0, 0, 0], [0, 0.8, 0], [0, -0.3, 0], [0, 0, 0.4]]) @ Q.T
    F, r, errors = 1e-5, 0.01, []
    I, A = np.pi * r**4 / 4, np.pi * r**2
    for n in (4, 8):
        rod, ends = star(arms, n, radius=r)
        rod.fix(rod.node(ends[0]))
        rod.push(force=F / 3 * Q[:, 2], on=rod.node(ends[1]))
        x = rod.along(pl.Scene([rod]).equilibrium().positions[0])
        known = (1.0 + 0.8**3) / (3 * E * I) + 0.8**2 / (G * 2 * I)
        known += 1.8 / (rod.section.shear(NU) * G * A)
        errors.append((x[ends[1]] - arms[1]) @ Q[:, 2] / (F * known) - 1)
    assert orders(errors)[0] > 1.8 and abs(errors[-1]) < 2e-3
