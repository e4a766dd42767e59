"""Snakes: the energies they are made of, what they take and what they refuse."""

import numpy as np
import pytest
from scipy.ndimage import map_coordinates

import pliant as pl
from pliant.energies import Energy
from pliant.energies.assembly import Assembly
from pliant.energies.balloon import BalloonEnergy
from pliant.energies.picture import PictureEnergy
from tests.laws.test_spring_laws import dense, differences


def circle(n=40, centre=(30.0, 25.0), r=12.0):
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)
    return np.stack([centre[0] + r * np.cos(turn), centre[1] + r * np.sin(turn)], axis=1)


def disc(shape=(50, 60), centre=(30.0, 25.0), r=12.0):
    rows, columns = np.mgrid[: shape[0], : shape[1]]
    return 1 / (1 + np.exp(np.hypot(columns - centre[0], rows - centre[1]) - r))


def test_a_picture_is_interpolated_as_scipy_does_and_differentiated_exactly():
    rng = np.random.default_rng(0)
    picture, pixel = rng.standard_normal((12, 15)), 0.5
    weights = rng.uniform(1, 2, 8)
    energy = PictureEnergy(np.arange(8), picture, weights=weights, pixel=pixel)
    assert isinstance(energy, Energy)
    assembly = Assembly(8, 2, [energy])
    x = pixel * rng.uniform(0.2, 10.8, (8, 2))
    places = [x[:, 1] / pixel, x[:, 0] / pixel]
    known = weights * map_coordinates(picture, places, order=3, mode="mirror")
    assert assembly.value(x) == pytest.approx(known.sum(), rel=1e-12)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    # Centred differences at h = 1e-6: rounding 1e-10; third derivatives jump between pixels.
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-7 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-5 * np.abs(H).max()
    true, projected = np.linalg.eigvalsh(H), np.linalg.eigvalsh(dense(assembly, x, project=True))
    assert true.min() < -1.0
    # What was negative is zero, and nothing else has changed.
    np.testing.assert_allclose(projected, np.maximum(true, 0.0), atol=1e-12 * true.max())


def test_outside_a_picture_is_as_its_border():
    picture = np.random.default_rng(1).standard_normal((9, 11))
    energy = PictureEnergy(np.arange(2), picture, weights=np.ones(2))
    assembly = Assembly(2, 2, [energy])
    beyond, at = np.array([[-5.0, 3.3], [4.4, 20.0]]), np.array([[0.0, 3.3], [4.4, 8.0]])
    assert assembly.value(beyond) == pytest.approx(assembly.value(at), rel=1e-12)
    g = assembly.gradient(beyond)
    assert g[0, 0] == 0.0 and g[1, 1] == 0.0 and np.abs(g).max() > 0.01
    np.testing.assert_allclose(g, assembly.gradient(at), atol=1e-12)  # no kink at the border


def test_searches_do_not_leap_over_edges():
    energy = PictureEnergy(np.arange(2), np.eye(9), weights=np.ones(2), reach=0.5)
    x = Assembly(2, 2, [energy])
    assert energy.step_limit(None, x.array(np.array([[3.0, 4.0], [0.0, 1.0]]))) == 0.1
    assert energy.step_limit(None, x.array(np.zeros((2, 2)))) == np.inf


def test_a_balloon_is_blown_up_by_its_area():
    x = circle(12) + np.random.default_rng(2).uniform(-1, 1, (12, 2))
    lines = np.stack([np.arange(12), np.roll(np.arange(12), -1)], axis=1)
    energy = BalloonEnergy(x, lines, pressure=0.7)
    assert isinstance(energy, Energy)
    assembly = Assembly(12, 2, [energy])
    after = np.roll(x, -1, axis=0)
    area = (x[:, 0] * after[:, 1] - x[:, 1] * after[:, 0]).sum() / 2
    assert assembly.value(x) == pytest.approx(-0.7 * area, rel=1e-12)
    g, H = assembly.gradient(x), dense(assembly, x, project=False)
    assert np.abs(g.ravel() - differences(assembly.value, x)[0]).max() <= 1e-6 * np.abs(g).max()
    assert np.abs(H - differences(assembly.gradient, x)).max() <= 1e-6 * np.abs(H).max()
    np.testing.assert_allclose(g.sum(axis=0), 0.0, atol=1e-12)
    assert not dense(assembly, x, project=True).any()


@pytest.mark.parametrize("turn", [1, -1])
def test_pressure_blows_up_whichever_way_round_the_contour_runs(turn):
    areas = []
    for pressure in (-0.02, 0.0, 0.02):
        snake = pl.Snake(circle()[::turn], disc(), pressure=pressure)
        x = pl.Scene([snake]).equilibrium().positions[0]
        areas.append(np.prod(np.ptp(x, axis=0)))
    assert areas[0] < areas[1] - 0.1 and areas[1] < areas[2] - 0.1


