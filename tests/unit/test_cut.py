"""Bodies that are cut: what they keep."""

import warnings

import numpy as np
import pytest

import pliant as pl
from pliant import scenefile

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


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.3, -1.0, 0.5)])
def test_what_spins_gains_no_energy(axis):
    """Finer cells have less moment of inertia: a spin with the same momentum would have more energy."""
    body = a_bar()
    x = body.mesh.points
    body.velocity = np.cross(axis, x - x.mean(axis=0))
    before = measured(body)

    body.cut(SLANTED, width=0.0)

    after = measured(body)
    for k in (0, 1, 2, 3):
        assert after[k] == pytest.approx(before[k], rel=1e-12, abs=1e-9)
    assert after[5] == pytest.approx(before[5], rel=1e-12)
    own = a_bar()
    own.cut(SLANTED, width=0.0)
    assert body.masses == pytest.approx(own.masses, rel=0.1)


@pytest.mark.parametrize("cells", [2, 3])
def test_what_spins_and_is_cut_again_gains_no_energy(cells):
    """Parts of few points keep their moments of inertia by masses that change more."""
    mesh = pl.meshes.box((1, 1, 1), (cells, cells, cells))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4))
    body.velocity = np.cross([0.3, -1.0, 0.5], mesh.points - 0.5)
    before = measured(body)
    planes = [
        ((0.47, 0, 0), (1, 0.3, 0.2)),
        ((0, 0.52, 0), (0.2, 1, -0.3)),
        ((0, 0, 0.45), (-0.1, 0.3, 1)),
        ((0.2, 0, 0), (1, -0.2, 0)),
    ]
    for point, normal in planes:
        kinetic = measured(body)[5]
        body.cut(pl.HalfSpace(point, normal), width=0.0)
        assert measured(body)[5] <= kinetic * (1 + 1e-12)
    assert len(body.parts) > 10
    after = measured(body)
    for k in (0, 1, 2, 3):
        assert after[k] == pytest.approx(before[k], rel=1e-12, abs=1e-9)


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
    with pytest.raises(ValueError, match=r"at=-1\.0; expected a time of the scene"):
        body.cut(SLANTED, at=-1.0)
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


@pytest.mark.slow  # what is cut off falls, lands and rubs
def test_parts_that_meet_after_a_second_cut_have_contacts_of_one_numbering():
    """Points have other numbers then: friction of what was cut off before must not have the old ones."""
    mesh = pl.meshes.box((2, 0.4, 0.4), (8, 2, 2))
    matter = pl.StableNeoHookean(young=1e6, poisson=0.4)
    body = pl.Body(mesh, matter, damping=pl.Settle(rest_in=0.6, bounces=1))
    body.fix(mesh.points[:, 0] < 1e-9)
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(pl.HalfSpace((0, -1, 0), (0, 1, 0)))
    body.cut(pl.HalfSpace((1.03, 0, 0), (1, 0.2, 0)), at=0.3)
    body.cut(pl.HalfSpace((0.53, 0, 0), (1, -0.2, 0)), at=0.5)
    scene.run(seconds=1.1, dt=1 / 60, progress=False)
    assert len(body.parts) == 3
    assert all(part.state.bristles is not None for part in body.parts[1:])  # they lie on the floor


def a_sheet():
    flat = pl.meshes.rectangle((1, 1), (8, 8))
    return pl.Mesh(np.insert(flat.points, 1, 0.0, axis=1), flat.cells)


def thin_bodies():
    turn = np.linspace(0, 3, 31)
    curl = np.stack([np.cos(turn), np.sin(turn), 0.1 * turn], axis=1)
    ring = np.stack([np.cos(2 * turn), np.sin(2 * turn), 0.0 * turn], axis=1)[:-1]
    lines = np.c_[np.linspace(0, 1, 11), np.zeros((11, 2))]
    bars = pl.Mesh(lines, {"line": [[i, i + 1] for i in range(10)]})
    flat = pl.meshes.rectangle((2, 1), (10, 5))
    return {
        "cloth": pl.Cloth(a_sheet(), stretch=2e3, shear=500.0, bend=0.0, density=0.2),
        "rod": pl.Rod(curl, radius=0.02, young=1e6),
        "ring": pl.Rod(ring, radius=0.02, young=1e6, closed=True),
        "plane": pl.Body(flat, pl.NeoHookean(young=1e5, poisson=0.3)),
        "bars": pl.Body(bars, pl.StVenantKirchhoff(young=1e5, poisson=0.3), section=1e-4),
    }


