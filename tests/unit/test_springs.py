"""Bodies of springs."""

import numpy as np
import pytest

import pliant as pl


def chain(n=11, **how):
    """A chain along x, 0.1 m a link."""
    points = np.stack([0.1 * np.arange(n), np.zeros(n)], axis=1)
    links = np.stack([np.arange(n - 1), np.arange(1, n)], axis=1)
    return pl.Springs(pl.Mesh(points, {"line": links}), **({"stiffness": 1e4, "mass": 0.1} | how))


def block(**how):
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    springs = pl.Springs(mesh, **({"stiffness": 2000.0, "mass": 0.05} | how))
    springs.fix(mesh.points[:, 0] < 1e-9)
    return springs


def test_a_hanging_chain_stretches_by_what_hangs_below():
    springs = chain()
    springs.fix([0])
    springs.place(springs.positions[:, ::-1] * [1, -1])
    x = pl.Scene([springs], gravity=(0, -9.81)).equilibrium().positions[0]
    below = np.arange(10, 0, -1) * 0.1 * 9.81
    np.testing.assert_allclose(-np.diff(x[:, 1]) - 0.1, below / 1e4, rtol=1e-6)


@pytest.mark.parametrize("stiffening", [0.0, 5.0])
def test_a_spring_swings_with_its_own_period(stiffening):
    """Two masses: w^2 = 2 k/m for a small amplitude, whatever stiffens it."""
    springs = chain(2, stiffness=50.0, mass=0.5, stiffening=stiffening)
    springs.place(springs.positions * [1.001, 1.0])
    take = pl.Scene([springs]).run(
        seconds=2.0, dt=1 / 2000, stepper=pl.SymplecticEuler(), progress=False
    )
    stretch = take.positions[:, 1, 0] - take.positions[:, 0, 0] - 0.1
    falls = np.flatnonzero((stretch[:-1] > 0) & (stretch[1:] <= 0))
    period = np.diff(take.times[falls]).mean()
    # Symplectic Euler shortens the period by (w dt)^2/24 = 1e-6; counting whole steps adds 1e-3.
    assert period == pytest.approx(2 * np.pi / np.sqrt(2 * 50 / 0.5), rel=2e-3)


@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("dt", [1 / 60, 1 / 120])
def test_springs_rest_on_cue(bounces, dt):
    springs = block(damping=pl.Settle(0.8, bounces))
    points = springs.mesh.points
    springs.place(points + 0.01 * points[:, :1] ** 2 * [0, 1, 0])
    take = pl.Scene([springs]).run(seconds=1.0, dt=dt)
    found = take.ring().rest_time(0.01) if bounces else take.rest_time()
    assert found == pytest.approx(0.8, rel=0.03)


def test_free_springs_fall_freely_under_any_damping():
    springs = pl.Springs(
        pl.meshes.box((1, 1, 1), (2, 2, 2)), stiffness=500.0, mass=0.02, damping=pl.Settle(0.5)
    )
    springs.velocity = (1.0, 2.0, 0.0)
    take = pl.Scene([springs], gravity=(0, -10.0, 0)).run(seconds=1.0, dt=1 / 50)
    moved = take.positions[-1].mean(axis=0) - take.positions[0].mean(axis=0)
    # Backward Euler falls by g dt sum(k) = g (t^2 + t dt)/2.
    np.testing.assert_allclose(moved, [1.0, 2.0 - 5.0 * 1.02, 0.0], atol=1e-9)


def test_a_muscle_follows_its_rest_length():
    lengths = block().lengths()
    springs = block(rest=lambda t: lengths * (1.0 + 0.3 * min(t, 0.5)), damping=pl.Settle(0.2))
    springs.release()
    take = pl.Scene([springs]).run(seconds=1.0, dt=1 / 60)
    assert springs.lengths() == pytest.approx(1.15 * lengths, rel=1e-4)
    assert len({r.tobytes() for r in take.tracks[0].rests}) > 20  # the rest shape grew with it
    assert np.diff(np.ptp(take.positions[..., 0], axis=1)).min() > -1e-9


def test_cut_springs_part_the_body():
    springs = chain(damping=pl.Settle(0.3))
    springs.fix([0])
    scene = pl.Scene([springs], gravity=(0, -10.0))
    scene.run(seconds=0.5)
    springs.cut((springs.pairs == [4, 5]).all(axis=1))
    assert springs.components.max() == 1 and len(springs.pairs) == 9
    before, speed = springs.positions, springs.velocity[5:, 1].mean()
    scene.run(seconds=0.5, dt=1 / 50)
    fell = before[5:, 1].mean() - springs.positions[5:, 1].mean()
    # As a stone does in 25 steps, from the speed that it swung with.
    stone = 10.0 * 0.25 / 2 * (1 + 1 / 25) - 0.5 * speed
    assert fell == pytest.approx(stone, rel=1e-3) and np.abs(springs.positions[:5]).max() < 1.0


