"""Bodies full of liquid: one pressure, an exact volume, and forces in closed form."""

import time

import numpy as np
import pytest

import pliant as pl
from pliant.mesh import Voxels
from pliant.reduced import Lines, Liquid
from pliant.scenefile import SceneError, parse, read

DOWN = (0.0, 0.0, -9.81)
CUBE = pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1))
BALL = pl.meshes.sphere(0.1)


def standing(mesh=CUBE, **more):
    """On its lowest points."""
    body = pl.LongElements(mesh, **{"spacing": 0.02} | more)
    z = body.mesh.points[:, 2]
    body.fix(z < z.min() + 1e-9)
    return body


def surface_of(mesh):
    (faces,) = mesh.boundary.values()
    return pl.Surface.of(mesh.points, faces)


# --- boxes and lines ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spacing, counts", [(0.1, (10, 4, 4)), (0.13, (8, 3, 3)), (9.0, (1, 1, 1))]
)
def test_a_box_is_filled_whatever_the_spacing(spacing, counts):
    found = Voxels.inside(surface_of(pl.meshes.box((1, 0.4, 0.4), (3, 2, 2))), spacing)
    assert found.full.shape == counts and found.full.all()
    assert found.mesh.volume == pytest.approx(0.16, rel=1e-12)


def test_boxes_are_those_whose_middle_is_inside():
    found = Voxels.inside(surface_of(BALL), 0.013)
    middles = found.origin + found.sides * (np.argwhere(np.ones_like(found.full)) + 0.5)
    away = np.linalg.norm(middles, axis=1)
    full = found.full.ravel()
    # Between the ball and its facets, which are at least so far inside of it.
    assert not full[away > 0.1].any() and full[away < 0.095].all()


def test_a_hollow_ball_is_hollow():
    """Whatever way faces look: a ray leaves what it is in an odd number of times."""
    outer, inner = surface_of(BALL), surface_of(pl.meshes.sphere(0.05))
    points = np.concatenate([outer.points, inner.points])
    corners = np.concatenate([outer.corners, inner.corners + len(outer.points)])
    both = pl.Surface(points, np.concatenate([outer.sizes, inner.sizes]), corners)
    full = Voxels.inside(both, 0.02).full
    assert (
        not full[5, 5, 5]
        and full[1, 5, 5]
        and full.sum() < 0.95 * Voxels.inside(outer, 0.02).full.sum()
    )


def test_every_axis_has_the_whole_volume_in_its_lines():
    voxels = Voxels.inside(surface_of(BALL), 0.02)
    points = voxels.mesh.points
    lines = Lines.through(voxels, np.zeros(len(points), dtype=bool))
    volume = lines.sections * lines.lengths
    for axis in range(3):
        own = np.unique(lines.of[:, axis])
        assert own.min() >= 0  # every point is on a line
        assert volume[own].sum() == pytest.approx(voxels.mesh.volume, rel=1e-12)
    assert volume.sum() == pytest.approx(3.0 * voxels.mesh.volume, rel=1e-12)


def test_what_lines_gain_is_the_volume_of_the_mesh():
    """To first order, of any lengthening: the row that keeps the volume is that of the drawn cells."""
    body = standing(BALL)
    system = body.system()
    q = 1e-6 * np.random.default_rng(3).standard_normal(len(system.basis))
    x, u = body.mesh.points, system.basis.expand(q)
    grown = [pl.Mesh(x + sign * u, body.mesh.cells).volume for sign in (-1.0, 1.0)]
    gained = 0.5 * (grown[1] - grown[0])  # what is even in q has gone
    assert gained == pytest.approx(body.elements.sections @ q, rel=1e-6)


def test_pins_cut_lines_and_stay():
    body = pl.LongElements(CUBE, spacing=0.05)
    x = body.mesh.points
    middle = np.abs(x - 0.1).max(axis=1) < 1e-9
    body.fix(middle)
    lines = body.elements
    assert len(lines) == 3 * 25 + 3  # three lines have become two each
    assert np.sort(lines.lengths)[:6] == pytest.approx(0.1)
    assert (lines.of[middle] == -1).all() and not lines.shares[middle].any()
    u = body.rest_shape(DOWN) - x
    assert not u[middle].any() and np.abs(u).max() > 1e-5


# --- what section 5 of the design asks ------------------------------------------------------