@pytest.mark.parametrize("name", thin_bodies())
def test_thin_and_plane_bodies_keep_their_energy(name):
    """Bends of cloth and shells are cut with what bends: only what stretches is kept to rounding."""
    body = thin_bodies()[name]
    x, dim = np.array(body.mesh.points), body.dim
    body.place(x + 0.02 * np.sin(3 * x[:, ::-1]))
    spin = np.cross(np.array([0.0, 1.0, 2.0]), x) if dim == 3 else 2.0 * x[:, ::-1] * [-1, 1]
    body.velocity = 0.1 * np.random.default_rng(0).normal(size=x.shape) + spin

    def seen():
        m, x, v = body.masses, body.positions, body.velocity
        spin = [m @ (x[:, i] * v[:, j] - x[:, j] * v[:, i]) for i, j in ((0, 1), (1, dim - 1))]
        elastic = body.system().value(x)
        return m.sum(), m @ x, m @ v, np.array(spin), elastic, 0.5 * m @ (v * v).sum(axis=1)

    before = seen()
    plane = pl.HalfSpace((0.43, 0.0, 0.2)[:dim], (1.0, 0.2, 0.3)[:dim])
    body.cut(plane, width=0.0)

    after = seen()
    assert len(body.parts) == 2
    for old, new in zip(before[:5], after[:5], strict=True):
        assert new == pytest.approx(old, rel=1e-12, abs=1e-12)
    assert after[5] <= before[5] * (1 + 1e-14)


def test_cut_shell_is_two_shells():
    """Both halves bend as shells of their own."""
    shell = pl.Shell(a_sheet(), young=1e6, poisson=0.3, thickness=0.01, density=1000.0)
    shell.cut(pl.HalfSpace((0.5, 0, 0), (1, 0, 0)), width=0.0)
    left = shell.parts[0]
    half = pl.meshes.rectangle((0.5, 1), (4, 8))
    x = np.insert(half.points, 1, 0.0, axis=1)
    alone = pl.Shell(pl.Mesh(x, half.cells), young=1e6, poisson=0.3, thickness=0.01, density=1000.0)
    order = [np.lexsort(b.mesh.points.round(9).T) for b in (left, alone)]
    bent = [b.mesh.points + [[0, 1, 0]] * b.mesh.points[:, :1] ** 2 for b in (left, alone)]
    assert left.masses[order[0]] == pytest.approx(alone.masses[order[1]], rel=1e-12)
    energies = [b.system().value(x) for b, x in zip((left, alone), bent, strict=True)]
    assert energies[0] == pytest.approx(energies[1], rel=1e-9)


def test_what_flows_in_its_bends_is_refused():
    wire = pl.Rod([[0, 0, 0], [1, 0, 0], [2, 0, 0]], radius=0.01, young=1e9, yield_strain=0.01)
    with pytest.raises(ValueError, match="yield_strain=0.01; expected a Rod without one"):
        wire.cut(pl.HalfSpace((1, 0, 0), (1, 0, 0)))


def a_wavy_sheet(until, n=12):
    """A wave across a bar of two metres, from below it up to some height."""
    z, y = np.meshgrid(np.linspace(-0.2, 1.2, n), np.linspace(-0.2, until, n))
    x = 1.0 + 0.1 * np.sin(4 * z)
    i = np.arange(n * n).reshape(n, n)
    quads = np.stack([i[:-1, :-1], i[:-1, 1:], i[1:, 1:], i[1:, :-1]], axis=-1).reshape(-1, 4)
    return pl.Surface.of(np.stack([x, y, z], axis=-1).reshape(-1, 3), quads)


def test_sheet_of_triangles_cuts():
    body = pl.Body(pl.meshes.box((2, 1, 1), (12, 6, 6)), pl.Linear(young=1e5, poisson=0.3))
    body.cut(a_wavy_sheet(1.2), width=0.0)
    x, parts = body.mesh.points, body.components
    assert parts.max() == 1
    for part in range(2):
        side = x[parts == part, 0] - 1.0 - 0.1 * np.sin(4 * x[parts == part, 2])
        # A cell is a sixth of a metre, and a cut goes through points of a tenth of that.
        assert min(side.max(), -side.min()) < 0.06


