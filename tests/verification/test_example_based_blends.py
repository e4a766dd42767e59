"""Blends of examples: where strains fit together they are found exactly, and how far they miss else."""

import numpy as np
import pytest

import pliant as pl

MATERIAL = pl.StableNeoHookean(young=1e5, poisson=0.3)


def arc(mesh, angle, length=4.0):
    """Bent to an arc of an angle [rad]; what is across stays as it is."""
    s, y = mesh.points[:, 0], mesh.points[:, 1]
    radius, a = length / angle, angle * s / length
    return np.stack([(radius + y) * np.sin(a), (radius + y) * np.cos(a) - radius], axis=1)


def strip(n):
    return pl.meshes.rectangle((4, 1), (6 * n, 2 * n), kind="quad", origin=(0, -0.5))


def missed(body, x):
    """What is left of the energy of a shape, taken from the rest shape, by the nearest blend."""
    at = body.system().assembly.array(x)
    return body.misfit(x) / body._preference().towards(np.zeros(len(body.examples))).value(at)


def test_half_of_an_arc_is_the_arc_of_half_the_angle():
    """The stretch of an arc is linear in its angle, so every blend of arcs is an arc."""
    errors, misses, weights = [], [], []
    for n in (1, 2, 4):
        mesh = strip(n)
        body = pl.ExampleBased(mesh, MATERIAL, examples=[arc(mesh, 1.2)])
        half = arc(mesh, 0.6)
        misses.append(missed(body, half))
        weights.append(abs(body.weights(half)[1] - 0.5))
        found = body.blend([0.5])
        apart = found - body.system().align(half, found)
        errors.append(np.sqrt((apart**2).mean()))
    # Cells are straight: shapes come nearer with the square of their size, measured 2.1, and
    # energies, squares of strains that miss, faster: 3.
    assert (np.log2(np.divide(errors[:-1], errors[1:])) > 1.9).all() and errors[-1] < 1e-4
    assert (np.log2(np.divide(misses[:-1], misses[1:])) > 2.6).all() and misses[-1] < 1e-5
    assert weights[-1] < 1e-4


def screw(mesh, turn):
    x, y, z = mesh.points.T
    a = turn * x / 4.0
    return np.stack([x, y * np.cos(a) - z * np.sin(a), y * np.sin(a) + z * np.cos(a)], axis=1)


def test_a_twist_does_not_fit_together_by_the_square_of_its_angle():
    """Half of its strains are no shape's: twist shortens nothing to first order, but to second."""
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2), kind="hex", origin=(0, -0.5, -0.5))
    misses, weights = [], []
    for turn in (0.4, 0.8, 1.6):
        body = pl.ExampleBased(mesh, MATERIAL, examples=[screw(mesh, turn)])
        x = body.blend([0.5])
        misses.append(missed(body, x))
        weights.append(abs(body.weights(x)[1] - 0.5))
        assert missed(body, screw(mesh, turn)) <= 1e-26
    orders = np.log2(np.divide(misses[1:], misses[:-1]))
    assert (orders > 1.9).all() and (orders < 2.1).all()
    assert misses[-1] < 2e-3 and max(weights) < 1e-6  # measured 1.5e-3 and 4e-7


def test_weights_of_three_examples_are_recovered():
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2), kind="hex", origin=(0, -0.5, -0.5))
    bent = mesh.points + 0.05 * mesh.points[:, :1] ** 2 * [0, 1, 0]
    stretched = mesh.points * [1.2, 0.95, 0.95]
    body = pl.ExampleBased(mesh, MATERIAL, examples=[screw(mesh, 0.8), bent, stretched])
    for w in ([0.2, 0.3, 0.4], [0.8, 0.0, -0.3], [0.0, 0.6, 0.0]):
        x = body.blend(w)
        # Measured 2e-4 and 3e-5: strains that do not fit together, where examples are mixed.
        assert body.weights(x)[1:] == pytest.approx(w, abs=5e-4)
        assert missed(body, x) < 1e-4


@pytest.mark.parametrize("kind", ["tri", "quad", "tri6", "tet", "hex", "tet10"])
def test_between_stretches_every_blend_is_exact(kind):
    flat = kind in ("tri", "quad", "tri6")
    mesh = (
        pl.meshes.rectangle((2, 1), (2, 1), kind=kind)
        if flat
        else pl.meshes.box((2, 1, 1), (2, 1, 1), kind=kind)
    )
    sizes = np.array([[1.4, 0.9, 1.0], [0.9, 0.8, 1.3]])[:, : mesh.dim]
    body = pl.ExampleBased(mesh, MATERIAL, examples=list(mesh.points * sizes[:, None]))
    x = body.blend([0.3, 0.9])
    assert missed(body, x) <= 1e-20
    assert body.weights(x)[1:] == pytest.approx([0.3, 0.9], abs=1e-8)
    exact = mesh.points * (1.0 + 0.3 * (sizes[0] - 1) + 0.9 * (sizes[1] - 1))
    np.testing.assert_allclose(x, body.system().align(exact, x), atol=1e-7)