@pytest.mark.parametrize("mesh", [CUBE, BALL], ids=["cube", "ball"])
def test_the_pressure_is_one_in_all_elements(mesh):
    body = standing(mesh)
    body.push(force=(0.1, 0.2, -0.3), on=np.flatnonzero(body.mesh.points[:, 2] > 0.08))
    pressure, each = body.pressure(DOWN), body.pressures(DOWN)
    # Rounding of K dl, whose terms are a hundred times what is left.
    np.testing.assert_allclose(each, pressure, atol=1e-12 * np.abs(pressure) + 1e-9)
    assert abs(pressure) > 100.0


@pytest.mark.parametrize("mesh", [CUBE, BALL], ids=["cube", "ball"])
def test_the_volume_is_kept(mesh):
    body = standing(mesh, damping=pl.Settle(0.5, 2))
    body.place(body.mesh.points + 0.003 * np.sin(40.0 * body.mesh.points) * ~body.pinned[:, None])
    take = pl.Scene(body, gravity=DOWN).run(seconds=0.3, dt=1 / 30)
    assert abs(body.volume_change) < 1e-12
    assert np.abs(np.diff(take.positions, axis=0)).max() > 1e-4


def equal_elements(n, area=1e-4, length=0.1, young=2e4, tension=0.0):
    nothing = np.zeros((0, 3))
    pairs = np.stack(np.triu_indices(n, 1), axis=1)
    lines = Lines(
        np.full(n, length), np.full(n, area), pairs, np.zeros(n, int), 
        nothing.astype(int), nothing,
    )  # fmt: skip
    return Liquid(lines, young=young, tension=tension)


def pressed(liquid, element, by):
    """The force on an element that is pressed so far, by rank one, and all lengthenings."""
    unit = np.zeros(len(liquid.lines))
    unit[element] = 1.0
    column = liquid.answer(unit).lengthening
    return by / column[element], column * (by / column[element])


@pytest.mark.parametrize("tension", [0.0, 7.0])
def test_a_press_on_equal_elements_has_a_closed_form(tension):
    """(A E/l + n tension) dl n/(n - 1): all others give way alike, each by dl/(n - 1)."""
    n, by = 24, -0.004
    liquid = equal_elements(n, tension=tension)
    force, dl = pressed(liquid, 5, by)
    k = 1e-4 * 2e4 / 0.1 + n * tension
    assert force == pytest.approx(k * by * n / (n - 1), rel=1e-12)
    np.testing.assert_allclose(np.delete(dl, 5), -by / (n - 1), rtol=1e-12)


def test_a_press_on_a_body_has_a_closed_form():
    """Without tension A E dl (1/l + A/V): V is the volume of all other elements, which swell alike."""
    body = standing(CUBE, tension=0.0, young=3e4)
    top = np.flatnonzero((np.abs(body.mesh.points - [0.1, 0.1, 0.2]) < 1e-9).all(axis=1))
    lines, by = body.elements, -0.002
    i = int(lines.of[top[0], 2])
    area, length = lines.sections[i], lines.lengths[i]
    others = float(lines.sections @ lines.lengths) - area * length
    force = by / body.responses(top)[top[0], 2, 0, 2]
    assert force == pytest.approx(area * 3e4 * by * (1.0 / length + area / others), rel=1e-12)


def test_a_press_is_what_a_load_of_that_force_does():
    body = standing(BALL)
    top = np.flatnonzero(body.mesh.points[:, 2] > 0.08)[:1]
    column = body.responses(top)[:, :, 0, 2]
    body.push(force=(0.0, 0.0, -0.7), on=top)
    u = body.rest_shape() - body.mesh.points
    np.testing.assert_allclose(u, -0.7 * column, atol=1e-12 * np.abs(u).max())


def test_responses_are_symmetric_and_give_way():
    body = standing(BALL)
    nodes = np.flatnonzero(~body.pinned)[::7]
    C = body.responses(nodes)[nodes].reshape(3 * len(nodes), -1)
    np.testing.assert_allclose(C, C.T, atol=1e-12 * np.abs(C).max())
    assert np.linalg.eigvalsh(C).min() > -1e-12 * np.abs(C).max()


@pytest.mark.parametrize("mesh", [CUBE, BALL], ids=["cube", "ball"])
def test_weight_makes_it_bulge_below(mesh):
    body = standing(mesh)
    x = body.mesh.points
    z = (x[:, 2] - x[:, 2].min()) / np.ptp(x[:, 2])
    u = body.rest_shape(DOWN) - x
    out = np.einsum("ni,ni->n", u[:, :2], x[:, :2] - x[:, :2].mean(axis=0))
    low, high = (z > 0.15) & (z < 0.45), z > 0.65
    assert out[low].mean() > 0.0 > out[high].mean()
    assert u[z > 0.99, 2].mean() < 0.0


