"""What skins on bones miss of finite elements, at an elbow that bends by 80 degrees."""

import numpy as np
import pytest

import pliant as pl

MESH = pl.meshes.rectangle(size=(4, 1), cells=(32, 8))
ELBOW = pl.shape.Skeleton(
    [[0, 0.5, 0], [2, 0.5, 0]],
    [-1, 0],
    names=["upper", "lower"],
    tails=[[1.7, 0.5, 0], [4, 0.5, 0]],
)
SKIN = pl.shape.LinearSkin(ELBOW, MESH.points, pl.shape.bone_weights(ELBOW, MESH.points, power=2.0))


def poses(degrees):
    return [ELBOW.pose({"lower": (0, 0, d)}) for d in degrees]


TRAINING = poses([-80, -60, -40, -20, 20, 40, 60, 80])
HELD_OUT = poses([-70, -50, -30, -10, 10, 30, 50, 70])


@pytest.fixture(scope="module")
def known():
    """Where the elbow is at rest in poses of training, and in others."""
    body = pl.Body(MESH, pl.StableNeoHookean(young=1e5, poisson=0.4))
    body.velocity = (1.0, 0.0)
    how = {"radius": 0.07, "gap": 0.3}
    both = [pl.shape.rest_shapes(body, SKIN, p, **how) for p in (TRAINING, HELD_OUT)]
    assert not body.pinned.any() and (body.velocity == (1.0, 0.0)).all()  # as it was
    return both


def misses(skin, of, shapes):
    """The root mean square of what a skin misses in each pose, on average [m]."""
    away = np.stack([skin(pose) for pose in of]) - shapes
    return np.sqrt((away**2).sum(axis=2).mean(axis=1)).mean()


def test_training_poses_are_exact_with_all_vectors(known):
    skin = pl.shape.EigenSkin.fit(SKIN, TRAINING, known[0], vectors=99)
    assert np.abs(np.stack([skin(p) for p in TRAINING]) - known[0]).max() < 1e-10
    assert np.abs(skin(ELBOW.rest) - MESH.points).max() < 1e-10
    assert skin.basis.shape[1:] == MESH.points.shape


def test_three_vectors_miss_a_fifth_in_poses_that_were_not_shown(known):
    bare = misses(SKIN, HELD_OUT, known[1])
    assert bare > 0.05
    errors = [
        misses(pl.shape.EigenSkin.fit(SKIN, TRAINING, known[0], vectors=k), HELD_OUT, known[1])
        for k in (1, 2, 3, 5)
    ]
    assert errors == sorted(errors, reverse=True)
    assert errors[2] < bare / 5.0


def test_dual_quaternions_are_corrected_as_well(known):
    dual = pl.shape.DualQuaternionSkin(ELBOW, MESH.points, SKIN.weights)
    skin = pl.shape.EigenSkin.fit(dual, TRAINING, known[0], vectors=3)
    assert misses(skin, HELD_OUT, known[1]) < misses(dual, HELD_OUT, known[1]) / 3.0


def test_mistakes(known):
    def fit(skin=SKIN, of=TRAINING, shapes=known[0], vectors=3):
        return pl.shape.EigenSkin.fit(skin, of, shapes, vectors=vectors)

    arm = pl.shape.Skeleton([[0, 0.5, 0], [1, 0.5, 0], [2, 0.5, 0]], [-1, 0, 1])
    longer = pl.shape.LinearSkin(arm, MESH.points, pl.shape.bone_weights(arm, MESH.points))
    both = [arm.pose({"bone1": (0, 0, 9), "bone2": (0, 0, 9)})]
    bare = pl.shape.LinearSkin(ELBOW, MESH.points, np.tile([1.0, 0.0], (len(MESH), 1)))
    for make, words in [
        (lambda: fit(of=TRAINING[:3]), "one for each pose"),
        (lambda: fit(vectors=0), "vectors=0"),
        (lambda: fit(of=[ELBOW.rest] * 8), "no pose turns a joint"),
        (lambda: fit(of=TRAINING[:1], shapes=known[0][:1]), "different ones or more"),
        (lambda: fit(skin=longer, of=both, shapes=known[0][:1]), "bone1 and bone2"),
        (lambda: fit(skin=bare), "no point follows bone 'lower'"),
    ]:
        with pytest.raises(ValueError, match=words):
            make()
    with pytest.raises(TypeError, match="LinearSkin"):
        fit(skin=ELBOW)
