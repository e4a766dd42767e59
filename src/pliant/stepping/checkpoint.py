"""The state of a body as arrays and numbers that a file can hold."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
import warp as wp

from pliant.damping.deflection_penalty import DeflectionPenalty
from pliant.damping.settle_state import Phase, Plan, SettleState
from pliant.damping.strain_inertia import StrainInertia, strain_energies

from .impact_turning import Turning
from .rest import Rest
from .state import Guess, Past, State
from .system import System

Tree = dict[str, Any]


def pack(state: State, system: System) -> Tree:
    """All that a run needs to go on as if it had not been interrupted."""
    state = state.to_host(system)
    guess = replace(state.guess, solver=None)
    tree: Tree = _plain(replace(state, history=None, stepper=None, guess=guess))
    if isinstance(state.history, Turning):
        tree["history"] = {"frames": state.history.frames, "momentum": state.history.momentum}
    return tree


def unpack(tree: Tree, state: State, system: System) -> State:
    """The state of a body that was packed; `state` is of the same body."""
    rest, control, past, guess = (_of(tree, k) for k in ("rest", "control", "past", "guess"))
    history = state.history
    if isinstance(history, Turning) and tree["history"] is not None:
        history = replace(history, **tree["history"])
    return replace(
        state,
        x=tree["x"],
        v=tree["v"],
        drift=tree["drift"],
        rest=None if rest is None else Rest(**rest | {"matter": None}),
        control=None if control is None else _control(control, tree["x"], system),
        past=None if past is None else Past(**past),
        history=history,
        hinges=_row(tree["hinges"]),
        guess=Guess(**(guess or {})),
    )


def _control(tree: Tree, x: np.ndarray, system: System) -> SettleState:
    plan, strains = _of(tree, "plan"), _of(tree, "strains")
    known = tree | {
        "phase": Phase(tree["phase"]),
        "plan": None if plan is None else Plan(**plan),
        "strains": None if strains is None else _strains(strains, x, system),
    }
    return SettleState(**known)


def _strains(tree: Tree, x: np.ndarray, system: System) -> StrainInertia:
    like = [energy.strains(system.assembly.array(x)) for energy in strain_energies(system)]

    def lifted(name: str) -> list[Any]:
        arrays = zip(_row(tree[name]), like, strict=True)
        return [wp.array(values, dtype=s.dtype, device=s.device) for values, s in arrays]

    arrays = {name: lifted(name) for name in ("now", "before", "rest")}
    return StrainInertia(**tree | arrays | {"penalty": DeflectionPenalty(**tree["penalty"])})


def _of(tree: Tree, name: str) -> Tree | None:
    found = tree[name]
    if not (found is None or isinstance(found, dict)):
        raise TypeError(f"{name} is no table")
    return found


def _row(tree: Tree) -> tuple[Any, ...]:
    return tuple(tree[str(i)] for i in range(len(tree)))


def _plain(value: Any) -> Any:
    """Numbers and arrays as they are; of what has fields, a table of them."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, wp.array):
        return value.numpy()
    if isinstance(value, (list, tuple)):
        return {str(i): _plain(v) for i, v in enumerate(value)}
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return value
