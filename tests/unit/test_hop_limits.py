"""What a fall allows: how many hops, and how long they take."""

import math

import pytest

import pliant as pl
from pliant.control import HopLimits

G = 9.81
LANDING = {"speed": 3.132, "gravity": G, "dt": 1 / 60, "gap": 2e-4}


def test_the_most_hops_fit_in_the_time_and_one_more_does_not():
    limits = HopLimits.of(2, rest_in=0.9, **LANDING)
    V = LANDING["speed"]

    def fits(count):
        """Whether some share e <= 0.95 gives hops that are seen and fill at most the time."""
        for e in (0.95 * k / 2000 for k in range(1, 2001)):
            last = e**count * V
            seen = last**2 / (2 * G) >= 4e-4 and 2 * last / G >= 1.5 / 60
            if seen and sum(2 * e**i * V / G for i in range(1, count + 1)) <= 0.9:
                return True
        return False

    assert fits(limits.most) and not fits(limits.most + 1)
    assert limits.longest == pytest.approx((0.95 + 0.95**2) * 2 * V / G)
    e = (0.75 / 60 * G / V) ** 0.5  # the last of two lasts one and a half steps
    assert limits.shortest == pytest.approx((e + e**2) * 2 * V / G)


def test_too_small_a_fall_allows_none():
    limits = HopLimits.of(1, rest_in=0.5, **(LANDING | {"speed": 0.05}))
    assert limits.most == 0 and math.isinf(limits.shortest) and "cannot be seen" in str(limits)


def test_a_report_of_a_fall_tells_of_hops():
    cube = pl.meshes.box((0.2, 0.2, 0.2), (2, 2, 2))
    body = pl.Body(cube, pl.StableNeoHookean(young=1e6, poisson=0.4), density=1000.0)
    wish = pl.Settle(rest_in=0.9, bounces=2)
    report = wish.report(body, gravity=(0, -G, 0), fall=0.5)
    assert report.hops == HopLimits.of(2, rest_in=0.9, **(LANDING | {"speed": math.sqrt(G)}))
    assert "hops" in str(report) and "longest dt" not in str(report)
    assert wish.report(body).hops is None
    with pytest.raises(ValueError, match="expected a fall"):
        wish.report(body, fall=0.5)


def test_a_report_of_a_fall_says_that_there_is_no_time_for_so_many_hops():
    cube = pl.meshes.box((0.2, 0.2, 0.2), (2, 2, 2))
    body = pl.Body(cube, pl.StableNeoHookean(young=1e5, poisson=0.4), density=1000.0)
    wish, how = pl.Settle(rest_in=0.2, bounces=5), {"dt": 1 / 60, "gravity": (0, -G, 0)}
    with pytest.raises(pl.ImpossibleWishError):
        wish.report(body, **how)
    assert 0 < wish.report(body, fall=0.05, **how).hops.most < 5
