"""Chains for bodies of fundamental forms, their energies, and orders of convergence."""

import numpy as np

import pliant as pl
from pliant.energies.assembly import Assembly


def chain(points, closed=False):
    start = np.arange(len(points) if closed else len(points) - 1)
    return pl.Mesh(points, {"line": np.stack([start, (start + 1) % len(points)], axis=1)})


def straight(n, dim=2, length=1.0):
    points = np.zeros((n + 1, dim))
    points[:, 0] = np.linspace(0, length, n + 1)
    return points


def values(body, x):
    """The energy of each kind of its terms [J]."""
    return [Assembly(len(body), body.dim, [e]).value(x) for e in body.energies(device="cpu")]


def order(errors, factor=2.0):
    return np.log(np.abs(errors[-2] / errors[-1])) / np.log(factor)
