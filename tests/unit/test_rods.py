"""Bodies that are rods."""

import numpy as np
import pytest

import pliant as pl
from pliant.energies.assembly import Assembly

MATTER = {"young": 1e7, "poisson": 0.3, "density": 1000.0}
LINE = np.linspace([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], 21)


def rod(curve=LINE, **how):
    section = {} if {"radius", "width"} & set(how) else {"width": 0.02, "height": 0.02}
    return pl.Rod(curve, **(MATTER | section | how))


def circle(n=24):
    a = 2 * np.pi * np.arange(n) / n
    return np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)


def helix(n=40, turns=2.0):
    t = np.linspace(0.0, 2 * np.pi * turns, n + 1)
    return np.stack([np.cos(t), 0.3 * t, np.sin(t)], axis=1)


def energy(body, x):
    return Assembly(len(body), 3, body.energies(device="cpu")).value(x)


def test_nodes_are_three_points_around_the_curve():
    body = rod()
    assert len(body) == 63 and body.nodes == 21
    np.testing.assert_allclose(body.centreline, LINE, atol=1e-15)
    np.testing.assert_array_equal(body.node(0), [0, 1, 2])
    np.testing.assert_array_equal(body.node(-1), [60, 61, 62])
    np.testing.assert_array_equal(body.node([1, 3]), [3, 4, 5, 9, 10, 11])
    with pytest.raises(ValueError, match="0 to 20"):
        body.node(21)
    many = np.stack([body.positions, body.positions + 1.0])
    np.testing.assert_allclose(body.along(many)[1], LINE + 1.0, atol=1e-12)


@pytest.mark.parametrize("section", [{"width": 0.1, "height": 0.3}, {"radius": 0.1}])
def test_masses_turn_as_sluggishly_as_the_section(section):
    body = rod(**section)
    A = 0.03 if "width" in section else np.pi * 0.01
    assert body.masses.sum() == pytest.approx(1000 * A)
    assert body.section.area == pytest.approx(A)
    second = np.einsum("p,pi,pj->ij", body.masses, body.positions, body.positions)
    across = [0.3**2 / 12, 0.1**2 / 12] if "width" in section else [0.01 / 4, 0.01 / 4]
    np.testing.assert_allclose(second[1:, 1:], 1000 * A * np.diag(across), atol=1e-12)


@pytest.mark.parametrize(
    "curve, closed", [(LINE, False), (circle(), True), (helix(), False), (LINE[:2], False)]
)
def test_frames_are_across_the_curve_and_do_not_twist(curve, closed):
    body = rod(curve, closed=closed)
    d = body.directors
    np.testing.assert_allclose(d @ d.swapaxes(1, 2), np.eye(2) * np.ones((len(d), 1, 1)), atol=1e-9)
    a, b = body.elements.T
    t = curve[b] - curve[a]
    mean = (d[a] + d[b]) / 2
    # The chord of a helix is not quite in the plane that its tangents' mean is across to: h^2.
    assert np.abs(np.einsum("ecd,ed->ec", mean, t)).max() < 0.02 * np.linalg.norm(t, axis=1).max()
    twist = np.einsum("ed,ed->e", d[b, 0], d[a, 1]) - np.einsum("ed,ed->e", d[a, 0], d[b, 1])
    assert np.abs(twist).max() < 1e-9
    assert energy(body, body.positions) < 1e-18


def test_a_closed_curve_in_space_spreads_its_twist():
    a = 2 * np.pi * np.arange(60) / 60
    knot = np.stack([np.cos(a), np.sin(a), 0.5 * np.cos(3 * a + 1) + np.sin(2 * a)], axis=1)
    body = rod(knot, closed=True)
    d, (a, b) = body.directors, body.elements.T
    twist = np.einsum("ed,ed->e", d[b, 0], d[a, 1]) - np.einsum("ed,ed->e", d[a, 0], d[b, 1])
    assert len(body.elements) == 60
    rate = np.arcsin(twist / 2) / np.linalg.norm(knot[b] - knot[a], axis=1)
    # The measure of twist is less by how far neighbours bend, up to half a radian here.
    assert np.ptp(rate) < 0.15 * np.abs(rate).mean() and 0.01 < np.abs(rate).max() < 1.0


