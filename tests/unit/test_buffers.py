"""Arrays of a device are used again when nobody holds them, and never before."""

import numpy as np
import warp as wp

from pliant.backend.buffers import DEVICE_ARRAYS, DeviceBuffers


def test_what_is_held_stays():
    """Anywhere: by a name, in a list, by a view of it."""
    buffers = DeviceBuffers(wp.vec3d, 5, "cpu")
    first = buffers.zeros()
    second = buffers.zeros()
    view = second[2:]
    held = [first]
    first.fill_(1.0)
    second.fill_(2.0)
    del first, second
    for _ in range(5):
        buffers.zeros().fill_(9.0)
    assert np.array_equal(held[0].numpy(), np.ones((5, 3)))
    assert np.array_equal(view.numpy(), np.full((3, 3), 2.0))


def test_what_is_let_go_comes_back_as_zeros():
    buffers = DeviceBuffers(wp.vec3d, 5, "cpu")
    array = buffers.zeros()
    place = array.ptr
    array.fill_(3.0)
    del array
    again = buffers.zeros()
    assert again.ptr == place
    assert not again.numpy().any()
    assert buffers.zeros().ptr != place


def test_no_more_are_kept_than_said():
    buffers = DeviceBuffers(wp.vec3d, 5, "cpu")
    held = [buffers.empty() for _ in range(DEVICE_ARRAYS + 8)]
    assert len({array.ptr for array in held}) == len(held)
    assert len(buffers._all) == DEVICE_ARRAYS
