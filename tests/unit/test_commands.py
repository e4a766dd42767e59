"""Launches that are recorded once and made again with other inputs."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest
import warp as wp

from pliant.backend import Launches


@wp.kernel
def scale(
    factor: wp.float64, count: int, a: wp.array(dtype=wp.vec3d), out: wp.array(dtype=wp.vec3d)
):
    i = wp.tid()
    out[i] = factor * wp.float64(count) * a[i]


def vectors(value, dtype=wp.vec3d, count=4):
    return wp.array(np.full((count, 3), value), dtype=dtype)


def test_every_launch_takes_the_inputs_it_is_given():
    launch, kept = Launches("cpu"), vectors(1.0)
    for k, (factor, count) in enumerate([(2.0, 1), (3.0, 1), (3.0, 2), (np.float64(5.0), 2)]):
        out = vectors(0.0)
        a = kept if k % 2 else vectors(k + 1.0)
        launch(scale, 4, [factor, count, a, out])
        assert (out.numpy() == float(factor) * count * a.numpy()).all()


@pytest.mark.parametrize("wrong", [vectors(1.0, wp.vec3f), vectors(1.0).reshape((2, 2))])
def test_arrays_of_another_kind_are_refused_however_often_it_was_launched(wrong):
    launch = Launches("cpu")
    for k in range(3):
        launch(scale, 4, [1.0, 1, vectors(float(k)), vectors(0.0)])
    with pytest.raises(RuntimeError):
        launch(scale, 4, [1.0, 1, wrong, vectors(0.0)])
    out = vectors(0.0)
    launch(scale, 4, [1.0, 1, vectors(7.0), out])
    assert (out.numpy() == 7.0).all()


def test_arrays_that_differ_are_let_go():
    launch = Launches("cpu")
    launch(scale, 4, [1.0, 1, vectors(0.0), vectors(0.0)])
    passing = vectors(1.0)
    launch(scale, 4, [1.0, 1, passing, vectors(0.0)])
    gone = weakref.ref(passing)
    del passing
    gc.collect()
    assert gone() is None
