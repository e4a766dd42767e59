"""A probe on bodies of finite elements: what it finds, what it refuses, and how the body goes on."""

import numpy as np
import pytest
import scipy.sparse.linalg as sla

import pliant as pl
from pliant.solvers import one_sided
from pliant.touch.ball import depths_of

MESH = pl.meshes.box((1, 1, 2), (4, 4, 6))
TOP = (0.5, 0.5, 2.0)


def block(held=True):
    body = pl.Body(MESH, pl.StableNeoHookean(young=1e6, poisson=0.3))
    if held:
        body.fix(MESH.points[:, 2] < 1e-9)
    return body


@pytest.fixture(scope="module")
def touch():
    return pl.Probe(block(), radius=0.3)


def refactored(body, nodes, way):
    """Displacements and forces when nodes go along a way, by factoring the whole matrix anew."""
    system = body.system()
    K = system.stiffness(MESH.points).tocsc()
    u = np.zeros((len(MESH), 3))
    u[nodes] = way
    known = np.isin(np.flatnonzero(system.free), nodes).repeat(3)
    flat = u[system.free].ravel()
    flat[~known] = sla.spsolve(K[~known][:, ~known], -K[~known][:, known] @ flat[known])
    u[system.free] = flat.reshape(-1, 3)
    return u, (K @ flat)[known].reshape(-1, 3)


def test_a_touch_equals_factoring_anew(touch):
    way = np.array([0.005, 0.0, -0.05])
    felt = touch.press(at=TOP, by=way)
    (points,) = (np.flatnonzero((MESH.points == node).all(axis=1)) for node in [TOP])
    nodes = [np.flatnonzero((MESH.points == p).all(axis=1))[0] for p in pressed(touch)]
    assert points[0] in nodes and len(nodes) == 5
    u, forces = refactored(block(), nodes, way)
    assert (forces[:, 2] < 0.0).all()  # nothing is let go
    np.testing.assert_allclose(touch.forces, forces, rtol=0, atol=1e-10 * np.abs(forces).max())
    np.testing.assert_allclose(felt, -forces.sum(axis=0), atol=1e-10 * np.abs(forces).max())
    surface = touch.compliance.points
    np.testing.assert_allclose(touch.positions - MESH.points[surface], u[surface], atol=1e-12)
    assert touch.energy == pytest.approx(0.5 * np.vdot(u[nodes], forces), rel=1e-10)


def pressed(touch):
    return touch.compliance.nodes[touch.nodes]


def test_a_touch_pushes_back_and_cannot_pull(touch):
    assert touch.press(at=TOP, by=(0, 0, -0.02))[2] > 100.0
    np.testing.assert_array_equal(touch.press(at=TOP, by=(0, 0, 0.02)), 0.0)
    np.testing.assert_array_equal(touch.positions, touch.compliance.surface.points)
    # A pad that is tilted about an edge: some of its nodes press, and none pulls.
    touch.press(at=TOP, by=(0.1, 0, -0.01))
    assert (touch.forces[:, 2] <= 0.0).all() and (touch.forces[:, 2] == 0.0).any()


def test_forces_are_the_same_however_the_set_is_found():
    rng = np.random.default_rng(3)
    for _ in range(20):
        half = rng.standard_normal((9, 9))
        A, b, bounded = (
            half @ half.T + 0.1 * np.eye(9),
            rng.standard_normal(9),
            np.arange(9) % 3 < 2,
        )
        f = one_sided(A, b, bounded)
        gap = A @ f - b
        assert (f[bounded] <= 0.0).all() and np.abs(gap[~bounded]).max() < 1e-9
        assert (gap[bounded] < 1e-9).all() and np.abs(f * gap)[bounded].max() < 1e-9


def test_the_hard_way_finds_the_same(monkeypatch):
    rng = np.random.default_rng(4)
    half = rng.standard_normal((12, 12))
    A, b, bounded = half @ half.T, rng.standard_normal(12), np.arange(12) > 2
    f = one_sided(A, b, bounded)
    monkeypatch.setattr("pliant.solvers.bounded.ROUNDS", 0)
    np.testing.assert_allclose(one_sided(A, b, bounded), f, atol=1e-8)


