"""Bodies that are cut: what they keep."""

import numpy as np
import pytest

import pliant as pl

SLANTED = pl.HalfSpace((0.93, 0.5, 0.5), (1, 0.3, 0.2))


def a_bar(**how):
    mesh = pl.meshes.box((2, 1, 1), (6, 3, 3))
    return pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), name="bar", **how)


def in_motion(body, seed=0):
    """Bent, and in any motion."""
    x = np.array(body.mesh.points)
    body.place(x + 0.05 * np.sin(2 * x[:, [1, 2, 0]]))
    noise = np.random.default_rng(seed).normal(size=x.shape)
    body.velocity = 0.1 * noise + np.cross([0.0, 0.5, 1.0], x) + [1.0, 0.0, -2.0]
    return body


def measured(body):
    """Mass, centre, both momenta, and elastic and kinetic energy."""
    m, x, v = body.masses, body.positions, body.velocity
    elastic = body.system().value(x)
    kinetic = 0.5 * m @ (v * v).sum(axis=1)
    return m.sum(), m @ x / m.sum(), m @ v, m @ np.cross(x, v), elastic, kinetic


def test_momenta_and_energy_are_kept():
    body = in_motion(a_bar())
    before = measured(body)

    body.cut(SLANTED, width=0.0)

    after = measured(body)
    assert body.components.max() == 1
    for old, new in zip(before[:5], after[:5], strict=True):
        assert new == pytest.approx(old, rel=1e-12, abs=1e-9)
    assert after[5] <= before[5] * (1 + 1e-14)


def test_momenta_are_kept_by_a_blade_with_a_width():
    body = in_motion(a_bar())
    before = measured(body)

    body.cut(SLANTED)

    after = measured(body)
    for k in (0, 2, 3):
        assert after[k] == pytest.approx(before[k], rel=1e-12, abs=1e-9)
    assert after[4] == pytest.approx(before[4], rel=5e-3)  # it takes a thousandth of the size
    assert after[5] <= before[5] * (1 + 1e-14)


def test_pins_and_loads_go_along():
    body = a_bar()
    body.fix(body.mesh.points[:, 1] < 1e-9)
    top = body.mesh.points[:, 1] > 1 - 1e-9
    loads = [
        body.push(pressure=10.0, on=top),
        body.push(traction=(1.0, 2.0, 3.0), on=top),
        body.push(force=(0.1, 0.0, 0.0), on=top),
        body.push(volume=(0.0, 5.0, 0.0)),
    ]
    gravity = np.array([0.0, -9.81, 0.0])

    def total():
        return body.loads_at(body.positions, 0.0, gravity).sum(axis=0)

    before = total()
    body.cut(SLANTED, width=0.0)

    assert total() == pytest.approx(before, rel=1e-12)
    assert (body.pinned == (body.mesh.points[:, 1] < 1e-9)).all()
    for load in loads:
        body.unpush(load)
    assert total() == pytest.approx(body.masses.sum() * gravity, rel=1e-12)


def test_matter_of_cells_goes_along():
    mesh = pl.meshes.box((2, 1, 1), (6, 3, 3))
    stiff = np.where(mesh.points[mesh.cells["tet4"]].mean(axis=1)[:, 1] > 0.5, 2e5, 1e5)
    body = in_motion(pl.Body(mesh, pl.StableNeoHookean(young=stiff, poisson=0.4)))
    before = measured(body)[4]

    body.cut(SLANTED, width=0.0)

    assert measured(body)[4] == pytest.approx(before, rel=1e-12)


def test_flow_goes_along():
    clay = pl.Plastic(pl.Hencky(young=1e5, poisson=0.4), yield_stress=2e3, hardening=1e3)
    body = pl.Body(pl.meshes.box((2, 1, 1), (6, 3, 3)), clay)
    scene = pl.Scene([body])
    body.place(body.mesh.points * [1.2, 1.0, 1.0])
    scene.step(1e-4)
    x, plastic = body.positions, body.plastic
    before = body.system().value(x)
    assert plastic.max() > 0.01

    body.cut(SLANTED, width=0.0)

    parents = body.mesh_changes[0][1].cells
    assert body.plastic == pytest.approx(plastic[parents], rel=1e-14)
    assert body.system().value(body.positions) == pytest.approx(before, rel=1e-9)