def ladder():
    """A ladder of triangles that hangs by its upper end, what crosses its middle, and its scene."""
    mesh = pl.meshes.rectangle((0.2, 1.0), (1, 5))
    springs = pl.Springs(mesh, stiffness=1e4, mass=0.1, damping=pl.Settle(0.3))
    springs.fix(mesh.points[:, 1] > 1 - 1e-9)
    heights = mesh.points[springs.pairs, 1]
    across = (heights.min(axis=1) < 0.5) & (heights.max(axis=1) > 0.5)
    return springs, across, pl.Scene([springs], gravity=(0, -10.0))


def test_springs_are_cut_at_a_time_of_the_scene():
    springs, across, scene = ladder()
    first, *others = np.flatnonzero(across)
    springs.cut([first], at=0.5)
    springs.cut(others, at=0.5)
    whole = len(springs.pairs)
    take = scene.run(seconds=1.0, dt=1 / 50, progress=False)
    assert len(springs.pairs) == whole - across.sum() and springs.components.max() == 1
    fallen = take.positions[0, :, 1] - take.positions[:, :, 1]
    lower = springs.mesh.points[:, 1] < 0.5
    assert np.abs(fallen[take.times < 0.51]).max() < 0.01  # it hangs until then
    # Backward Euler falls by g (t^2 + t dt)/2 in the half second after the cut; it sagged by 2 mm.
    np.testing.assert_allclose(fallen[-1, lower].mean(), 10 * (0.25 + 0.01) / 2, atol=0.01)
    assert np.abs(fallen[-1, ~lower]).max() < 0.01


def test_a_cut_within_a_run_is_the_cut_between_two_runs():
    springs, across, scene = ladder()
    springs.cut(across, at=0.2)
    scene.run(seconds=0.4, dt=1 / 50, progress=False)
    other, across, again = ladder()
    again.run(seconds=0.2, dt=1 / 50, progress=False)
    other.cut(across)
    again.run(seconds=0.2, dt=1 / 50, progress=False)
    np.testing.assert_array_equal(springs.positions, other.positions)

    third, across, steps = ladder()
    third.cut(across, at=0.2)
    for _ in range(20):
        steps.step(1 / 50)
    np.testing.assert_array_equal(third.positions, springs.positions)


def test_springs_may_be_cut_while_a_run_tells_its_progress():
    springs, across, scene = ladder()

    def knife(done, steps):
        if done == 10:
            springs.cut(across)

    scene.run(seconds=0.4, dt=1 / 50, progress=knife)
    assert springs.positions[:, 1].min() < -0.15  # 0.22 m in 0.2 s


@pytest.mark.parametrize("damping", [None, pl.Settle(0.3), pl.Settle(0.3, 2)])
@pytest.mark.parametrize("dim", [2, 3])
def test_points_without_springs_fly_on_alone(dim, damping):
    """All springs of a corner are cut in mid-run; it falls, and the others rest on cue."""
    mesh = pl.meshes.rectangle((1, 1), (2, 2)) if dim == 2 else pl.meshes.box((1, 1, 1), (2, 2, 2))
    springs = pl.Springs(mesh, stiffness=1e3, mass=0.1, damping=damping)
    corner = int(np.argmax(mesh.points.sum(axis=1)))
    springs.fix(mesh.points[:, 1] < 1e-9)
    springs.cut((springs.pairs == corner).any(axis=1), at=0.2)
    start = springs.rest_shape((0, -10, 0)[:dim])
    springs.place(start)
    scene = pl.Scene(springs, gravity=(0, -10, 0)[:dim], contact=False)
    take = scene.run(seconds=0.8, dt=1 / 50, progress=False)
    fell = start[corner, 1] - springs.positions[corner, 1]
    # Backward Euler falls by g (t^2 + t dt)/2; as it hung it had 2 mm to snap back.
    assert fell == pytest.approx(10 * (0.36 + 0.012) / 2, abs=0.01)
    if damping is not None:
        d, after = take.distance(), take.times > 0.2 + 0.3 * 1.03
        assert d[after].max() < 0.01 * d.max()
    energies = take.energies["elastic"][take.times < 0.21]
    np.testing.assert_allclose(energies, energies[0], rtol=1e-6)


