"""Changes of a mesh, one after the other."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from pliant import Mesh
from pliant.mesh import MeshChange


def test_two_changes_are_one():
    """A bar that is parted at a quarter, then one half of it at its middle."""
    once = MeshChange(
        Mesh([[0, 0], [0.5, 0], [0.6, 0], [2, 0]], {"line": [[0, 1], [2, 3]]}),
        csr_array([[1, 0], [0.75, 0.25], [0.75, 0.25], [0, 1]]),
        np.array([0, 0]),
    )
    middle = [
        [1, 0, 0, 0],
        [0, 1, 0, 0],
        [0, 0, 1, 0],
        [0, 0, 0.5, 0.5],
        [0, 0, 0.5, 0.5],
        [0, 0, 0, 1],
    ]
    points = [[0, 0], [0.5, 0], [0.6, 0], [1.25, 0], [1.3, 0], [2, 0]]
    cells = {"line": [[0, 1], [2, 3], [4, 5]]}
    twice = MeshChange(Mesh(points, cells), csr_array(middle), np.array([0, 1, 1]))

    both = once.then(twice)

    moved = np.array([[1.0, 2.0], [3.0, 6.0]])
    assert both.carried(moved) == pytest.approx(twice.carried(once.carried(moved)), abs=1e-15)
    assert both.carried(moved)[3] == pytest.approx(
        [1.0 + 0.625 * 2.0, 2.0 + 0.625 * 4.0], abs=1e-15
    )
    assert both.mesh is twice.mesh
    assert both.cells.tolist() == [0, 0, 0]