def test_up_turns_the_section():
    assert rod().directors[3, 1] == pytest.approx([0, 1, 0])
    assert rod(up=(0, 1, 1)).directors[3, 1] == pytest.approx([0, 0.5**0.5, 0.5**0.5])
    a = np.linspace(0.0, np.pi, 21)
    each = np.stack([0 * a, np.cos(a), np.sin(a)], axis=1)
    np.testing.assert_allclose(rod(up=each).directors[:, 1], each, atol=1e-12)


def test_a_mesh_of_lines_is_many_strands():
    points = np.concatenate([LINE, LINE + [0, 0, 1.0], circle(8) + [3, 0, 0]])
    pairs = [(i, i + 1) for i in range(20)] + [(i + 1, i) for i in range(21, 41)]
    pairs += [(42 + i, 42 + (i + 1) % 8) for i in range(8)]
    body = rod(pl.Mesh(points, {"line": pairs}))
    np.testing.assert_allclose(body.centreline, points, atol=1e-12)
    assert len(body.elements) == 48 and len(np.unique(body.components)) == 3
    assert body.facts()["strands"] == 3
    assert body.masses.sum() == pytest.approx(1000 * 4e-4 * (2 + 8 * 2 * np.sin(np.pi / 8)))


@pytest.mark.parametrize("section", [{"width": 0.02, "height": 0.05}, {"radius": 0.03}])
def test_its_skin_is_a_tube_that_turns_along(section):
    body = rod(**section)
    surface = body.skin.surface
    report = surface.report()
    assert report.closed and report.oriented
    known = body.section.area if "width" in section else 12 * 0.03**2 * np.sin(np.pi / 6) / 2
    assert report.volume == pytest.approx(known, rel=1e-9)
    turned = body.positions @ np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]).T + 2.0
    expected = surface.points @ np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]).T + 2.0
    np.testing.assert_allclose(body.skin.positions(turned), expected, atol=1e-12)
    ring = rod(circle(), closed=True, **section).skin.surface.report()
    assert ring.closed and ring.oriented


def test_a_skin_is_worn_and_taken_off():
    body = rod(radius=0.03)
    own = body.skin
    body.wear(rod(radius=0.05).skin)
    assert np.ptp(body.skin.surface.points[:, 1]) == pytest.approx(0.1)
    body.wear(None)
    np.testing.assert_array_equal(body.skin.surface.points, own.surface.points)


@pytest.mark.parametrize("bounces", [None, 0, 2])
def test_a_rod_rests_on_cue(bounces):
    body = rod()
    body.fix(body.node(0))
    scene = pl.Scene([body], gravity=(0, -1.0, 0))
    load = body.push(force=(0, 2e-4, 0), on=body.node(-1))
    bent = scene.equilibrium().positions[0]
    body.unpush(load)
    body.reset()
    body.place(bent)  # a tenth of its thickness from rest
    body.damping = pl.Settle(0.8, bounces)
    take = scene.run(seconds=1.0, dt=1 / 60, progress=False)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


def test_a_falling_ring_spins_on():
    body = rod(circle(), closed=True)
    spin = np.cross([0.0, 0.0, 2.0], body.positions)
    body.velocity = spin
    momentum = np.cross(body.positions, body.masses[:, None] * spin).sum(axis=0)
    body.damping = pl.Settle(0.5)
    pl.Scene([body], gravity=(0, -9.81, 0)).run(seconds=0.2, dt=1 / 240, progress=False)
    v = body.velocity
    centre = body.masses @ body.positions / body.masses.sum()
    found = np.cross(body.positions - centre, body.masses[:, None] * v).sum(axis=0)
    assert body.masses @ v / body.masses.sum() == pytest.approx([0, -9.81 * 0.2, 0], abs=1e-9)
    np.testing.assert_allclose(found, momentum, rtol=2e-2, atol=1e-6 * momentum[2])


