"""Arrays that numpy and Warp share are used again only when nobody holds a part of them."""

import numpy as np
import warp as wp

from pliant.backend import Exchange, start

X = np.ones((4, 3))


def exchange():
    start()
    return Exchange(4, 3, device="cpu", dtype=wp.float64)


def test_what_is_held_is_not_written_to():
    make = exchange()
    held = make.vectors(X).taken()
    held += 7.0
    view, flat = make.vectors(X).taken()[1:3], make.vectors(X).taken().reshape(-1)
    view += 5.0
    flat += 3.0
    others = [make.vectors(X).taken() for _ in range(10)]
    assert not any(np.shares_memory(a, b) for a in (held, view, flat) for b in others)
    assert not any(other.any() for other in others)
    assert (held == 7.0).all() and (view == 5.0).all() and (flat == 3.0).all()


def test_what_is_let_go_is_used_again_as_zeros():
    make = exchange()
    sums = make.vectors(X)
    place = sums.taken().ctypes.data
    sums.taken()[:] = 9.0
    del sums
    again = make.vectors(X)
    assert again.taken().ctypes.data == place and not again.taken().any()
    assert again.array.ptr == place


def test_other_sizes_have_other_arrays():
    make = exchange()
    assert make.vectors(np.ones((2, 3))).taken().shape == (2, 3)
    assert make.blocks(X, 5).taken().shape == (5, 3, 3)
    assert make.blocks(X, 6).taken().shape == (6, 3, 3)
