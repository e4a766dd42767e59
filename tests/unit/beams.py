"""Beams, and what a refusal must say."""

import pytest

import pliant as pl

SNH = pl.StableNeoHookean(young=1e5, poisson=0.3)


def beam(dim=2, **options):
    mesh = (
        pl.meshes.rectangle((2, 0.5), (4, 2)) if dim == 2 else pl.meshes.box((2, 1, 1), (2, 1, 1))
    )
    return pl.Body(mesh, SNH, **options)


N = len(beam())


def refused(call, *words, error=ValueError):
    """The call raises, and its message has what was given, what was expected and what to do."""
    with pytest.raises(error) as caught:
        call()
    for word in words:
        assert word in str(caught.value), f"{word!r} not in {caught.value!s}"