def test_bars_have_their_own_frequencies():
    """A cut bar has the stiffness and masses of two bars: all of their frequencies and no others."""
    from scipy.linalg import eigh

    def squares(body):
        K = body.system().stiffness(body.mesh.points).toarray()
        return eigh(K, np.diag(np.repeat(body.masses, 3)), eigvals_only=True)

    body = a_bar()
    body.cut(SLANTED, width=0.0)
    ((_, change),) = body.mesh_changes
    found = squares(body)

    own = []
    for part in range(2):
        number = np.full(len(body), -1)
        which = np.flatnonzero(body.components == part)
        number[which] = np.arange(len(which))
        cells = change.mesh.cells["tet4"]
        cells = number[cells[number[cells[:, 0]] >= 0]]
        half = pl.Mesh(change.mesh.points[which], {"tet": cells})
        own.append(squares(pl.Body(half, body.material, density=body.density)))
    expected = np.sort(np.concatenate(own))
    assert (found[:12] < 1e-6 * found[12]).all()  # two bodies move rigidly
    assert found[12:] == pytest.approx(expected[12:], rel=1e-8)


def test_cut_at_a_time_is_made_between_steps():
    body = in_motion(a_bar())
    scene = pl.Scene([body])
    body.cut(SLANTED, at=0.05)
    points = []
    for _ in range(5):
        scene.step(1 / 60)
        points.append(body.components.max() + 1)
    assert points == [1, 1, 1, 2, 2]
    assert [time for time, _ in body.mesh_changes] == pytest.approx([0.05])


def test_failed_step_undoes_the_cut(monkeypatch):
    body = in_motion(a_bar())
    scene = pl.Scene([body])
    scene.step(1 / 60)
    body.cut(SLANTED, at=1 / 60)
    before = body.positions, body.velocity, body.masses
    monkeypatch.setattr("pliant.scene.scene.step", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        scene.step(1 / 60)
    for old, new in zip(before, (body.positions, body.velocity, body.masses), strict=True):
        assert np.array_equal(old, new)
    assert body.mesh_changes == ()
    monkeypatch.undo()
    scene.step(1 / 60)
    assert body.components.max() == 1


def test_halves_touch_each_other():
    """The upper half of a cut block rests on the lower one."""
    mesh = pl.meshes.box((0.4, 0.4, 0.4), (3, 3, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0)
    body.fix(mesh.points[:, 1] < 1e-9)
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    body.cut(pl.HalfSpace((0, 0.21, 0), (0, 1, 0)))
    for _ in range(20):
        scene.step(1 / 60)
    upper = body.mesh.points[:, 1] > 0.21
    sunk = body.positions[upper, 1] - body.mesh.points[upper, 1]
    # It stands on its weight of half a metre of water: a thousandth or two, and no more.
    assert sunk.min() > -0.01


def test_bad_cuts_are_refused():
    body = a_bar()
    with pytest.raises(TypeError, match="by=3; expected a plane"):
        body.cut(3)
    with pytest.raises(ValueError, match="expected a surface in 3D"):
        body.cut(pl.HalfSpace((0, 0), (1, 0)))
    with pytest.raises(ValueError, match="width=-1"):
        body.cut(SLANTED, width=-1)
    with pytest.raises(ValueError, match="expected a time of the scene"):
        body.cut(SLANTED, at="soon")
    with pytest.raises(pl.MeshError, match="parts nothing"):
        body.cut(pl.HalfSpace((5, 0, 0), (1, 0, 0)))
    scene = pl.Scene([body])
    body.cut(pl.HalfSpace((5, 0, 0), (1, 0, 0)), at=0.0)
    with pytest.warns(RuntimeWarning, match="parts nothing"):
        scene.step(1 / 60)


def test_parts_move_each_by_itself():
    """What pins hold stays, what is loose falls freely, and a second cut leaves other parts alone."""
    mesh = pl.meshes.box((2, 0.4, 0.4), (8, 2, 2))
    body = pl.Body(
        mesh,
        pl.StableNeoHookean(young=1e6, poisson=0.4),
        damping=pl.Settle(rest_in=0.5, bounces=None),
    )
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene([body], gravity=(0, -9.81, 0), contact=False)
    body.cut(pl.HalfSpace((1.0, 0, 0), (1, 0, 0)))
    held, loose = body.parts
    assert held.pinned.any() and not loose.pinned.any()
    height = loose.masses @ loose.positions[:, 1] / loose.masses.sum()
    for _ in range(12):
        scene.step(1 / 60)
    assert body.parts == (held, loose)
    fallen = height - loose.masses @ loose.positions[:, 1] / loose.masses.sum()
    steps = 12 * 13 / 2  # without contact a step ends with the velocity that it moved by
    assert fallen == pytest.approx(9.81 * steps / 60**2, rel=1e-9)
    assert (body.positions[body.points_of_parts()[1]] == loose.positions).all()

    body.cut(pl.HalfSpace((1.5, 0, 0), (1, 0, 0)))
    assert body.parts[0] is held
    assert len(body.parts) == 3