def test_a_ball_meets_the_surface_with_its_whole_radius(touch):
    np.testing.assert_array_equal(touch.poke(at=(0.5, 0.5, 2.31)), 0.0)
    assert not len(touch.nodes)
    near = touch.poke(at=(0.5, 0.5, 2.29))
    deep = touch.poke(at=(0.5, 0.5, 2.1))
    assert 0.0 < near[2] < deep[2] and abs(deep[0]) < 1e-9 * deep[2]
    # The node in the middle is where the bottom of the ball is.
    assert touch.positions[:, 2].min() >= 0.0
    middle = np.linalg.norm(touch.compliance.nodes - TOP, axis=1).argmin()
    assert touch.positions[middle, 2] == pytest.approx(1.8, abs=1e-12)


def test_a_pinch_takes_from_both_sides(touch):
    left, right = touch.pinch(at=((0, 0.5, 1.2), (1, 0.5, 1.2)), by=0.1)
    assert left[0] < -100.0 and right[0] == pytest.approx(-left[0], rel=1e-9)
    assert touch.positions[:, 0].min() < 0.0  # the body bulges where it is not held
    np.testing.assert_array_equal(touch.pinch(at=((0, 0.5, 1.2), (1, 0.5, 1.2)), by=-0.1), 0.0)


@pytest.mark.parametrize("bounces", [None, 1])
def test_what_is_let_go_rests_on_cue(bounces):
    body = block()
    body.damping = pl.Settle(0.5, bounces)
    touch = pl.Probe(body, radius=0.3)
    touch.press(at=TOP, by=(0.05, 0, -0.1))
    held = touch.positions
    touch.let_go()
    np.testing.assert_allclose(body.positions[touch.compliance.points], held, atol=1e-12)
    np.testing.assert_array_equal(touch.positions, touch.compliance.surface.points)
    take = pl.Scene(body).run(seconds=0.6, dt=1 / 60)
    assert np.ptp(take.positions[:, :, 2], axis=0).max() > 0.05
    measured = take.rest_time() if bounces is None else take.ring().rest_time(0.01)
    assert measured == pytest.approx(0.5, rel=0.03)  # what Settle promises on any body


def test_small_deformation_is_about_the_rest_shape():
    gravity = (0, 0, -40.0)
    touch = pl.Probe(block(), radius=0.3, gravity=gravity)
    rest = block().rest_shape(gravity)
    np.testing.assert_allclose(touch.positions, rest[touch.compliance.points], atol=1e-9)
    stiffer = touch.press(at=rest[np.abs(MESH.points - TOP).sum(axis=1).argmin()], by=(0, 0, -0.01))
    plain = pl.Probe(block(), radius=0.3).press(at=TOP, by=(0, 0, -0.01))
    assert abs(stiffer[2] / plain[2] - 1.0) > 0.01


def test_the_compliance_is_symmetric_and_that_of_modes_is_the_full_bodys():
    body = block()
    own = body.compliance()
    free = np.flatnonzero(~own.held)[::7]
    C = own.columns(free)[free].reshape(3 * len(free), -1)
    np.testing.assert_allclose(C, C.T, atol=1e-12 * np.abs(C).max())
    modal = pl.Modal(body, modes=10).compliance()
    np.testing.assert_allclose(modal.columns(free)[free].reshape(C.shape), C, atol=1e-10 * C.max())


