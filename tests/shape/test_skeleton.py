"""Skeletons, their motion, and points that follow them."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.transform import Rotation

import pliant as pl
from pliant.shape.skinning import dual_quaternions

from .quadruped import Animal

#: Sums of a few products of size 1.
ROUNDING = 1e-13
ARM = pl.shape.Skeleton(
    [[0, 0, 0], [1, 0, 0], [2, 0, 0]], [-1, 0, 1], names=["upper", "lower", "hand"]
)
generator = np.random.default_rng(11)
POINTS = generator.uniform([-0.2, -0.2, -0.2], [2.6, 0.2, 0.2], (400, 3))
WEIGHTS = pl.shape.bone_weights(ARM, POINTS)
SKINS = [pl.shape.LinearSkin, pl.shape.DualQuaternionSkin]


def turned(pose, i, x):
    return x @ pose[i, :, :3].T + pose[i, :, 3]


def test_bones_turn_about_their_joints_with_all_that_hangs_on_them():
    pose = ARM.pose({"lower": (0, 0, 90)}, shift=(0, 0, 5))
    assert np.allclose(turned(pose, 0, [1.0, 2.0, 3.0]), [1, 2, 8], atol=ROUNDING)
    assert np.allclose(turned(pose, 1, [2.0, 0.0, 0.0]), [1, 1, 5], atol=ROUNDING)
    assert np.allclose(turned(pose, 2, [3.0, 0.0, 0.0]), [1, 2, 5], atol=ROUNDING)
    both = ARM.pose({"lower": (0, 0, 90), "hand": (0, 0, 90)})
    assert np.allclose(turned(both, 2, [3.0, 0.0, 0.0]), [0, 1, 0], atol=ROUNDING)
    assert np.allclose(ARM.tails, [[1, 0, 0], [2, 0, 0], [2.5, 0, 0]])


def test_own_axes_turn_what_they_say():
    axes = np.tile(Rotation.from_euler("z", 90, degrees=True).as_matrix(), (3, 1, 1))
    arm = pl.shape.Skeleton(ARM.joints, ARM.parents, axes=axes)
    about_y = arm.pose({"bone1": (90, 0, 0)})  # its own x axis is y of the world
    assert np.allclose(turned(about_y, 1, [2.0, 0.0, 0.0]), [1, 0, -1], atol=ROUNDING)


@pytest.mark.parametrize("skin", SKINS)
def test_rest_and_rigid_motions_are_exact(skin):
    made = skin(ARM, POINTS, WEIGHTS)
    assert np.abs(made(ARM.rest) - POINTS).max() < ROUNDING
    pose = ARM.pose({"upper": (20, -30, 160)}, shift=(1, 2, 3))
    assert np.abs(made(pose) - turned(pose, 0, POINTS)).max() < 10 * ROUNDING
    u = generator.standard_normal(POINTS.shape)
    assert np.abs(made(pose, u) - turned(pose, 0, POINTS + u)).max() < 10 * ROUNDING


@pytest.mark.parametrize("skin", SKINS)
def test_a_point_of_one_bone_goes_with_it(skin):
    only = np.eye(3)[generator.integers(0, 3, len(POINTS))]
    made, pose = skin(ARM, POINTS, only), ARM.pose({"lower": (0, 80, 40), "hand": (0, 0, 100)})
    for i in range(3):
        own = only[:, i] > 0
        assert np.abs(made(pose)[own] - turned(pose, i, POINTS[own])).max() < 10 * ROUNDING
    maps = made.maps(pose)
    assert np.abs(maps[only[:, 1] > 0] - pose[1, :, :3]).max() < 10 * ROUNDING


def test_linear_skins_are_the_sum():
    pose = ARM.pose({"lower": (10, 20, 60)})
    wanted = sum(WEIGHTS.toarray()[:, [i]] * turned(pose, i, POINTS) for i in range(3))
    assert np.abs(pl.shape.LinearSkin(ARM, POINTS, WEIGHTS)(pose) - wanted).max() < ROUNDING


def test_dual_quaternions_keep_what_linear_skins_lose():
    """Twisted by 170 degrees a linear skin is thin in the middle; rigid motions of points are not."""
    ring = np.array([[1.0, np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 9)])
    half = np.tile([0.5, 0.5, 0.0], (9, 1))
    pose = ARM.pose({"lower": (170, 0, 0)})
    thin, kept = (skin(ARM, ring, half)(pose) for skin in SKINS)
    assert np.linalg.norm(thin[:, 1:], axis=1).max() < 0.1
    assert np.abs(np.linalg.norm(kept[:, 1:], axis=1) - 1.0).max() < ROUNDING
    assert np.allclose(kept[0, 1:], [np.cos(np.radians(85)), np.sin(np.radians(85))])


def test_signs_of_quaternions_do_not_matter():
    """Bones that are not each other's parents and turn by more than 180 degrees against each other."""
    fork = pl.shape.Skeleton([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [-1, 0, 0])
    pose = fork.pose({"bone1": (0, 0, 100), "bone2": (0, 0, -100)})
    weights = np.array([[0.0, 0.7, 0.3], [0.0, 0.3, 0.7], [0.1, 0.5, 0.4]])
    made = pl.shape.DualQuaternionSkin(fork, np.zeros((3, 3)) + [0.5, 0.5, 0], weights)
    q = dual_quaternions(pose)
    for i, row in enumerate(weights):
        signs = np.sign(q[:, :4] @ q[row.argmax(), :4])
        signs[signs == 0] = 1
        mean = (row * signs) @ q[:, :4]
        expected = Rotation.from_quat(mean).as_matrix()
        assert np.abs(made.maps(pose)[i] - expected).max() < ROUNDING


def test_motion_turns_evenly_between_poses():
    motion = pl.shape.SkeletonMotion(
        ARM, [0.0, 1.0, 3.0], [ARM.pose({"lower": (0, 0, a)}, shift=(a, 0, 0)) for a in (0, 90, 30)]
    )
    expected = ARM.pose({"lower": (0, 0, 45)}, shift=(45, 0, 0))
    assert np.abs(motion.at(0.5) - expected).max() < 1e-12
    assert np.array_equal(motion.at(1.0), motion.poses[1])
    assert np.array_equal(motion.at(-1.0), motion.poses[0])
    assert np.array_equal(motion.at(9.0), motion.poses[2])
    assert motion.seconds == 3.0


def test_weights_are_those_of_near_bones():
    w = WEIGHTS.toarray()
    assert np.abs(w.sum(axis=1) - 1.0).max() < ROUNDING and (w >= 0.0).all()
    far = POINTS[:, 0] > 2.3
    assert (w[far].argmax(axis=1) == 2).all()
    away = ARM.distances(POINTS)
    inverse = away**-4.0 / (away**-4.0).sum(axis=1, keepdims=True)
    assert np.abs(w - inverse).max() < 1e-12
    one = pl.shape.bone_weights(ARM, POINTS, most=1).toarray()
    assert np.array_equal(one.argmax(axis=1), away.argmin(axis=1)) and set(one.ravel()) == {0, 1}


def test_animals_walk_on_both_skins():
    dog = Animal(brick=0.09)
    dual = pl.shape.DualQuaternionSkin(dog.skeleton, dog.surface.points, dog.skin.weights)
    pose = dog.step(0.3)
    assert 0.0 < np.abs(dual(pose) - dog.skin(pose)).max() < 0.05


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: pl.shape.Skeleton(np.zeros((2, 3)), [-1, 1]), "parent of bone 1 is 1"),
        (lambda: pl.shape.Skeleton(np.zeros((2, 3)), [-1]), "expected 2 numbers"),
        (lambda: pl.shape.Skeleton(np.zeros((2, 2)), [-1, 0]), "finite places"),
        (lambda: pl.shape.Skeleton(np.zeros((2, 3)), [-1, 0], names=["a", "a"]), "2 different"),
        (
            lambda: pl.shape.Skeleton(np.zeros((2, 3)), [-1, 0], axes=np.ones((2, 3, 3))),
            "rotations",
        ),
        (lambda: ARM.pose({"elbow": (0, 0, 0)}), "one of upper, lower, hand"),
        (lambda: ARM.pose({"lower": 30}), "three angles"),
        (lambda: ARM.pose(np.eye(3)), "angles by name"),
        (lambda: ARM.pose({}, shift=(1, 2)), "3 numbers"),
        (lambda: pl.shape.LinearSkin(ARM, POINTS, WEIGHTS)(np.eye(3)), "skeleton.pose"),
        (lambda: pl.shape.LinearSkin(ARM, POINTS, np.zeros((400, 3))), "sum to 0"),
        (lambda: pl.shape.LinearSkin(ARM, POINTS, np.ones((400, 2))), r"shape \(400, 3\)"),
        (
            lambda: pl.shape.LinearSkin(ARM, POINTS[:1], sp.csr_array([[2.0, -1.0, 0.0]])),
            "least -1",
        ),
        (lambda: pl.shape.LinearSkin(ARM, "points", WEIGHTS), "finite places"),
        (
            lambda: pl.shape.bone_weights(ARM, POINTS[POINTS[:, 0] < 0.7]),
            "no point follows bone 'hand'",
        ),
        (lambda: pl.shape.bone_weights(ARM, 1000 * POINTS + 1e5), "away from the points"),
        (lambda: pl.shape.bone_weights(ARM, POINTS, power=0), "power=0"),
        (lambda: pl.shape.bone_weights(ARM, POINTS, most=0), "most=0"),
        (lambda: pl.shape.SkeletonMotion(ARM, [0, 0], [ARM.rest] * 2), "seconds that grow"),
        (lambda: pl.shape.SkeletonMotion(ARM, [0, 1], [ARM.rest]), "1 poses for 2 times"),
    ],
)
def test_what_is_no_skeleton_is_refused(make, words):
    with pytest.raises(ValueError, match=words):
        make()