@pytest.mark.parametrize(
    "stepper",
    [pl.LinearisedImplicit(), pl.BDF2(), pl.Newmark(), pl.SymplecticEuler(), pl.RungeKutta4()],
    ids=lambda s: type(s).__name__,
)
def test_steppers_move_it_alike(stepper):
    explicit = isinstance(stepper, pl.SymplecticEuler | pl.RungeKutta4)

    def after(stepper, dt):
        body = rod(LINE[::5], width=0.1, height=0.1, young=1e6)
        body.fix(body.node(0))
        if explicit:
            assert dt < pl.SymplecticEuler().longest_dt(body.system())
        scene = pl.Scene([body], gravity=(0, -9.81, 0))
        scene.run(seconds=0.1, dt=dt, stepper=stepper, progress=False)
        return body.centreline

    # It falls by up to g t^2/2 = 49 mm; steps of first order miss by g t dt/2 = 0.5 mm at 1/1000.
    found, usual = after(stepper, 1 / 1000), after(pl.Implicit(), 1 / 1000)
    assert usual[:, 1].min() < -0.03
    assert np.abs(found - usual).max() < 1e-3


def test_rods_and_shells_and_solids_share_a_scene(tmp_path):
    flat = pl.meshes.rectangle((1.0, 0.5), (4, 2))
    sheet = pl.Mesh(np.insert(flat.points, 1, 2.0, axis=1), flat.cells)
    bodies = [
        rod(radius=0.02),
        pl.Shell(sheet, **MATTER, thickness=0.02),
        pl.Body(pl.meshes.box((0.5, 0.5, 0.5), (2, 2, 2)), pl.Linear(young=1e6, poisson=0.3)),
    ]
    for body in bodies:
        body.fix([0, 1, 2])
    take = pl.Scene(bodies, gravity=(0, -9.81, 0)).run(seconds=0.1, progress=False)
    for suffix in (".npz", ".glb", ".usda", ".vtkhdf"):
        assert take.save(tmp_path / f"all{suffix}").stat().st_size > 5000
    saved = pl.Take.read(tmp_path / "all.npz")
    np.testing.assert_array_equal(saved.tracks[0].positions, take[bodies[0]].positions)
    np.testing.assert_allclose(saved.tracks[0].skin.surface.points, bodies[0].skin.surface.points)


@pytest.mark.parametrize(
    "curve, how, words",
    [
        (LINE, {"radius": 0.0}, "radius=0.0; expected more than 0"),
        (LINE, {"width": 0.1}, "either width= and height=, or radius="),
        (LINE, {"width": 0.1, "height": 0.1, "radius": 0.1}, "either width= and height="),
        (LINE, {"width": 0.1, "height": float("inf")}, "height=inf"),
        (LINE, {"young": 0.0}, "young"),
        (LINE, {"poisson": -1.0}, "poisson"),
        (LINE, {"up": (1, 0, 0)}, "across"),
        (LINE, {"up": (1, 0)}, r"up=\(1, 0\); expected 3 finite"),
        (LINE, {"up": (0, float("nan"), 0)}, "3 finite numbers"),
        (LINE, {"up": "y"}, "up='y'; expected 3 finite"),
        (np.eye(3)[[0, 1, 2, 0]], {}, "closed=True and that point once"),
        (np.eye(3)[[0, 1, 2, 0]], {"closed": True}, "closed=True and that point once"),
        (LINE[:1], {}, "1 points"),
        (LINE[:2], {"closed": True}, "3 of a closed"),
        (LINE[:, :2], {}, "in order"),
        ("a curve", {}, "in order"),
        (LINE[[0, 1, 1, 2]], {}, "in one place"),
        (LINE[[0, 2, 1]], {}, "turns back"),
        (pl.meshes.box(), {}, "lines in 3D"),
    ],
)
def test_bad_rods_are_refused(curve, how, words):
    with pytest.raises(ValueError, match=words):
        rod(curve, **how)


def test_rods_have_no_surface_to_push():
    body = rod()
    with pytest.raises(ValueError, match="no surface"):
        body.push(pressure=1.0)
    load = body.push(volume=(0, 5.0, 0))
    total = body.loads_at(body.positions, 0.0, np.zeros(3)).sum(axis=0)
    assert total == pytest.approx([0, 5.0 * 4e-4, 0])
    body.unpush(load)