def test_no_closed_path_of_the_hand_gains_work(touch):
    """What is summed around a path is what its steps leave out: it falls with their square."""

    def work(hand, path):
        forces = np.array([hand(p) for p in path])
        mean = 0.5 * (forces[1:] + forces[:-1])
        paid = -np.minimum((mean * np.diff(path, axis=0)).sum(axis=1), 0.0).sum()
        return (mean * np.diff(path, axis=0)).sum() / paid

    def round_trip(steps):
        t = np.linspace(0.0, 2.0 * np.pi, steps + 1)
        return np.stack([0.02 * np.cos(t), 0.01 * np.sin(t), -0.01 + 0.03 * np.sin(t + 1)], axis=1)

    def press(by):
        return touch.press(at=TOP, by=by)

    gained = [abs(work(press, round_trip(n))) for n in (50, 100, 200)]
    assert gained[2] < 1e-3 and gained[2] < 0.4 * gained[1] < 0.16 * gained[0] + 1e-9
    # A sliding ball goes off the nodes one by one, and its path stays on one side.
    ball = [
        abs(work(lambda c: touch.poke(at=TOP + c), round_trip(n) + [0, 0, 0.27]))
        for n in (200, 800)
    ]
    assert ball[1] < 2e-3 and ball[1] < ball[0]


def along(*corners, steps):
    """A closed path through corners, from `TOP` [m]."""
    ends = [*corners[1:], corners[0]]
    pairs = zip(corners, ends, strict=True)
    parts = [np.linspace(a, b, steps, endpoint=False) for a, b in pairs]
    return TOP + np.concatenate([*parts, [corners[0]]])


@pytest.mark.parametrize(
    "corners",
    [
        [(0, 0.02, 0.12), (0, 0.02, -0.15), (0.09, 0.02, -0.15), (0.09, 0.02, 0.12)],
        [(0.3, 0, 0.2), (0.3, 0, 0.05), (0.55, 0, -0.1), (0.7, 0, -0.1), (0.7, 0, 0.2)],
        [(0.4, 0.4, 0.2), (0.4, 0.4, 0.0), (0.4, 0.55, -0.1), (0.55, 0.4, 0.0)],
    ],
    ids=["deep and sideways", "over an edge", "around a corner"],
)
def test_no_ball_gains_work_however_deep_it_goes(corners):
    """Deeper than its radius, and from side to side of the body."""
    mesh = pl.meshes.box((1, 1, 2), (8, 8, 8))
    body = pl.Body(mesh, pl.Linear(young=1e6, poisson=0.3))
    body.fix(mesh.points[:, 2] < 1e-9)
    hand, gained = pl.Probe(body, radius=0.1), []
    for steps in (100, 800):
        path = along(*map(np.array, corners), steps=steps)
        forces = np.array([hand.poke(at=place) for place in path])
        works = (0.5 * (forces[1:] + forces[:-1]) * np.diff(path, axis=0)).sum(axis=1)
        gained.append(abs(works.sum()) / np.abs(works).sum())
    # What is left are the steps. Where depths jumped it was 6 % and did not fall.
    assert gained[1] < 1e-4 and gained[1] < 0.5 * gained[0] + 1e-6


def test_depths_of_a_ball_change_as_they_say(touch):
    """Of all nodes, in front of it and behind, above and below."""
    of, random = touch.compliance, np.random.default_rng(5)
    free = np.flatnonzero(~of.held)
    for _ in range(40):
        centre = TOP + random.uniform(-0.6, 0.6, 3)
        _, slope = depths_of(of, free, centre, 0.15)
        for axis in np.eye(3):
            ahead, behind = (depths_of(of, free, centre + s * axis, 0.15)[0] for s in (1e-7, -1e-7))
            found = (ahead - behind) / 2e-7
            near = 1e-5 * (1.0 + np.abs(slope).max())
            np.testing.assert_allclose(found, slope @ axis, atol=near)


def surface_body(kind):
    """A body by its surface, held at its base."""
    made = {
        "boundary elements": lambda: pl.BoundaryElements(MESH, young=1e6, poisson=0.3, order=1),
        "constant triangles": lambda: pl.BoundaryElements(MESH, young=1e6, poisson=0.3, order=0),
        "long elements": lambda: pl.LongElements(MESH, spacing=0.25),
    }[kind]()
    made.fix(made.mesh.points[:, 2] < 1e-9)
    return made