def test_the_weight_on_the_skin_is_that_of_the_liquid():
    for body in (standing(BALL), standing(CUBE)):
        load = body.loads_at(body.mesh.points, 0.0, np.array([1.0, 2.0, -9.81]))
        expected = 1000.0 * body.mesh.volume * np.array([1.0, 2.0, -9.81])
        np.testing.assert_allclose(load.sum(axis=0), expected, rtol=1e-12)
        assert body.masses.sum() == pytest.approx(1000.0 * body.mesh.volume, rel=1e-12)


def test_the_closed_form_of_an_even_pressure_in_depth():
    """Free elements across, no tension: dl = (density g h + dP) l/E."""
    body = pl.LongElements(CUBE, spacing=0.05, tension=0.0)
    u = body.rest_shape(DOWN) - body.mesh.points
    pressure = body.pressure(DOWN)
    x = body.mesh.points
    side = x[:, 0] > 0.2 - 1e-9
    dl_of = 2.0 * u[side, 0]
    expected = (1000.0 * 9.81 * (0.2 - x[side, 2]) + pressure) * 0.2 / 2e4
    np.testing.assert_allclose(dl_of, expected, atol=1e-12 * np.abs(expected).max())
    assert len(body.elements) == 75


@pytest.mark.slow
def test_ten_thousand_elements_are_pressed_a_thousand_times_a_second():
    """Each press somewhere else, in processor time: 0.34 ms measured, the volume kept."""
    body = pl.LongElements(pl.meshes.sphere(0.1, 10), spacing=0.003)
    body.fix(body.mesh.points[:, 2] < -0.09)
    free = np.flatnonzero(~body.pinned & (body.elements.of >= 0).all(axis=1))
    liquid, basis = body.system().liquid, body.system().basis
    assert len(basis) > 10_000
    spent = []
    for place in np.random.default_rng(0).choice(free, 200):
        began = time.process_time()
        unit = np.zeros(len(basis))
        unit[basis.of[place]] = basis.shares[place]
        dl = liquid.answer(unit).lengthening
        spent.append(time.process_time() - began)
        assert abs(body.elements.sections @ dl) < 1e-12 * np.abs(body.elements.sections * dl).sum()
    assert np.median(spent) < 1e-3


# --- time -----------------------------------------------------------------------------------


@pytest.mark.parametrize("dt", [1 / 240, 1 / 12])
@pytest.mark.parametrize("bounces", [0, 2])
def test_it_rests_on_cue_at_any_step(bounces, dt):
    body = standing(BALL, damping=pl.Settle(1.0, bounces))
    take = pl.Scene(body, gravity=DOWN).run(seconds=1.2, dt=dt)
    assert take.rest_time() == pytest.approx(1.0, rel=0.005)


def test_the_law_is_that_of_static_models():
    """u+ = [(1 + kappa) u - kappa u- + W u_static]/(1 + W), with the numbers of `Settle.gains`."""
    settle = pl.Settle(0.8, 3)
    body, dt = standing(BALL, damping=settle), 1 / 60
    x = pl.Scene(body, gravity=DOWN).run(seconds=0.5, dt=dt).positions
    law, goal = settle.gains(dt), body.rest_shape(DOWN)
    made = ((1 + law.kappa) * x[1:-1] - law.kappa * x[:-2] + law.W * goal) / (1 + law.W)
    np.testing.assert_allclose(x[2:], made, atol=1e-12)


def test_without_damping_every_frame_is_at_rest():
    body = standing(BALL)
    body.push(force=lambda t: (0.5 * np.sin(9.0 * t), 0.0, 0.0), on=[len(body) - 1])
    x = pl.Scene(body, gravity=DOWN).run(seconds=0.2, dt=0.05).positions
    body.reset()
    for k in (1, 3):
        body.unpush()
        body.push(force=(0.5 * np.sin(9.0 * 0.05 * k), 0.0, 0.0), on=[len(body) - 1])
        np.testing.assert_allclose(x[k], body.rest_shape(DOWN), atol=1e-14)


