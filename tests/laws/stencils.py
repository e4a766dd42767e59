"""Energies of conditions and of forms, each on three stencils that share points."""

import inspect

import numpy as np
import warp as wp

import pliant.conditions as conditions
import pliant.forms as forms
from pliant.conditions import Condition
from pliant.energies.assembly import Assembly
from pliant.energies.condition import ConditionEnergy
from pliant.energies.jet import JetEnergy
from pliant.forms import Form


def exported(room, kind):
    """Every class of a kind that a package exports, in each of its dimensions."""
    return [
        (c, dim)
        for c in vars(room).values()
        if inspect.isclass(c) and issubclass(c, kind) and c is not kind
        for dim in c.dims
    ]


CONDITIONS = exported(conditions, Condition)
#: Those that turn are measured from zero, and have no other rest.
FORMS = [(form, dim) for form, dim in exported(forms, Form) if not form.turns]


def stencils_of(condition, dim, seed=0, spread=0.15, dtype=wp.float64):
    """Three stencils that share points, their energy, and a bent shape."""
    rng = np.random.default_rng(seed)
    k = condition.points
    stencils = np.array([np.roll(np.arange(k), s) + s for s in range(3)])
    # Well apart, so that no stencil is nearly flat: corners of a simplex, and steps beyond it.
    points = np.concatenate([np.zeros((1, dim)), np.eye(dim), np.ones((3, dim))])[: k + 2]
    points = points + np.linspace(0.0, 0.7, k + 2)[:, None] ** 2 * np.linspace(0.2, 1.0, dim)
    points += rng.uniform(-0.1, 0.1, points.shape)
    stiffness = rng.uniform(1.0, 5.0, 3)
    energy = ConditionEnergy(condition, points, stencils, stiffness=stiffness, dtype=dtype)
    x = points + spread * rng.uniform(-1, 1, points.shape)
    return energy, Assembly(len(points), dim, [energy], dtype=dtype), points, x


def jets_of(form, dim, seed=0, spread=0.1, dtype=wp.float64, **how):
    """Three terms that share points, their energy, and a bent shape."""
    rng = np.random.default_rng(seed)
    k = form.vectors + 2
    stencils = np.arange(k) + np.arange(3)[:, None]
    points = rng.uniform(-1, 1, (k + 2, dim))
    # Derivatives: no vector changes when all points move alike. The first ones are the axes, turned
    # and sheared, as those of a grid are: so surfaces have a normal.
    operators = rng.uniform(-1, 1, (3, form.vectors, k))
    operators -= operators.mean(axis=2, keepdims=True)
    first = np.eye(max(dim, form.vectors))[: form.vectors, :dim]
    wanted = first + rng.uniform(-0.3, 0.3, (3, form.vectors, dim))
    centred = points[stencils] - points[stencils].mean(axis=1, keepdims=True)
    found = np.einsum("tai,tid->tad", operators, centred)
    operators += np.einsum("tad,tdi->tai", wanted - found, np.linalg.pinv(centred))
    root = rng.uniform(-1, 1, (3, form.measures, form.measures)) + 2 * np.eye(form.measures)
    stiffness = root @ root.transpose(0, 2, 1)
    energy = JetEnergy(
        form, points, stencils, operators=operators, stiffness=stiffness, dtype=dtype, **how
    )
    x = points + spread * rng.uniform(-1, 1, points.shape)
    return energy, Assembly(len(points), dim, [energy], dtype=dtype), points, x


def turn(dim, seed=1):
    Q, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((dim, dim)))
    Q[:, 0] *= np.linalg.det(Q)  # no mirror: volumes have a sign
    return Q
