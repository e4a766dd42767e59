"""What a body is released from: pulled, bent, twisted, or moved by a smooth random field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: Along x a start shape is the identity at x = 0, where bodies are held.
NAMES = ("pulled", "bent", "twisted", "random")


@dataclass(frozen=True)
class Start:
    """A start shape, (n, d), its name, and how large it is: degrees, or a share of the length."""

    name: str
    size: float
    x: np.ndarray


def random_start(rng: np.random.Generator, x: np.ndarray, *, gentle: bool = False) -> Start:
    """Draw one for points along x in [0, 1]; `gentle` ones turn by a few degrees at most."""
    names = [n for n in NAMES if n != "twisted" or x.shape[1] == 3]
    name = str(rng.choice(names))
    calm = 0.1 if gentle else 1.0
    if name == "pulled":
        size = float(rng.choice([-0.08, 1.0]) * rng.uniform(0.03, 0.3)) * (
            1.0 if not gentle else 0.3
        )
        size = size if size > 0.0 else -0.08 * rng.uniform(0.3, 1.0)
        return Start(name, size, _pulled(x, size))
    if name == "bent":
        size = calm * float(rng.uniform(10.0, 80.0))
        return Start(name, size, _bent(x, np.radians(size)))
    if name == "twisted":
        size = calm * float(rng.uniform(10.0, 95.0))
        return Start(name, size, _twisted(x, np.radians(size)))
    size = (0.3 if gentle else 1.0) * float(rng.uniform(0.01, 0.06))
    return Start(name, size, x + size * smooth_field(rng, x))


def smooth_field(rng: np.random.Generator, x: np.ndarray) -> np.ndarray:
    """A field of long waves that is zero at x = 0, its largest vector of length 1, (n, d)."""
    field = np.zeros_like(x)
    for _ in range(4):
        wave = rng.uniform(-4.0, 4.0, x.shape[1])
        phase = rng.uniform(0.0, 2.0 * np.pi)
        field += np.outer(np.sin(x @ wave + phase), rng.standard_normal(x.shape[1]))
    field *= np.clip(x[:, :1], 0.0, None)
    out: np.ndarray = field / np.linalg.norm(field, axis=1).max()
    return out


def _pulled(x: np.ndarray, share: float) -> np.ndarray:
    out = x.copy()
    out[:, 0] *= 1.0 + share
    return out


def _bent(x: np.ndarray, angle: float) -> np.ndarray:
    """Rolled along an arc, its middle line unstretched."""
    middle = 0.5 * (x[:, 1].min() + x[:, 1].max())
    turn, arm = angle * x[:, 0], 1.0 / angle - (x[:, 1] - middle)
    out = x.copy()
    out[:, 0], out[:, 1] = arm * np.sin(turn), middle + 1.0 / angle - arm * np.cos(turn)
    return out


def _twisted(x: np.ndarray, angle: float) -> np.ndarray:
    middle = 0.5 * (x[:, 1:].min(axis=0) + x[:, 1:].max(axis=0))
    (y, z), turn = (x[:, 1:] - middle).T, angle * x[:, 0]
    out = x.copy()
    out[:, 1] = middle[0] + y * np.cos(turn) - z * np.sin(turn)
    out[:, 2] = middle[1] + y * np.sin(turn) + z * np.cos(turn)
    return out