def test_sheet_that_ends_inside_opens_a_slit():
    body = pl.Body(pl.meshes.box((2, 1, 1), (12, 6, 6)), pl.Linear(young=1e5, poisson=0.3))
    body.cut(a_wavy_sheet(0.6))
    assert len(body.parts) == 1
    (change,) = [change for _, change in body.mesh_changes]
    new = change.mesh.points[len(pl.meshes.box((2, 1, 1), (12, 6, 6))) :]
    assert new[:, 1].max() < 0.6
    assert new[:, 1].min() < 1e-3
    assert body.mesh.volume < 2.0  # the blade has opened it


def test_ball_cuts_out_its_inside():
    body = pl.Body(pl.meshes.box((1, 1, 1), (6, 6, 6)), pl.Linear(young=1e5, poisson=0.3))
    body.cut(pl.Sphere((0.5, 1.0, 0.5), 0.4), width=0.0)
    sizes = sorted(part.mesh.volume for part in body.parts)
    assert sum(sizes) == pytest.approx(1.0, rel=1e-12)
    assert sizes[0] == pytest.approx(2 / 3 * np.pi * 0.4**3, rel=0.15)  # cells of a sixth


def test_line_cuts_in_the_plane():
    mesh = pl.meshes.rectangle((2, 1), (16, 8))
    body = pl.Body(mesh, pl.Linear(young=1e5, poisson=0.3))
    body.cut([[0.5, -0.1], [1.0, 0.5], [1.5, -0.1]], width=0.0)
    sizes = sorted(part.mesh.volume for part in body.parts)
    assert sizes == pytest.approx([0.5**2 * (1.0 / 1.2), 2 - 0.5**2 / 1.2], rel=0.05)


def test_surfaces_that_cannot_cut_are_refused():
    body = pl.Body(pl.meshes.box((1, 1, 1), (2, 2, 2)), pl.Linear(young=1e5, poisson=0.3))
    points = [[0.5, 0, 0], [0.5, 1, 0], [0.5, 0, 1], [0.5, 1, 1]]
    with pytest.raises(ValueError, match="all on one side"):
        body.cut(pl.Surface.of(points, [[0, 1, 2], [1, 2, 3]]))
    with pytest.raises(TypeError, match="or a pl.Surface"):
        body.cut([[0, 0], [1, 1]])


@pytest.mark.slow  # the parts of fifty cuts are prepared each
def test_cut_again_and_again_no_cell_inverts():
    """Fifty cuts in a hundred steps: no sliver, no inverted cell, and no momentum from nowhere."""
    mesh = pl.meshes.rectangle((1, 1), (6, 6))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0)
    body.velocity = 0.3 * np.random.default_rng(1).normal(size=mesh.points.shape)
    scene = pl.Scene([body], contact=False)
    random = np.random.default_rng(2)
    momentum = body.masses @ body.velocity
    before, kinetic = len(body.mesh.cells["tri3"]), []
    for k in range(100):
        if k % 2 == 0:
            kinetic.append([0.5 * body.masses @ (body.velocity**2).sum(axis=1)] * 2)
            through = body.positions[random.integers(len(body))]
            across = random.normal(size=2)
            try:
                body.cut(pl.HalfSpace(through, across))
            except pl.MeshError:  # it grazed a corner
                continue
            kinetic[-1][1] = 0.5 * body.masses @ (body.velocity**2).sum(axis=1)
        scene.step(1 / 60)
        x = body.positions
        a, b, c = (x[body.mesh.cells["tri3"][:, i]] for i in range(3))
        assert ((b - a)[:, 0] * (c - a)[:, 1] > (b - a)[:, 1] * (c - a)[:, 0]).all()
    assert len(body.mesh_changes) > 40
    assert len(body.parts) > 40
    assert len(body.mesh.cells["tri3"]) > 3 * before
    # A blade draws points back after the pieces were judged, each time by a twentieth at most.
    assert body.mesh.quality().worst > 0.05
    assert body.masses @ body.velocity == pytest.approx(momentum, abs=1e-9)
    # Parts of a cell or two, which spin, have no masses that keep their moments of inertia: they stay.
    gained = np.array([now / then for then, now in kinetic]) - 1.0
    assert gained.max() < 1e-12 and gained.min() < -1e-3