PROBED = {
    "full": block,
    "modal": lambda: pl.Modal(block(), modes=5),
    "boundary elements": lambda: surface_body("boundary elements"),
    "constant triangles": lambda: surface_body("constant triangles"),
    "long elements": lambda: surface_body("long elements"),
}


@pytest.mark.parametrize("gravity", [None, (0.5, 0.0, -2.0)], ids=["at home", "sagging"])
@pytest.mark.parametrize("kind", PROBED)
def test_a_body_that_is_placed_elsewhere_is_touched_there(kind, gravity):
    """Moved, and turned by a quarter: forces and shapes turn along."""
    turn, shift = np.array([[0.0, 0, 1], [0, 1, 0], [-1, 0, 0]]), np.array([3.0, -1.0, 0.5])
    found = []
    for R, t in ((np.eye(3), np.zeros(3)), (turn, shift)):
        body = PROBED[kind]()
        body.place(body.mesh.points @ R.T + t)
        touch = pl.Probe(body, radius=0.4, gravity=None if gravity is None else R @ gravity)
        felt = touch.press(at=R @ TOP + t, by=R @ [0.005, 0.0, -0.05]) @ R
        held = (touch.positions - t) @ R
        touch.let_go()
        shown = (body.skin.positions(body.positions) - t) @ R
        found.append((felt, held, shown))
    for here, there in zip(*found, strict=True):
        # The rest shape of what is turned is searched for anew, to 1e-9 of the way.
        np.testing.assert_allclose(there, here, atol=1e-6 * np.abs(here).max())
    assert np.abs(found[0][0]).max() > 10.0


NAN = float("nan")


@pytest.mark.parametrize(
    "wrong, said",
    [
        (
            lambda t: t.press(at=(0.5, 0.5, 2.5), by=(0, 0, -0.1)),
            "0.5 m away, at \\(0.5, 0.5, 2\\)",
        ),
        (lambda t: t.press(at=(0.5, NAN, 2.0), by=(0, 0, -0.1)), "press: got at="),
        (lambda t: t.press(at=TOP, by=(0, 0, NAN)), "press: got by="),
        (lambda t: t.press(at=TOP, by=0.1), "press: got by=0.1; expected three numbers"),
        (lambda t: t.press(at=(0.5, 0.5, 0.0), by=(0, 0, 0.1)), "where the body is held"),
        (lambda t: t.poke(at=None), "poke: got at=None"),
        (lambda t: t.pinch(at=(TOP, TOP), by=0.1), "would share points"),
        (lambda t: t.pinch(at=TOP, by=0.1), "expected two places on the surface"),
        (lambda t: t.pinch(at=((0, 0.5, 1), (1, 0.5, 1)), by=NAN), "pinch: got by=nan"),
        (lambda t: pl.Probe(t.compliance, radius=0.1).let_go(), "has no body"),
    ],
)
def test_bad_touches_are_refused(touch, wrong, said):
    with pytest.raises(ValueError, match=said):
        wrong(touch)


@pytest.mark.parametrize("radius", [0.0, -1.0, NAN, "a"])
def test_a_bad_radius_is_refused(radius):
    with pytest.raises(ValueError, match="Probe: got radius="):
        pl.Probe(block(), radius=radius)


def test_bodies_that_cannot_be_touched_are_refused():
    with pytest.raises(ValueError, match="no pins hold it"):
        pl.Probe(block(held=False), radius=0.1)
    with pytest.raises(TypeError, match="got body of type Mesh"):
        pl.Probe(MESH, radius=0.1)
    with pytest.raises(ValueError, match="expected a body that can be probed"):
        pl.Probe(pl.Springs(MESH, stiffness=9.0, mass=1.0), radius=0.1)
    flat = pl.Body(pl.meshes.rectangle((1, 1), (2, 2)), pl.Linear(young=1e5, poisson=0.3))
    flat.fix([0, 1, 2])
    with pytest.raises(ValueError, match="expected a solid of tetrahedra"):
        pl.Probe(flat, radius=0.1)
