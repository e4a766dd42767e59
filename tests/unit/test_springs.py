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
    before = springs.positions
    scene.run(seconds=0.5, dt=1 / 50)
    fell = before[5:, 1].mean() - springs.positions[5:, 1].mean()
    assert fell > 10.0 * 0.25 / 2 and np.abs(springs.positions[:5]).max() < 1.0


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
        ({"rest": 0.0}, "more than 0"),
        ({"mass": 0.0}, "more than 0"),
        ({"stiffening": -1.0}, "stiffening"),
        ({"pairs": [[0, 99]]}, "points 0 to 10"),
        ({"pairs": [[0, 0]]}, "itself"),
        ({"pairs": [0, 1]}, "shape"),
    ],
)
def test_bad_springs_are_refused(how, words):
    with pytest.raises(ValueError, match=words):
        chain(**how)


def test_what_needs_a_solid_says_so():
    springs = block(damping=pl.StrainRate(phi=1.0, psi=1.0))
    with pytest.raises(ValueError, match=r"pl\.Body"):
        pl.Scene([springs]).run(seconds=0.1)
