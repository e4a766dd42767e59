"""A step that fails while arrays are on a CUDA device leaves them as they were."""

from __future__ import annotations

import numpy as np
import pytest
import warp as wp
from soft_bodies import sheet, solid
from stages import DAMPINGS, SUPPORTS, beam, stage

import pliant as pl
from pliant.backend import start
from tests.failing import Clumsy, culprit
from tests.resuming import stopped_and_resumed

start()
pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not wp.is_cuda_available(), reason="needs a CUDA device"),
]


@pytest.mark.parametrize("error", [KeyboardInterrupt(), pl.SolverError("on cue")], ids=repr)
@pytest.mark.parametrize("support", SUPPORTS)
@pytest.mark.parametrize("name", DAMPINGS)
def test_a_run_that_failed_is_taken_up(name, support, error):
    ends, clocks = [], []
    for fails in (False, True):
        body = beam(3, DAMPINGS[name](), support=support)
        other = culprit(Clumsy({0.095: error} if fails else {}), 3)
        scene = pl.Scene([body, other], gravity=stage(body, support).gravity)
        settings = {"dt": 0.01, "device": "cuda", "stepper": pl.Implicit(tolerance=1e-6)}
        if fails:
            with pytest.raises(type(error)) as caught:
                scene.run(seconds=0.2, **settings)
            assert np.array_equal(caught.value.take[body].positions[-1], body.positions)
            assert len(caught.value.take[body].positions) == 10
        else:
            scene.run(seconds=0.09, **settings)
        scene.run(seconds=0.11, **settings)
        ends.append(body.positions)
        clocks.append(getattr(body.state.control, "clock", None))
    assert clocks[0] == clocks[1]
    # Sums on CUDA are taken in any order; 20 steps, each within 1e-6 of its motion.
    moved = np.abs(ends[0] - beam(3, None, support=support).positions).max()
    assert np.abs(ends[0] - ends[1]).max() <= 20e-6 * moved


@pytest.mark.parametrize("at", [9, 18])
@pytest.mark.parametrize("bounces", [None, 0, 2])
@pytest.mark.parametrize("make", [solid, sheet])
def test_a_run_is_taken_up_from_a_file(tmp_path, make, bounces, at):
    """What solvers and the damping remember goes to the host, into a file, and back."""

    def scene():
        return pl.Scene(make(damping=pl.Settle(0.2, bounces)), gravity=(0, -1, 0))

    how = {"dt": 1 / 60, "device": "cuda"}
    whole = scene().run(seconds=20 / 60, stepper=pl.Implicit(1e-6), progress=False, **how)
    found = stopped_and_resumed(
        scene, tmp_path / "a.zarr", steps=20, at=at, stepper=lambda: pl.Implicit(1e-6), **how
    )
    moved = np.abs(whole.positions - whole.positions[0]).max()
    # Sums on CUDA are taken in any order; 20 steps, each within 1e-6 of its motion.
    assert np.abs(found.positions - whole.positions).max() <= 20e-6 * moved