def test_pixels_and_metres_are_the_same_snake():
    """Lengths scale by s, and with them elasticity 1, rigidity s^2, attraction 1 in [N]."""
    s = 0.01
    plain = pl.Snake(circle(r=14), disc(), blur=3.0)
    how = {"blur": 3 * s, "rigidity": s**2, "pixel": s}
    metres = pl.Snake(s * circle(r=14), disc(), **how)
    a, b = (pl.Scene([snake]).equilibrium().positions[0] for snake in (plain, metres))
    np.testing.assert_allclose(b, s * a, atol=1e-6 * s)


def test_blur_and_pressure_may_be_set_on_the_way():
    snake = pl.Snake(circle(r=17), disc(), blur=5.0, damping=pl.Settle(0.3))
    scene = pl.Scene([snake])
    radii = []
    for blur in (5.0, 2.0, 1.0):
        snake.blur = blur
        scene.run(seconds=0.5, dt=1 / 30, progress=False)
        radii.append(np.linalg.norm(snake.positions - [30, 25], axis=1).mean())
    assert snake.blur == 1.0 and snake.facts()["blur"] == 1.0
    # Ever nearer to the edge, from inside: a blurred disc is steepest within its rim.
    assert radii[0] < radii[1] < radii[2] and radii[2] == pytest.approx(12.0, abs=0.2)
    snake.pressure = 0.05
    scene.run(seconds=0.5, dt=1 / 30, progress=False)
    assert np.linalg.norm(snake.positions - [30, 25], axis=1).mean() > radii[2] + 0.01


def test_an_open_snake_finds_a_line():
    """A bent start between two ends held on a straight edge."""
    picture = np.tile(1 / (1 + np.exp(20.0 - np.arange(40.0)))[:, None], (1, 60))
    x = np.linspace(5, 55, 30)
    start = np.stack([x, 20 + 3 * np.sin((x - 5) / 50 * np.pi)], axis=1)
    snake = pl.Snake(start, picture, closed=False, blur=2.0)
    snake.fix([0, 29])
    found = pl.Scene([snake]).equilibrium().positions[0]
    np.testing.assert_allclose(found[:, 1], 20.0, atol=0.02)


def test_a_point_without_rigidity_may_be_a_corner():
    """The corners of a square in a picture, with and without rigidity at the nearest points."""
    rows, columns = np.mgrid[:60, :60]
    inside = np.maximum(abs(columns - 30.0), abs(rows - 30.0)) < 14.5
    inside = inside + 0.05 * np.random.default_rng(0).standard_normal(inside.shape)
    start = circle(48, (30.0, 30.0), 18.0)
    corners = np.arange(48) % 12 == 6
    off = []
    for rigidity in (20.0, np.where(corners, 0.0, 20.0)):
        snake = pl.Snake(start, inside, blur=2.0, rigidity=rigidity)
        x = pl.Scene([snake]).equilibrium().positions[0]
        off.append(np.linalg.norm(abs(x[corners] - 30) - 14.5, axis=1).mean())
    assert off[1] < 0.75 * off[0]  # what is left is the blur of the corner itself


GREY = disc()
MISTAKES = [
    (lambda: pl.Snake(circle(), np.zeros((50, 60, 3))), r"\(50, 60, 3\).*mean\(axis=2\)"),
    (lambda: pl.Snake(circle(), np.arange(20.0)), "rows, columns"),
    (lambda: pl.Snake(circle(), "cat.png"), "rows, columns"),
    (lambda: pl.Snake(circle(), np.full((50, 60), np.nan)), "not finite in row 0"),
    (lambda: pl.Snake(circle(), np.ones((50, 60))), "1 all over"),
    (lambda: pl.Snake(circle(r=40), GREY), "outside the picture"),
    (lambda: pl.Snake(circle() * np.nan, GREY), "outside the picture"),
    (lambda: pl.Snake(circle(4), GREY), "at least 5 points"),
    (lambda: pl.Snake(circle().ravel(), GREY), r"shape \(80,\)"),
    (lambda: pl.Snake(np.concatenate([circle(), circle()[:1]]), GREY), "does not repeat its first"),
    (lambda: pl.Snake(circle(), GREY, elasticity=-1.0), "elasticity=-1.0; expected 0 or more"),
    (lambda: pl.Snake(circle(), GREY, elasticity=0.0, rigidity=0.0), "nothing holds its points"),
    (lambda: pl.Snake(circle(), GREY, blur=0.0), "blur=0.0; expected more than 0"),
    (lambda: pl.Snake(circle(), GREY, attraction=-1.0), "attraction=-1.0"),
    (lambda: pl.Snake(circle(), GREY, closed=False, pressure=1.0), "no inside"),
    (lambda: pl.Snake(circle(), GREY, pressure="much"), "pressure='much'"),
    (lambda: setattr(pl.Snake(circle(), GREY), "blur", -2.0), "blur=-2.0"),
]


@pytest.mark.parametrize("make, words", MISTAKES)
def test_mistakes_are_told_in_one_line(make, words):
    with pytest.raises(ValueError, match=words) as caught:
        make()
    assert "\n" not in str(caught.value)
