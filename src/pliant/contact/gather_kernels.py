# mypy: ignore-errors
# Bodies of Warp functions are Warp's language, which mypy reads as Python.
"""The kernels that tell which pairs are near, and that gather some of them."""

from functools import cache
from types import SimpleNamespace
from typing import Any

import warp as wp

from pliant.energies import TERM_OPTIONS

from .closest import closest


@cache
def filter_kernels(dim: int) -> Any:
    """Return the kernels that tell which pairs are near, and that gather some of them."""
    real, near = wp.float64, closest(dim)
    vec, four, Pairs, zero = near.vec, near.four, near.Pairs, wp.constant(real(0.0))

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def pairs_near(
        x: wp.array(dtype=vec), pairs: Pairs, spare: real, near_by: wp.array(dtype=wp.int32)
    ):
        i = wp.tid()
        law = pairs.laws[i]
        near_by[i] = 0
        if near.look(x, pairs, i).d - law[0] < law[1] + spare:
            near_by[i] = 1

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def meets_given(
        x: wp.array(dtype=vec), pairs: Pairs, count: int, found: wp.array(dtype=wp.int32)
    ):
        # Whether a plane, or a pair with a point from `count` on, pushes.
        i = wp.tid()
        s, law = pairs.stencils[i], pairs.laws[i]
        given = s[1] < -1 or wp.max(wp.max(s[0], s[1]), wp.max(s[2], s[3])) >= count
        if given:
            gap = near.look(x, pairs, i).d - law[0]
            if gap > zero and gap < law[1]:
                found[0] = 1

    @wp.kernel(module="unique", module_options=TERM_OPTIONS)
    def gather(
        kept: wp.array(dtype=wp.int32),
        places: wp.array(dtype=wp.int32),
        stencils: wp.array(dtype=wp.vec4i),
        kinds: wp.array(dtype=wp.int32),
        laws: wp.array(dtype=four),
        to_stencils: wp.array(dtype=wp.vec4i),
        to_kinds: wp.array(dtype=wp.int32),
        to_laws: wp.array(dtype=four),
    ):
        i = wp.tid()
        if kept[i] == 1:
            at = places[i]
            to_stencils[at] = stencils[i]
            to_kinds[at] = kinds[i]
            to_laws[at] = laws[i]

    return SimpleNamespace(near=pairs_near, meets_given=meets_given, gather=gather)