def test_a_muscle_by_keyframes_moves_a_given_pair():
    points = [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (2.0, 0.0)]
    mesh = pl.Mesh(points, {"tri": [[0, 1, 2], [1, 3, 2]]})
    pairs = [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]
    whole = np.array([np.linalg.norm(np.subtract(points[i], points[j])) for i, j in pairs])
    short = whole * [1, 1, 1, 0.8, 1]
    springs = pl.Springs(
        mesh,
        stiffness=100.0,
        pairs=pairs,
        rest=([0.0, 1.0], [whole, short]),
        damping=pl.Settle(0.3),
    )
    pl.Scene([springs]).run(seconds=2.0, dt=1 / 30, progress=False)
    np.testing.assert_allclose(springs.lengths(), short, rtol=1e-5)


@pytest.mark.parametrize(
    "which, how, words",
    [
        ([], {}, "no spring"),
        (np.zeros(10, dtype=bool), {}, "no spring"),
        (np.ones(4, dtype=bool), {}, r"mask of shape \(10,\)"),
        ([10], {}, "numbers from 0 to 9"),
        ([-1], {}, "numbers from 0 to 9"),
        ([0.5], {}, "expected a mask"),
        (range(10), {}, "no spring would be left"),
        ([0], {"at": float("nan")}, "time of the scene"),
        ([0], {"at": "soon"}, "time of the scene"),
    ],
)
def test_bad_cuts_are_refused(which, how, words):
    springs = chain()
    with pytest.raises(ValueError, match=words):
        springs.cut(which, **how)
    assert len(springs.pairs) == 10


def test_takes_of_springs_are_saved_and_drawn(tmp_path):
    for springs in (block(damping=pl.Settle(0.3)), chain()):
        springs.fix([0])
        take = pl.Scene([springs], gravity=None).run(seconds=0.1)
        saved = pl.Take.read(take.save(tmp_path / f"{springs.dim}.npz"))
        np.testing.assert_array_equal(saved.positions, take.positions)
        assert saved.about["bodies"][0]["springs"] == len(springs.pairs)
        assert take.save(tmp_path / f"{springs.dim}.png").stat().st_size > 5000


@pytest.mark.parametrize(
    "how, words",
    [
        ({"stiffness": -1.0}, "more than 0"),
        ({"stiffness": [1.0, 2.0]}, "shape"),
        ({"stiffness": lambda t: 1.0 + t}, "got a function"),
        ({"mass": lambda t: 1.0 + t}, "got a function"),
        ({"rest": 0.0}, "more than 0"),
        ({"mass": 0.0}, "more than 0"),
        ({"stiffening": -1.0}, "stiffening"),
        ({"pairs": [[0, 99]]}, "points 0 to 10"),
        ({"pairs": [[0, 0]]}, "itself"),
        ({"pairs": [0, 1]}, "shape"),
        ({"pairs": [[0, 1], [2]]}, "shape"),
        ({"pairs": [[0, 1], [1, 2]]}, r"no spring joins points \[3, 4, .* \(8 in all\)"),
        ({"pairs": [[0, 1], [2, 3], [1, 0]]}, r"\[0, 1\] twice"),
    ],
)
def test_bad_springs_are_refused(how, words):
    with pytest.raises(ValueError, match=words):
        chain(**how)


@pytest.mark.parametrize("kind", ["tri", "quad", "tet", "hex"])
def test_middles_of_cells_of_second_order_are_not_left_loose(kind):
    """Edges join corners: the middles would fall off."""
    make = pl.meshes.rectangle if kind in ("tri", "quad") else pl.meshes.box
    mesh = pl.meshes.quadratic(make(kind=kind))
    with pytest.raises(ValueError, match="no spring joins .*braced"):
        pl.Springs(mesh, stiffness=100.0)
    springs = pl.Springs(mesh, stiffness=100.0, pairs=pl.Springs.braced(mesh))
    assert springs.components.max() == 0


def test_what_needs_a_solid_says_so():
    springs = block(damping=pl.StrainRate(phi=1.0, psi=1.0))
    with pytest.raises(ValueError, match=r"pl\.Body"):
        pl.Scene([springs]).run(seconds=0.1)


def test_parts_of_springs_are_told_apart_in_takes(tmp_path):
    """Two links on one mesh, joined by no spring: each is laid on its own rest shape."""
    points = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0]])
    mesh = pl.Mesh(points, {"line": [[0, 1], [1, 2], [2, 3]]})
    springs = pl.Springs(mesh, stiffness=100.0, pairs=[[0, 1], [2, 3]], damping=pl.Settle(0.3))
    springs.place(points * [1.05, 1.0])
    springs.velocity = [[0, 1.0], [0, 1], [0, -1], [0, -1]]  # apart, without any deformation
    take = pl.Scene([springs]).run(seconds=0.5, dt=1 / 60)
    saved = pl.Take.read(take.save(tmp_path / "a.npz"))
    for track in (take.tracks[0], saved.tracks[0]):
        assert list(track.components) == [0, 0, 1, 1]
        assert track.rest_time() == pytest.approx(0.3, rel=0.03)