def test_what_holds_it_may_move_and_turn():
    """Its weight is that of a body that stands as it does."""
    body = standing(BALL, damping=pl.Settle(0.2))
    foot = body.pinned
    angle, home = 0.3, body.mesh.points[foot]

    def turned(t):
        a = angle * min(t / 0.2, 1.0)
        turn = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
        return home @ turn.T + [min(t, 0.2), 0, 0]

    body.move(foot, turned)
    take = pl.Scene(body, gravity=DOWN).run(seconds=0.8, dt=0.02)
    turn = np.array(
        [[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]]
    )
    other = standing(BALL)
    there = other.rest_shape(turn.T @ DOWN) @ turn.T + [0.2, 0, 0]
    np.testing.assert_allclose(take.positions[-1], there, atol=1e-6)


# --- files ----------------------------------------------------------------------------------


def test_takes_keep_lengthenings_and_read_the_same(tmp_path):
    body = standing(BALL, damping=pl.Settle(0.3, 1))
    pl.Scene(body, gravity=DOWN).run(seconds=0.2, into=tmp_path / "a.zarr")
    again = pl.Take.read(tmp_path / "a.zarr")
    again.save(tmp_path / "b.npz")
    body.reset()
    x = pl.Scene(body, gravity=DOWN).run(seconds=0.2).positions
    for name in ("a.zarr", "b.npz"):
        np.testing.assert_allclose(pl.Take.read(tmp_path / name).positions, x, atol=1e-15)
    coordinates = tmp_path / "a.zarr" / "body0" / "reduced" / "coordinates"
    assert coordinates.exists() and not (tmp_path / "a.zarr" / "body0" / "positions").exists()


SCENE = """
[run]
seconds = 0.5
gravity = [0, -9.81, 0]

[body.cushion]
mesh = { box = { size = [0.4, 0.1, 0.4], cells = [1, 1, 1] } }
long_elements = { spacing = 0.05, young = 5e4, tension = 2.0, density = 900 }
fix = "y < 0.001"
settle = { rest_in = 0.4 }
"""


def test_a_scene_file_makes_one_and_selects_its_points():
    setup = parse(SCENE).build()
    body = setup.bodies["cushion"]
    assert isinstance(body, pl.LongElements) and body.young == 5e4 and body.spacing == 0.05
    assert body.pinned.sum() == 81 and len(body) == 243
    take = setup.run(progress=False)
    assert take.rest_time() == pytest.approx(0.4, rel=0.01)


# --- what is refused ------------------------------------------------------------------------


def open_box():
    faces = CUBE.boundary["tri3"][1:]
    return pl.LongElements(pl.Surface.of(CUBE.points, faces))


def two_boxes():
    other = pl.meshes.box((0.2, 0.2, 0.2), (1, 1, 1))
    points = np.concatenate([CUBE.points, other.points + 1.0])
    faces = np.concatenate([CUBE.boundary["tri3"], other.boundary["tri3"] + len(CUBE)])
    return pl.LongElements(pl.Surface.of(points, faces))


def in_scene(body, **more):
    return pl.Scene(body, **more).run(seconds=0.1, progress=False)


def pushed(**load):
    body = standing()
    body.push(**load)


def on_obstacle():
    scene = pl.Scene(standing())
    scene.add(pl.HalfSpace(point=(0, 0, -1), normal=(0, 0, 1)))
    scene.run(seconds=0.1)


