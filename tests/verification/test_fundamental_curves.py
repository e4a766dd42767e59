"""Curves by fundamental forms, against what is known exactly."""

import numpy as np
import pytest

import pliant as pl
from tests.verification.form_shapes import chain, order, straight, values


@pytest.mark.parametrize("dim", [2, 3])
def test_a_curve_that_is_rolled_up_or_out_costs_curvature_alone(dim):
    """W = curvature/2 k^2 over the length of the bends, all but half a line at each end."""
    R, errors = 0.5, []
    for n in (20, 40):
        h = 2 * R * np.sin(1.0 / n)  # sides of the polygon
        turn = np.linspace(0, 2.0, n + 1)
        arc = np.zeros((n + 1, dim))
        arc[:, :2] = R * np.stack([np.sin(turn), 1 - np.cos(turn)], axis=1)
        line = h * n * straight(n, dim)
        for rest, bent in ((arc, line), (line, arc)):
            curve = pl.FormCurve(chain(rest), metric=1000.0, curvature=0.1, density=1.0)
            length, bend = values(curve, bent)
            assert length < 1e-20
        errors.append(bend / (0.05 * (n - 1) * h / R**2) - 1)
    assert abs(errors[-1]) < 0.002 and order(errors) == pytest.approx(2, abs=0.1)


def test_a_helix_costs_what_its_curvature_and_torsion_change():
    """k = r/(r^2 + c^2), t = c/(r^2 + c^2), stretch by the length of a turn."""

    def helix(c, n):
        t = np.linspace(0, 4, n + 1)
        return np.stack([np.cos(t), np.sin(t), c * t], axis=1)

    found = []
    for n in (40, 80):
        how = {"metric": 1.0, "curvature": 1.0, "torsion": 1.0, "density": 1.0}
        curve = pl.FormCurve(chain(helix(0.5, n)), **how)
        found.append(values(curve, helix(0.7, n)) / np.array([n, n - 1, n - 2]) * n)
    length, a, b = 4 * np.sqrt(1.25), 1 / 1.25, 1 / 1.49
    strain = (1.49 / 1.25 - 1) / 2
    exact = length / 2 * np.array([strain**2, (b - a) ** 2, (0.7 * b - 0.5 * a) ** 2])
    errors = np.array(found) / exact - 1
    assert np.abs(errors[-1]).max() < 0.003
    for one in errors.T:
        assert order(one) == pytest.approx(2, abs=0.1)


def test_a_taut_string_sags_to_a_parabola_and_rings_as_one():
    """T = metric e s at a stretch s, e = (s^2 - 1)/2; depth q L^2/(8 T); f_k = k/(2 L) sqrt(T/m)."""
    s, errors = 1.1, []
    tension = 100.0 * (s**2 - 1) / 2 * s
    for n in (10, 20):
        string = pl.FormCurve(chain(straight(n)), metric=100.0, density=0.01)
        string.fix([0, n])
        taut = s * string.mesh.points
        string.place(taut)
        x = pl.Scene([string], gravity=(0, -0.01)).equilibrium().positions[0]
        # Weights at points sag to a polygon on the parabola.
        depth = 0.01 * 0.01 / s * s**2 / (8 * tension)
        assert x[n // 2, 1] == pytest.approx(-depth, rel=1e-6)
        k = np.arange(1, 4)
        exact = k * np.pi / s * np.sqrt(tension * s / 0.01)
        errors.append(np.sqrt(string.system().modes(taut, 3)[0]) / exact - 1)
    assert abs(errors[-1][0]) < 0.0015
    np.testing.assert_allclose([order(e) for e in np.transpose(errors)], 2, atol=0.1)


def test_a_chain_hangs_in_a_catenary():
    """y = a cosh(x/a) between two points half its length apart; hardly any stretch."""
    from scipy.optimize import brentq

    a = brentq(lambda a: a * np.sinh(0.25 / a) - 0.5, 0.05, 1.0)  # 1 m over a gap of 0.5 m
    depth, errors = a * (np.cosh(0.25 / a) - 1), []
    for n in (20, 40):
        line = chain(straight(n, 3))
        rope = pl.FormCurve(line, metric=1e4, curvature=1e-7, density=0.1)
        s = np.linspace(-1, 1, n + 1)
        rope.place(np.stack([0.25 * s, 0.4 * (s**2 - 1), 0 * s], axis=1))
        rope.fix([0, n])
        x = pl.Scene([rope], gravity=(0, -9.81, 0)).equilibrium().positions[0]
        errors.append(-x[n // 2, 1] / depth - 1)
    assert abs(errors[-1]) < 1e-3 and order(errors) == pytest.approx(2, abs=0.2)


@pytest.mark.parametrize("dim", [2, 3])
def test_a_clamped_wire_bends_and_rings_as_a_beam(dim):
    """Depth q L^4/(8 EI) and the first two frequencies; L from the middle of the clamped line."""
    errors = []
    for n in (10, 20):
        wire = pl.FormCurve(chain(straight(n, dim)), metric=1e4, curvature=1.0, density=1e-3)
        wire.fix([0, 1])
        x = pl.Scene([wire], gravity=(0, -1.0, 0)[:dim]).equilibrium().positions[0]
        L = 1 - 0.5 / n
        sag = -x[-1, 1] / (1e-3 * L**4 / 8)
        count = 2 if dim == 2 else 4  # in space each rings in two planes
        tones = np.sqrt(wire.system().modes(wire.mesh.points, count)[0][:: count // 2])
        exact = np.array([3.516015, 22.034492]) * np.sqrt(1.0 / 1e-3) / L**2
        errors.append(np.array([sag, *(tones / exact)]) - 1)
    assert np.abs(errors[-1]).max() < 0.006
    np.testing.assert_allclose([order(e) for e in np.transpose(errors)], 2, atol=0.15)
