"""Blends of examples: where strains fit together they are found exactly, and how far they miss else."""

import numpy as np
import pytest
from scipy.optimize import minimize

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


def biot(mesh, cells, x):
    """Biot strains of linear cells by numpy's singular values, and the volumes at rest."""
    before, now = (
        np.stack([p[cells[:, i + 1]] - p[cells[:, 0]] for i in range(mesh.dim)], axis=2)
        for p in (mesh.points, x)
    )
    F = now @ np.linalg.inv(before)
    _, sizes, turn = np.linalg.svd(F)
    sizes[:, -1] *= np.sign(np.linalg.det(F))  # what is inside out has been pressed below zero
    strains = np.einsum("cki,ck,ckj->cij", turn, sizes, turn) - np.eye(mesh.dim)
    return strains, np.linalg.det(before) / (2 if mesh.dim == 2 else 6)


@pytest.mark.parametrize("bounds", [None, (0.0, 1.0)])
@pytest.mark.parametrize(("dim", "scale"), [(2, 1.0), (3, 1e-3), (3, 100.0)])
def test_the_nearest_blend_is_the_one_that_another_optimiser_finds(dim, scale, bounds):
    """Strains by numpy, weights by scipy: on an uneven mesh, for examples turned at random."""
    rng = np.random.default_rng(dim)
    even = pl.meshes.rectangle((3, 1), (5, 2)) if dim == 2 else pl.meshes.box((3, 1, 1), (4, 2, 1))
    noise = 0.05 * rng.uniform(-1, 1, even.points.shape)
    mesh = pl.Mesh(scale * (even.points + noise), even.cells)
    (cells,) = mesh.cells.values()
    X = mesh.points / scale

    def anywhere(x):
        Q, _ = np.linalg.qr(rng.standard_normal((dim, dim)))
        Q[:, 0] *= np.linalg.det(Q)
        return scale * (x @ Q.T + rng.uniform(-5, 5, dim))

    bent, sheared = X.copy(), X.copy()
    bent[:, 1] += 0.08 * X[:, 0] ** 2
    sheared[:, 0] += 0.3 * X[:, 1]
    shapes = (bent, X * [1.3, 0.9, 0.95][:dim], sheared)
    young, strength = 2e4, 7.0
    body = pl.ExampleBased(
        mesh,
        pl.StableNeoHookean(young=young, poisson=0.3),
        examples=[anywhere(x) for x in shapes],
        strength=strength,
        bounds=bounds,
    )
    shown = np.stack([biot(mesh, cells, scale * x)[0] for x in shapes])
    for size in (0.02, 0.3, 0.3):  # of noise: the larger turns cells inside out
        x = anywhere(bent + size * rng.uniform(-1, 1, X.shape))
        strains, volumes = biot(mesh, cells, x)

        def energy(w, strains=strains, volumes=volumes):
            miss = strains - np.tensordot(w, shown, 1)
            return 0.5 * strength * young * (volumes * (miss**2).sum(axis=(1, 2))).sum()

        whole = energy(np.zeros(3))
        room = [{"type": "ineq", "fun": lambda w: 1.0 - w.sum()}] if bounds else []
        found = minimize(
            lambda w, f=energy, whole=whole: f(w) / whole,
            np.full(3, 0.2),
            bounds=[bounds] * 3 if bounds else None,
            constraints=room,
            method="SLSQP",
            options={"ftol": 1e-15, "maxiter": 500},
        )
        # Its slopes are differences: weights to 1e-6, the energy at their minimum to the square.
        assert body.weights(x)[1:] == pytest.approx(found.x, abs=2e-6)
        assert body.misfit(x) == pytest.approx(energy(found.x), rel=1e-10)
