"""What materials are given: constants, fibres, and what is refused."""

import numpy as np
import pytest

from pliant.materials import (
    FibreReinforced,
    StableNeoHookean,
)
from tests.laws.materials import build, each


@each
def test_constants(cls):
    m = build(cls, young=1e6, poisson=0.3)
    again = build(cls, lame=(m.lam, m.mu))
    assert np.allclose([again.young, again.poisson], [1e6, 0.3], rtol=1e-12)
    lam, mu = build(cls, young=np.array([1e5, 1e6]), poisson=0.3).per_cell(2)
    assert lam.shape == mu.shape == (2,) and lam[1] == pytest.approx(m.lam)


@pytest.mark.parametrize(
    "options, words",
    [
        ({}, "exactly one pair"),
        ({"young": 1e6}, "exactly one pair"),
        ({"young": 1e6, "poisson": 0.3, "lame": (1, 1)}, "exactly one pair"),
        ({"young": -1.0, "poisson": 0.3}, "young=-1; expected young > 0"),
        ({"young": [1.0, 0.0], "poisson": 0.3}, "young=0; expected young > 0"),
        ({"young": 1e6, "poisson": 0.5}, "incompressible"),
        ({"young": 1e6, "poisson": 0.7}, "poisson=0.7; expected -1 < poisson < 0.5"),
        ({"young": np.nan, "poisson": 0.3}, "finite"),
        ({"young": "stiff", "poisson": 0.3}, "finite"),
        ({"lame": (1.0, 0.0)}, "mu=0; expected mu > 0"),
        ({"lame": (-1.0, 1.0)}, "lam=-1; expected lam > -2 mu / 3"),
        ({"lame": 3.0}, "expected a pair"),
        ({"young": [1.0, 2.0], "poisson": [0.1, 0.2, 0.3]}, "one value per cell"),
    ],
)
def test_bad_constants_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        StableNeoHookean(**options)


def test_wrong_number_of_cells_is_refused():
    with pytest.raises(ValueError, match="5 cells"):
        StableNeoHookean(young=[1.0, 2.0], poisson=0.3).per_cell(5)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"fibre": -1.0, "direction": (1, 0, 0)}, "fibre=-1.0; expected pascals >= 0"),
        ({"fibre": "stiff", "direction": (1, 0, 0)}, "fibre='stiff'"),
        ({"fibre": 1e6, "direction": (0, 0, 0)}, "expected a vector that is not zero"),
        ({"fibre": 1e6, "direction": 1.0}, "direction=1.0; expected a vector"),
        ({"fibre": 1e6, "direction": [[1, 0, 0], [0, 0, 0]]}, "or one per cell"),
    ],
)
def test_bad_fibres_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        FibreReinforced(young=1e6, poisson=0.3, **options)


def test_fibres_of_another_mesh_are_refused():
    m = FibreReinforced(young=1e6, poisson=0.3, fibre=1e6, direction=(1, 0, 0))
    with pytest.raises(ValueError, match=r"direction of shape \(3,\) for 7 cells in 2D; expected"):
        m.constants(7, 2)
    m = FibreReinforced(young=1e6, poisson=0.3, fibre=[1.0, 2.0], direction=(1, 0))
    with pytest.raises(ValueError, match=r"fibre of shape \(2,\) for 7 cells"):
        m.constants(7, 2)


def test_repr_and_scaling_keep_the_fibres():
    m = FibreReinforced(young=1e6, poisson=0.25, fibre=5e6, direction=(0, 2.0))
    again = eval(repr(m), {"FibreReinforced": FibreReinforced})
    assert again.fibre == 5e6 and again.direction.tolist() == [0.0, 1.0]
    twice = m.scaled(2.0)
    assert (twice.young, twice.fibre, twice.poisson) == (2e6, 1e7, 0.25)
