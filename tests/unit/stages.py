"""Bodies held in every way, with every damping, for tests of one device against another."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import pliant as pl

DAMPINGS: dict[str, Callable[[], object]] = {
    "none": lambda: None,
    "settle": lambda: pl.Settle(0.3),
    "settle-0": lambda: pl.Settle(0.3, 0),
    "bounces": lambda: pl.Settle(0.3, 1),
    "no-swing": lambda: pl.Settle(0.3, swing=False),
    "first-mode": lambda: pl.Settle(0.3, law="first-mode"),
    "minimising": lambda: pl.EnergyMinimising(tau=0.1),
    "rayleigh": lambda: pl.Rayleigh(mass=0.5, stiffness=0.01),
    "strain-rate": lambda: pl.StrainRate(phi=1e4, psi=1e4),
}
SUPPORTS = ["held", "free", "spinning", "hinged", "two"]


def beam(dim: int, damping: object, *, support: str = "held", material: type = pl.StableNeoHookean):
    mesh = pl.meshes.box((4, 1, 1), (6, 2, 2)) if dim == 3 else pl.meshes.rectangle((4, 1), (12, 3))
    if support == "two":  # one held, one free
        aside = mesh.points + 3.0 * np.eye(dim)[1]
        [(kind, cells)] = mesh.cells.items()
        cells = np.concatenate([cells, cells + len(aside)])
        mesh = pl.Mesh(np.concatenate([mesh.points, aside]), {kind: cells})
    body = pl.Body(mesh, material(young=1e6, poisson=0.35), damping=damping)
    body.place(mesh.points + 0.03 * mesh.points[:, :1] ** 2 * np.eye(dim)[1])
    end = mesh.points[:, 0] < 1e-9
    if support == "held":
        body.fix(end)
    elif support == "hinged":  # in 3D about a line, which is not the first axis
        body.fix(end & (mesh.points[:, 1] < 1e-9))
    elif support == "two":
        body.fix(end & (mesh.points[:, 1] < 2.0))
        body.velocity = np.where(mesh.points[:, 1:2] > 2.0, 0.4 * np.eye(dim)[0], 0.0)
    elif support == "free":
        body.velocity = 0.3 * np.roll(mesh.points - 0.5, 1, axis=1)
    else:
        turn = np.array([[0.0, -2.0, 0.5], [2.0, 0.0, 0.0], [-0.5, 0.0, 0.0]])[:dim, :dim]
        body.velocity = mesh.points @ turn.T
    return body


def on_a_string(bounces: int | None) -> pl.Body:
    """A block that hangs by a corner and is to hang still: it may turn about the vertical."""
    mesh = pl.meshes.box((1.0, 1.3, 0.7), (3, 3, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.35))
    body.fix([int(np.argmax(mesh.points @ [-1.0, 1.0, -1.0]))])
    body.damping = pl.Settle(0.4, bounces, swing=False)
    return body


def stage(body: pl.Body, support: str) -> pl.Scene:
    return pl.Scene(
        body, gravity=None if support in ("free", "spinning") else (0, -2.0, 0)[: body.dim]
    )


def rigid_motions(
    dim: int, support: str, device: str
) -> dict[str, tuple[np.ndarray, np.ndarray, float]]:
    """What `Parts` say of arrays of the host and of a device, and a size to compare by."""
    body = beam(dim, None, support=support)
    system = body.system(device=device)
    rng = np.random.default_rng(0)
    far = 20.0  # sums must not suffer where the body is far from the origin
    noise, v, load, shape = rng.standard_normal((4, *body.positions.shape))
    for array in (noise, v, shape):
        array[system.pinned] = 0.0
    x = body.positions + far + 0.01 * noise
    shape = x + 0.05 * shape
    system.settle_pins(x)
    y, w, f, s = (system.to_device(a) for a in (x, v, load, shape))
    found = []
    for a, b, c, d in ((x, v, load, shape), (y, w, f, s)):
        parts = system.rigid
        moments = parts.moments(a, b, c, 0.01)
        carries = parts.carries(moments, a, a, 0.01)
        complement = parts.complement(a, moments)
        arrays = {
            "deformation": parts.deformation(complement, b),
            "positions": parts.positions(a, carries, a),
            "vectors": parts.vectors(b, carries),
            "align": parts.align(d, a),
            "centrifugal": parts.centrifugal(a, carries),
        }
        found.append({name: system.to_host(array) for name, array in arrays.items()})
        loose = [m for m, part in zip(moments, system.parts, strict=True) if part.rank]
        if loose:
            found[-1]["turning"] = np.array([m.turning for m in loose])
            found[-1]["second"] = np.array([m.second for m in loose])
    host, other = found
    return {k: (host[k], other[k], max(float(np.abs(host[k]).max()), far)) for k in host}
