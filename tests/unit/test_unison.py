"""Distances of bounces follow the law where parts turn far or hang far down."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.control.deflections import Deflections
from pliant.energies import softened
from tests.resuming import stopped_and_resumed
from tests.verification.weak_places import bar, clamped, cored

G = (0.0, -9.81)


def heavy(bounces: int = 1) -> pl.Scene:
    """A bar that sags by 0.8 of its length."""
    body = bar(5.7e5)
    body.damping = pl.Settle(1.0, bounces)
    return pl.Scene([body], gravity=G)


def test_the_path_does_not_depend_on_the_time_step() -> None:
    rough, fine = (heavy().run(seconds=1.0, dt=dt, progress=False) for dt in (1 / 30, 1 / 120))
    assert fine.distance()[::4] == pytest.approx(rough.distance(), abs=0.005 * rough.distance()[0])


def test_a_run_goes_on_with_another_time_step() -> None:
    scene, whole = heavy(), heavy()
    scene.run(seconds=0.3, dt=1 / 60, progress=False)
    then = scene.run(seconds=0.7, dt=1 / 100, progress=False)
    once = whole.run(seconds=1.0, dt=1 / 100, progress=False)
    size = once.distance()[0]
    assert then.distance() == pytest.approx(once.distance()[30:], abs=0.01 * size)


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    stopped_and_resumed(heavy, tmp_path / "bar.zarr", steps=30, dt=1 / 30, at=14)


def test_parts_that_hang_down_bounce_each_in_time() -> None:
    one = pl.meshes.rectangle((4, 1), (12, 3))
    n = len(one)
    cells = {kind: np.concatenate([c, c + n]) for kind, c in one.cells.items()}
    points = np.concatenate([one.points, one.points * [0.8, 1.0] + [0.0, 3.0]])
    body = clamped(pl.Body(pl.Mesh(points, cells), pl.StableNeoHookean(young=1e6, poisson=0.4)))
    body.damping = pl.Settle(1.0, 1)
    take = pl.Scene([body], gravity=G).run(seconds=1.3, dt=1 / 60, progress=False)
    assert take[body].rest_times() == pytest.approx([1.0, 1.0], abs=0.01)


def test_deflections_are_monotone_and_lead_back() -> None:
    shares = [1.0, 0.75, 0.5, 0.25, -0.25]
    found = Deflections.through(shares, np.array([0.98, 1.0, 0.8, 0.45, 0.45]))
    assert found is not None
    distances = np.linspace(-0.4, 1.0, 30)
    strains = [found.strain(d) for d in distances]
    assert (np.diff(strains) > 0.0).all()
    assert found.strain(1.0) == 1.0 and found.strain(0.0) == pytest.approx(0.0, abs=1e-12)
    assert found.strain(0.8) == pytest.approx(0.5) and found.strain(-0.9) == pytest.approx(-0.5)
    assert Deflections.through(shares, np.array([1.0, 0.2, 0.6, 0.4, 0.4])) is None
    assert Deflections.through(shares, np.zeros(5)) is None


def test_softened_solids_are_as_stiff_as_before_afterwards() -> None:
    body = cored(1e6)
    system = body.system()
    x = system.assembly.array(body.mesh.points * [1.0, 1.01])
    before = system.assembly.value(body.mesh.points * [1.0, 1.01])
    with softened(system.solids, 1e2):
        assert sum(solid.value(x) for solid in system.solids) < 0.1 * before
    assert system.assembly.value(body.mesh.points * [1.0, 1.01]) == before
