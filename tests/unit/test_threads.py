"""Scenes that run in several threads at once."""

import sys
import threading

import numpy as np
import pytest

import pliant as pl
from pliant.backend import computing, threads


def run(seed: int) -> np.ndarray:
    """A beam whose solver records its launches."""
    mesh = pl.meshes.box((4, 1, 1), (10, 4, 4))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6 + 1e4 * seed, poisson=0.35))
    body.fix(mesh.points[:, 0] < 1e-9)
    return pl.Scene([body]).run(seconds=0.1, dt=1 / 60, progress=False).positions[-1]


def test_two_threads_step_their_scenes_as_one_would():
    alone = [run(seed) for seed in range(2)]
    found: dict[int, list[np.ndarray]] = {0: [], 1: []}
    failed: list[BaseException] = []

    def go(seed: int) -> None:
        try:
            for _ in range(12):
                found[seed].append(run(seed))
        except BaseException as error:  # told below, in the thread of the test
            failed.append(error)

    threads = [threading.Thread(target=go, args=(seed,)) for seed in found]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed, failed
    for seed, takes in found.items():
        assert len(takes) == 12
        for x in takes:
            # not bit for bit: launches that could not be recorded run in another number of slices
            np.testing.assert_allclose(x, alone[seed], atol=1e-9)


@pytest.mark.parametrize("ask", ["rest_shape", "anneal"])
def test_what_is_asked_of_a_body_waits_while_another_thread_records(ask):
    """As while a stage runs: the recorder would hear these launches as well."""
    mesh = pl.meshes.box((2, 1, 1), (2, 1, 1))
    body = pl.Body(mesh, pl.Plastic(pl.Hencky(young=1e6, poisson=0.3), yield_stress=1e5))
    body.fix(mesh.points[:, 0] < 1e-9)
    getattr(body, ask)()  # once before, so that all is prepared
    with computing.recording() as alone:
        assert alone
        other = threading.Thread(target=getattr(body, ask))
        other.start()
        other.join(0.3)
        assert other.is_alive()  # it waits
    other.join(30.0)
    assert not other.is_alive()


def test_only_one_thread_records_and_others_wait():
    order = []
    with computing.recording() as first:
        assert first
        other = threading.Thread(target=lambda: order.append(_in_turn()))
        other.start()
        other.join(0.1)
        assert other.is_alive()  # it waits
        order.append("recorded")
    other.join(5.0)
    assert order == ["recorded", "computed"]


def test_no_thread_records_while_another_computes():
    inside, end = threading.Event(), threading.Event()

    @computing
    def compute() -> None:
        inside.set()
        end.wait(5.0)

    other = threading.Thread(target=compute)
    other.start()
    assert inside.wait(5.0)
    with computing.recording() as alone:
        assert not alone
    end.set()
    other.join()
    with computing.recording() as alone:
        assert alone


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_an_error_opens_the_gate_again(error):
    with pytest.raises(error), computing.recording():
        raise error
    with computing.recording() as alone:
        assert alone


def test_an_interrupt_at_any_place_leaves_the_gate_open():
    """Raised at every line of the gate in turn, as Ctrl-C may be."""
    for function in (_in_turn, _recorded):
        raised = True
        for line in range(1, 100):
            raised = _interrupted(function, line)
            other = threading.Thread(target=_in_turn, daemon=True)
            other.start()
            other.join(5.0)
            assert not other.is_alive(), (function.__name__, line)
            computing._inside.clear()  # one interrupt at a time
            if not raised:
                break
        assert line > 5 and not raised


def _interrupted(function, line: int) -> bool:
    """Whether the function was interrupted when it came to its line number `line` within the gate."""
    count = 0

    def trace(frame, event, arg):
        nonlocal count
        if frame.f_code.co_filename != threads.__file__:
            return trace
        if event == "line":
            count += 1
            if count == line:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        function()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


@computing
def _in_turn() -> str:
    return "computed"


def _recorded() -> None:
    with computing.recording():
        pass
