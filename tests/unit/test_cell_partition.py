"""Cells shared among threads: the same sums, in an order that never changes."""

import numpy as np
import pytest
import warp as wp

import pliant as pl
from pliant.energies import SolidEnergy
from pliant.energies.assembly import Assembly
from pliant.energies.cell_partition import LEAST_CELLS, CellPartition
from pliant.energies.frames import turned_points
from pliant.energies.shifted import ShiftedStrain
from pliant.energies.strain_measures import biot


def beam(shares: int | None = None) -> tuple[SolidEnergy, Assembly, np.ndarray]:
    mesh = pl.meshes.box((3, 1, 1), (9, 4, 4))
    ((kind, cells),) = mesh.cells.items()
    cells = np.random.default_rng(1).permutation(cells)  # as an unstructured mesh lists them
    solid = SolidEnergy(mesh.points, cells, kind, pl.StableNeoHookean(young=10.0, poisson=0.3))
    if shares:
        solid.shares = CellPartition(mesh.points, cells, device="cpu", count=shares)
    noise = np.random.default_rng(2).normal(size=mesh.points.shape)
    return solid, Assembly(len(mesh), 3, [solid]), mesh.points + 0.02 * noise


def results(shares: int | None) -> list[np.ndarray]:
    solid, assembly, x = beam(shares)
    ghost = ShiftedStrain(solid, biot, lam=1.0, mu=2.0)
    y = assembly.array(x)
    return [
        np.array(assembly.value(x, [ghost])),
        assembly.gradient(x, [ghost]),
        assembly.blocks(x, project=False, also=[ghost]),
        assembly.blocks(x, project=True),
        turned_points([solid], y, len(x)).numpy(),
        solid.strain_energies(y),
        solid.deformation_gradients(y),
        ghost.strain(y),
    ]


@pytest.mark.parametrize("count", [2, 3])
def test_shares_hold_every_cell_once_and_no_common_point(count: int) -> None:
    solid, _, _ = beam(count)
    cells, orders = solid.stencils, solid.shares.orders
    assert len(solid.shares) == count and len(orders) == count + 1
    assert np.array_equal(np.sort(np.concatenate(orders)), np.arange(len(cells)))
    touched = [set(cells[order].ravel()) for order in orders[:-1]]
    assert not set.intersection(*touched[:2]) and all(touched)
    assert len(orders[-1]) < 0.4 * len(cells)  # a seam is one layer of nine


def test_rows_of_cells_go_where_their_cells_go() -> None:
    solid, _, x = beam()
    cells = solid.stencils
    rows = CellPartition(x, cells, device="cpu", count=2, each=3).orders
    alone = CellPartition(x, np.repeat(cells, 3, axis=0), device="cpu", count=2).orders
    assert len(rows) == 3 and all(map(np.array_equal, rows, alone))


@pytest.mark.parametrize("count", [2, 3])
def test_shared_equals_whole(count: int) -> None:
    for shared, whole in zip(results(count), results(1), strict=True):
        # Sums of some 24 cells around a point, in another order.
        assert np.abs(shared - whole).max() <= 1e-13 * np.abs(whole).max()


def test_threads_never_change_a_bit() -> None:
    first = results(2)
    for _ in range(5):
        for again, before in zip(results(2), first, strict=True):
            assert np.array_equal(again, before)


def test_few_cells_are_not_shared() -> None:
    solid, _, _ = beam()
    assert len(solid.stencils) < LEAST_CELLS and len(solid.shares) == 1


def test_changed_inputs_reach_recorded_launches() -> None:
    """Launches are recorded once; each call still sees its own positions, moduli and results."""
    solid, assembly, x = beam(2)
    ghost = ShiftedStrain(solid, biot, lam=1.0, mu=2.0)
    twice = Assembly(len(x), 3, [ghost])
    g, blocks = twice.gradient(x), twice.blocks(x, project=False)
    ghost.weigh(2.0)
    assert np.allclose(twice.gradient(x), 2.0 * g, rtol=1e-12, atol=0.0)
    doubled = twice.blocks(x, project=False)
    assert not np.may_share_memory(doubled, blocks)
    assert np.allclose(doubled, 2.0 * blocks, rtol=1e-12, atol=1e-14 * np.abs(blocks).max())
    assert not np.allclose(assembly.gradient(x), assembly.gradient(1.1 * x))


def test_float32_results_are_float64() -> None:
    mesh = pl.meshes.box((1, 1, 1), (2, 2, 2))
    ((kind, cells),) = mesh.cells.items()
    law = pl.StableNeoHookean(young=10.0, poisson=0.3)
    x = mesh.points * [1.1, 1.0, 0.9]
    found = []
    for dtype in (wp.float32, wp.float64):
        solid = SolidEnergy(mesh.points, cells, kind, law, dtype=dtype)
        found.append(Assembly(len(mesh), 3, [solid], dtype=dtype).gradient(x))
    assert found[0].dtype == np.float64
    assert np.abs(found[0] - found[1]).max() <= 1e-5 * np.abs(found[1]).max()
