"""The benchmarks measure what they say; no times are asserted, as those belong to a machine."""

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import child, contest, report
from benchmarks.cantilever import SMALL_GRAVITY, STATIC, Cantilever, write
from benchmarks.peers import environment, run


class Spring:
    """Every point is a mass on a spring of 4 / s^2, stepped by backward Euler."""

    def __init__(self, case, gravity):
        self.x, self.y, self.v, self.g = case.points, 0.0, 0.0, gravity

    def advance(self, frames):
        dt = contest.DT
        for _ in range(frames):
            self.v = (self.v - dt * (self.g + 4 * self.y)) / (1 + 4 * dt**2)
            self.y += dt * self.v

    def slow(self, factor):
        self.v *= factor

    def positions(self):
        return self.x + [0, self.y, 0]

    def notes(self):
        return {"settings": "one spring"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("cantilever")
    write(place, "1k")
    return place


def test_the_file_holds_the_beam_and_its_static_answer(folder):
    case = Cantilever.read(folder, "1k")
    assert case.tets.shape == (960, 4)
    assert case.clamped.sum() == 25
    assert case.masses.sum() == pytest.approx(4000.0)
    # Euler-Bernoulli: rho g A L^4 / (8 E I). Coarse linear tetrahedra are stiffer, by less than a third.
    slender = 1000 * SMALL_GRAVITY * 4**4 / (8 * 1e6 / 12)
    assert 0.7 * slender < case.static < slender


def test_measure_finds_the_answer_at_rest(folder):
    found = contest.measure(Spring, folder, "1k", small=True)
    assert found["frames"] == contest.FRAMES
    assert found["small"] * Cantilever.read(folder, "1k").static == pytest.approx(
        SMALL_GRAVITY / 4, rel=1e-3
    )
    assert found["setup"] >= found["build"]


def test_what_blows_up_is_said_to(folder):
    class Unstable(Spring):
        def positions(self):
            return self.x * np.nan

    with pytest.raises(RuntimeError, match="blew up"):
        contest.measure(Unstable, folder, "1k", small=False)


def test_growth_is_the_exponent():
    tets = [5880, 47040, 203136]
    assert report.growth(tets, [3e-6 * n**1.25 for n in tets]) == pytest.approx(1.25)


def results(**changed):
    good = {"frame": 0.01, "setup": 1.0, "memory": 1.0, "residual": 1e-3, "converged": True}
    sizes = {"6k": 5880, "48k": 47040, "200k": 203136}
    ours = {
        (size, who): {**good, "frame": 1e-6 * n, "tets": n, "small": 1.001, **changed}
        for size, n in sizes.items()
        for who in report.OURS
    }
    peers = {(size, "MuJoCo"): {"frame": 2.5e-6 * n} for size, n in sizes.items()}
    return {**ours, **peers}


def test_every_wish_is_judged():
    lines = report.asked(results())
    assert len(lines) == 2 + 2 * 2 + 3 * 2 + 2 + 1 + 2 * 2
    assert all(line.endswith("yes") for line in lines)
    assert "2.5 x" in lines[0]


@pytest.mark.parametrize(
    "changed, missed",
    [
        ({"small": 0.98}, "small-load"),
        ({"setup": 3.1}, "set-up"),
        ({"memory": 2.6}, "memory"),
        ({"residual": 1.0}, "residual"),
        ({"converged": False}, "residual"),
    ],
)
def test_a_missed_wish_is_said_to_be(changed, missed):
    bad = [line for line in report.asked(results(**changed)) if not line.endswith("yes")]
    assert bad
    assert all(missed in line for line in bad)


def test_what_was_not_measured_is_not_judged():
    assert not [line for line in report.asked(results(small=None)) if "small-load" in line]


def test_a_failed_measurement_is_no_answer():
    found = {**results(), ("48k", "MuJoCo"): {"failed": "over 5 min"}}
    (line,) = [line for line in report.asked(found) if not line.endswith(("yes", "NO"))]
    assert "48k" in line
    assert line.endswith("not measured")
    assert report.row("48k", "MuJoCo", found["48k", "MuJoCo"], None).endswith("over 5 min")


def test_a_child_that_fails_or_hangs_is_reported():
    assert "no_such_module" in child.ask("no_such_module")["failed"]
    assert child.ask("timeit", "-n1", "-r1", "import time; time.sleep(60)", limit=0.5) == {
        "failed": "over 0 min"
    }


def test_every_peer_is_pinned():
    for peer in run.PEERS:
        assert environment.pin(peer.package).startswith(f"{peer.package}==")
        assert set(peer.small) <= set(STATIC)
    with pytest.raises(environment.NotInstalled, match="pins no"):
        environment.pin("no-such-peer")