def test_loose_part_falls_past_what_it_was_cut_from():
    """Under `Settle` it flies as freely as it does undamped, and its clock has not started."""

    def fallen(damping):
        mesh = pl.meshes.box((1, 0.4, 0.4), (5, 2, 2))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4), damping=damping)
        body.fix(mesh.points[:, 0] < 1e-9)
        scene = pl.Scene([body], gravity=(0, -9.81, 0))
        scene.add(pl.HalfSpace((0, -1, 0), (0, 1, 0)))
        body.cut(pl.HalfSpace((0.6, 0, 0), (1, 0, 0)))
        for _ in range(8):
            scene.step(1 / 60)
        loose = body.parts[1]
        return loose.masses @ loose.positions[:, 1] / loose.masses.sum(), loose.state.control

    height, control = fallen(pl.Settle(rest_in=0.5, bounces=None))
    assert control.clock is None
    assert height == pytest.approx(fallen(None)[0], abs=0.02)  # undamped steps fall by 0.01 more
    assert height < 0.2 - 0.07


def test_run_taken_up_after_a_cut_goes_on_to_the_bit(tmp_path):
    from pliant.io.checkpoint import restore, save

    def made():
        mesh = pl.meshes.box((1, 0.4, 0.4), (5, 2, 2))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.4))
        body.fix(mesh.points[:, 0] < 1e-9)
        scene = pl.Scene([body], gravity=(0, -9.81, 0), contact=False)
        scene.settings = {"dt": 1 / 60, "device": "cpu"}
        body.cut(pl.HalfSpace((0.63, 0, 0), (1, 0.2, 0)), at=2 / 60)
        body.cut(pl.HalfSpace((0.3, 0, 0), (1, 0.2, 0)), at=6 / 60)
        return scene, body

    scene, body = made()
    for _ in range(4):
        scene.step(1 / 60)
    save(tmp_path, scene, [part.prepared for part in scene.moving], 4)
    for _ in range(4):
        scene.step(1 / 60)

    again, other = made()
    assert restore(tmp_path, again, frames=5, device="cpu") == 4
    assert len(other.parts) == 2
    for _ in range(4):
        again.step(1 / 60)
    assert len(other.parts) == 3
    assert np.array_equal(body.positions, other.positions)
    assert np.array_equal(body.velocity, other.velocity)
    assert [time for time, _ in other.mesh_changes] == [time for time, _ in body.mesh_changes]


SCENE = """
[run]
seconds = 0.1
[body.cake]
mesh = {{ {mesh} }}
{matter}
cut = [{{ {cut} }}]
"""
BOX = "box = { size = [2, 1, 1], cells = [6, 3, 3] }"
SOLID = "material = { young = 1e5 }"
PLANE = "half_space = { point = [0.9, 0, 0], normal = [1, 0, 0] }, at = 0.05"


def test_scene_files_cut():
    setup = scenefile.parse(SCENE.format(mesh=BOX, matter=SOLID, cut=PLANE)).build()
    (body,) = setup.scene.bodies
    for _ in range(5):
        setup.scene.step(1 / 60)
    assert len(body.parts) == 2


@pytest.mark.parametrize(
    "mesh, matter, cut, said",
    [
        (BOX, SOLID, "at = 1.0", "has no shape"),
        (BOX, SOLID, "line = [[0, 0], [1, 1]]", "a 2D body"),
        (BOX, SOLID, PLANE + ", width = -1", "width"),
        (BOX, SOLID + "\nreduce = { modes = 5 }", PLANE, "stands beside reduce"),
        (BOX.replace("] }", '], kind = "hex" }'), SOLID, PLANE, 'kind="tet"'),
        (BOX, "springs = { stiffness = 100, mass = 0.1 }\n", PLANE, "expected cuts of a material"),
    ],
)
def test_scene_files_refuse_cuts(mesh, matter, cut, said):
    text = SCENE.format(mesh=mesh, matter=matter, cut=cut)
    with pytest.raises(scenefile.SceneError, match=said):
        scenefile.parse(text).build()


def test_parts_that_blades_draw_into_each_other_are_told_and_pass():
    """Five blades leave 19 parts of four cells of a box, two of them a little inside of each other."""
    random = np.random.default_rng(22)
    body = pl.Body(pl.meshes.box((1, 1, 1), (2, 2, 1)), pl.StableNeoHookean(young=1e5, poisson=0.4))
    scene = pl.Scene([body], contact=pl.Contact())
    for _ in range(5):
        where = random.random(3) * 0.6 + 0.2
        body.cut(pl.HalfSpace(where, random.normal(size=3)), at=0.01)
    scene.step(1 / 60)
    assert not scene.passing
    with pytest.warns(
        RuntimeWarning, match="two parts of 'body' intersect after the cut at 0.0167 s"
    ):
        scene.step(1 / 60)
    assert len(scene.passing) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is told once
        scene.step(1 / 60)
