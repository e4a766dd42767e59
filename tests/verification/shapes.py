"""Start shapes of a beam along x, clamped at x = 0: what a body is released from."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

LENGTH = 4.0


def _along(angle: Callable[[np.ndarray], np.ndarray], x: np.ndarray) -> np.ndarray:
    """The shape whose axis has the given slope angle at each x, cross-sections kept normal."""
    s = np.linspace(0.0, LENGTH, 4001)
    a = angle(s)
    step = s[1] - s[0]
    cx = np.concatenate([[0.0], np.cumsum(0.5 * (np.cos(a[1:]) + np.cos(a[:-1])) * step)])
    cy = np.concatenate([[0.0], np.cumsum(0.5 * (np.sin(a[1:]) + np.sin(a[:-1])) * step)])
    middle = 0.5 * (x[:, 1].min() + x[:, 1].max())
    y = x[:, 1] - middle
    at = angle(x[:, 0])
    out = x.copy()
    out[:, 0] = np.interp(x[:, 0], s, cx) - y * np.sin(at)
    out[:, 1] = np.interp(x[:, 0], s, cy) + y * np.cos(at) + middle
    return out


def bend(x: np.ndarray, degrees: float = 70.0) -> np.ndarray:
    """Constant curvature: the tip turns by so many degrees."""
    return _along(lambda s: np.deg2rad(degrees) * s / LENGTH, x)


def stretch(x: np.ndarray, share: float = 0.2) -> np.ndarray:
    """Lengthened uniformly."""
    out = x.copy()
    out[:, 0] *= 1.0 + share
    return out


def twist(x: np.ndarray, degrees: float = 70.0) -> np.ndarray:
    """Turned about its axis, more towards the tip (3D only)."""
    out = x.copy()
    a = np.deg2rad(degrees) * x[:, 0] / LENGTH
    c = 0.5 * (x[:, 1:].min(axis=0) + x[:, 1:].max(axis=0))
    y, z = (x[:, 1:] - c).T
    out[:, 1] = c[0] + y * np.cos(a) - z * np.sin(a)
    out[:, 2] = c[1] + y * np.sin(a) + z * np.cos(a)
    return out


def s_shape(x: np.ndarray, degrees: float = 35.0) -> np.ndarray:
    """Up, then down."""
    return _along(lambda s: np.deg2rad(degrees) * np.sin(2.0 * np.pi * s / LENGTH), x)


def poke(x: np.ndarray) -> np.ndarray:
    """A dent near the upper corner of the tip."""
    corner = np.array([LENGTH, 1.0, 0.5])[: x.shape[1]]
    near = np.exp(-((x - corner) ** 2).sum(axis=1) / (2.0 * 0.3**2))
    return x + near[:, None] * np.array([-0.2, -0.3, 0.0])[: x.shape[1]]


def mixed(x: np.ndarray) -> np.ndarray:
    """All of them at once."""
    out = bend(x, 40.0) + (stretch(x, 0.1) - x) + (s_shape(x, 10.0) - x) + 0.5 * (poke(x) - x)
    return out + (twist(x, 20.0) - x) if x.shape[1] == 3 else out


def noise(x: np.ndarray, size: float = 0.1, seed: int = 0) -> np.ndarray:
    """Every point moved at random by a share of the shortest grid spacing."""
    edge = min(np.diff(np.unique(np.round(x[:, 0], 9))).min(), 0.25)
    random = np.random.default_rng(seed).uniform(-1.0, 1.0, x.shape)
    random[x[:, 0] < 1e-9] = 0.0
    return x + size * edge * random


PLANAR = {f.__name__: f for f in (bend, stretch, s_shape, poke, mixed)}
SPATIAL = {**PLANAR, "twist": twist}