REFUSED = {
    "no surface": (
        lambda: pl.LongElements([1, 2]),
        "surface of type list; expected a closed surface",
    ),
    "open": (open_box, "LongElements: the surface is not closed: 3 open edges in 1 hole"),
    "flat": (lambda: pl.LongElements(pl.meshes.rectangle()), "expected triangles, quads or solid"),
    "two": (two_boxes, "boxes in 2 pieces are inside of the surface; expected one piece"),
    "coarse": (
        lambda: pl.LongElements(pl.meshes.cylinder(0.01, 1.0), spacing=1e-12),
        r"LongElements: a grid of .* boxes takes at least .*; expected spacing=4e-12 or more",
    ),
    "spacing": (
        lambda: pl.LongElements(CUBE, spacing=0.0),
        r"got spacing=0.0; expected more than 0 \[m\]",
    ),
    "young": (
        lambda: pl.LongElements(CUBE, young=-1.0),
        r"got young=-1.0; expected more than 0 \[Pa\]",
    ),
    "tension": (
        lambda: pl.LongElements(CUBE, tension=-1.0),
        r"got tension=-1.0; expected 0 or more \[N/m\]",
    ),
    "wind": (lambda: pushed(wind=(1, 0, 0)), "long_elements: got wind, which answers to velocity"),
    "rayleigh": (
        lambda: in_scene(standing(damping=pl.Rayleigh(mass=1.0))),
        r"long elements have no motion of their own: expected pl.Settle, or None",
    ),
    "another": (
        lambda: in_scene(standing(damping=pl.EnergyMinimising())),
        "got the damping pl.EnergyMinimising; expected .* for a body of long elements",
    ),
    "stepper": (
        lambda: pl.Scene(standing()).run(seconds=0.1, stepper=pl.Newmark()),
        "got the stepper Newmark; a body of long elements is moved by steps of its own",
    ),
    "obstacle": (on_obstacle, "got an obstacle, and a body of long elements touches nothing yet"),
    "nodes": (lambda: standing().responses([9999]), r"responses\(nodes\): got indices \[9999\]"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_refused(what):
    call, said = REFUSED[what]
    with pytest.raises((TypeError, ValueError), match=said):
        call()


def test_a_scene_file_says_that_its_surface_is_open(tmp_path):
    half = pl.Surface.of(CUBE.points, CUBE.boundary["tri3"][1:])
    half.write(tmp_path / "open.obj")
    text = SCENE.replace(
        "{ box = { size = [0.4, 0.1, 0.4], cells = [1, 1, 1] } }", '{ file = "open.obj" }'
    )
    (tmp_path / "scene.toml").write_text(text)
    with pytest.raises(SceneError, match="not closed: 3 open edges in 1 hole"):
        read(tmp_path / "scene.toml").build()


# --- a hand ---------------------------------------------------------------------------------


def touched(mesh, **more):
    body = standing(mesh, **more)
    return body, pl.Probe(body, radius=0.03)


def test_a_probe_presses_its_skin_and_the_volume_is_kept():
    body, probe = touched(BALL, damping=pl.Settle(0.4, 2))
    top = body.skin.surface.points[:, 2].max()
    force = probe.press(at=(0, 0, top), by=(0, 0, -0.004))
    assert force[2] > 0.1 and np.abs(force[:2]).max() < 0.2 * force[2]
    assert probe.positions[:, 2].max() < top
    twice = probe.press(at=(0, 0, top), by=(0, 0, -0.008))
    np.testing.assert_allclose(twice[2], 2.0 * force[2], rtol=1e-9)
    probe.let_go()
    assert abs(body.volume_change) < 1e-12 and np.abs(body.lengthenings).max() > 1e-3
    assert pl.Scene(body).run(seconds=0.5).rest_time() == pytest.approx(0.4, rel=0.01)


def test_a_pad_feels_what_the_points_under_it_would():
    """On a box, whose surface points are points of boxes: K_c^-1 of them, and one per cent of skin."""
    mesh = pl.meshes.box((0.2, 0.2, 0.2), (4, 4, 4))
    body, probe = touched(mesh, spacing=0.05)
    force = probe.press(at=(0.1, 0.1, 0.2), by=(0, 0, -0.002))
    (node,) = probe.nodes
    place = body.skin.surface.points[node]
    i = np.flatnonzero(np.linalg.norm(body.mesh.points - place, axis=1) < 1e-9)
    alone = 0.002 / body.responses(i)[i[0], 2, 0, 2]
    assert force[2] == pytest.approx(alone, rel=0.03) and force[2] < alone


def test_what_a_hand_does_on_a_closed_path_is_no_gain():
    _, probe = touched(BALL, tension=1.0)
    work, last = 0.0, None
    for turn in np.linspace(0.0, 2.0 * np.pi, 200):
        at = np.array([0.02 * np.cos(turn), 0.0, 0.118 + 0.008 * np.sin(turn)])
        force = probe.poke(at=at)
        if last is not None:
            work += 0.5 * (force + last[1]) @ (at - last[0])
        last = at, force
    # The ball is pushed by some newtons over some millimetres; the rest is of the trapezium rule.
    assert abs(work) < 2e-2 * probe.energy + 1e-5


def test_the_columns_of_the_skin_are_symmetric():
    _, probe = touched(BALL)
    nodes = np.flatnonzero(~probe.compliance.held)[::11]
    C = probe.compliance.columns(nodes)[nodes].reshape(3 * len(nodes), -1)
    np.testing.assert_allclose(C, C.T, atol=1e-12 * np.abs(C).max())
    assert np.linalg.eigvalsh(C).min() > 0.0
