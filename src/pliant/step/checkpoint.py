"""The state of a body as arrays and numbers that a file can hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np
import warp as wp

from pliant.contact import Bristles
from pliant.control import LandingState, SettleState, StrainInertia, strain_energies
from pliant.problem import (
    ControlState,
    Flow,
    Guess,
    History,
    Known,
    Past,
    Rest,
    State,
    System,
)
from pliant.reduced import (
    ReducedControl,
    ReducedSystem,
    SubspaceControl,
    SubspaceSystem,
    from_row,
    row_of,
)

from .impact_turning import Turning

Tree = dict[str, Any]


def pack(state: State, system: System) -> Tree:
    """All that a run needs to continue as if it had not been interrupted, except `Known`."""
    if isinstance(system, ReducedSystem):
        return _packed_coordinates(system.taken_up(state), system)
    state = state.to_host(system)
    guess = replace(state.guess, solver=None)
    tree: Tree = _plain(replace(state, history=None, stepper=None, guess=guess))
    if isinstance(state.history, Turning):
        tree["history"] = {"frames": state.history.frames, "momentum": state.history.momentum}
    flow = None if state.history is None else state.history.flow
    tree["flow"] = None if flow is None else {"each": _plain(flow.each), "count": flow.count}
    return tree


def pack_known(known: Known) -> Tree:
    """What solvers keep. Without it a resumed run differs in the last digits."""
    return {"linear": _plain(known.linear), "searches": _plain(known.searches)}


def unpack(tree: Tree, state: State, system: System) -> State:
    """The state of a body that was packed; `state` is of the same body."""
    if isinstance(system, ReducedSystem):
        return _with_coordinates(tree, state, system)
    history = state.history
    if isinstance(history, Turning) and tree["history"] is not None:
        history = replace(history, **tree["history"])
    if tree["flow"] is not None:
        history = _flow(tree["flow"], history, system)
    system.take_history(history)
    control = _control(tree["control"], tree["x"], system)
    return replace(
        state,
        x=tree["x"],
        v=tree["v"],
        drift=tree["drift"],
        rest=_made(Rest | None, tree["rest"]),
        control=control,
        past=_made(Past | None, tree["past"]),
        history=history,
        hinges=_row(tree["hinges"]),
        bristles=_made(Bristles | None, tree.get("bristles")),
        obstacle_work=float(tree["obstacle_work"]),
        hop_work=float(tree["hop_work"]),
        guess=_made(Guess, tree["guess"]),
    )


def _plain_control(control: ControlState | None, system: ReducedSystem) -> Any:
    if isinstance(control, LandingState):
        return _plain(replace(control, flight=None)) | {
            "flight": _plain_control(control.flight, system)
        }
    if isinstance(control, SubspaceControl) and isinstance(system, SubspaceSystem):
        return {"inner": pack(control.inner, system.inner)}
    return _plain(control)


def _made_control(tree: Any, system: ReducedSystem) -> ControlState | None:
    """The control of a reduced body."""
    if tree is None:
        return None
    if "stage" in tree:
        landing: LandingState = _made(LandingState, tree | {"flight": None})
        return replace(landing, flight=_made_control(tree["flight"], system))
    if isinstance(system, SubspaceSystem):
        inner = tree["inner"]
        return SubspaceControl(unpack(inner, State(inner["x"], inner["v"]), system.inner))
    control: ReducedControl = _made(ReducedControl, tree)
    if control.load.shape != (len(system.basis),):
        raise ValueError("loads of another body")
    return control


def _packed_coordinates(state: State, system: ReducedSystem) -> Tree:
    """The state of a reduced body: its coordinates, and positions and velocities beside them."""
    shape, velocity, rest = state.x, state.v, state.rest
    control = _plain_control(state.control, system)
    own = {"row": row_of(shape, velocity.p), "control": control, "rest": None}
    if rest is not None:
        own["rest"] = row_of(rest.shape)
    x, v = np.asarray(shape), np.asarray(velocity)
    touching = {
        "bristles": _plain(state.bristles),
        "obstacle_work": state.obstacle_work,
        "hop_work": state.hop_work,
    }
    guess = _plain(replace(state.guess, solver=None))
    return {"x": x, "v": v, "guess": guess, "reduced": own} | touching


def _with_coordinates(tree: Tree, state: State, system: ReducedSystem) -> State:
    """The state of a reduced body that was packed."""
    own = tree["reduced"]
    velocity, rest = from_row(system.basis, own["row"]), None
    if own["rest"] is not None:
        rest = Rest(from_row(system.basis, own["rest"]).at, np.zeros(0))
    return replace(
        state,
        x=velocity.at,
        v=velocity,
        rest=rest,
        control=_made_control(own["control"], system),
        bristles=_made(Bristles | None, tree.get("bristles")),
        obstacle_work=float(tree.get("obstacle_work", 0.0)),
        hop_work=float(tree.get("hop_work", 0.0)),
        guess=_made(Guess, tree["guess"]) if tree["guess"] else Guess(),
    )


def _flow(tree: Tree, history: History | None, system: System) -> History:
    """What had happened, with the flow that was packed."""
    pairs = zip(system.flowing, _row(tree["each"]), strict=True)
    flow = Flow(tuple(energy.unpacked_flow(arrays) for energy, arrays in pairs), int(tree["count"]))
    return flow if history is None else history.with_flow(flow)


def _control(tree: Any, x: np.ndarray, system: System) -> ControlState | None:
    """What the damping of a body at x knows."""
    if isinstance(tree, dict) and "stage" in tree:
        landing: LandingState = _made(LandingState, tree | {"flight": None})
        return replace(landing, flight=_settling(tree["flight"], x, system))
    return _settling(tree, x, system)


def _settling(tree: Any, x: np.ndarray, system: System) -> SettleState | None:
    """What `Settle` knows of a body at x."""
    control: SettleState | None = _made(SettleState | None, tree)
    if control is not None and control.strains is not None:
        control = replace(control, strains=_lifted(control.strains, x, system))
    return control


def unpack_known(tree: Tree, system: System) -> Known:
    """Give back to solvers and searches what they kept. Refuses what is damaged."""
    pristine, searches = system.pristine, _row(tree["searches"])
    linear = _made(Any, tree["linear"], pristine.linear)
    pairs = zip(pristine.searches, searches, strict=True)
    return system.from_memory(linear, [_made(Any, found, like) for like, found in pairs])


def _lifted(strains: StrainInertia, x: np.ndarray, system: System) -> StrainInertia:
    """With the arrays of strains where the energies of the body take them."""
    like = [energy.strains(system.assembly.array(x)) for energy in strain_energies(system)]

    def each(arrays: Any, like: Sequence[Any]) -> list[Any]:
        pairs = zip(_row(arrays), like, strict=True)
        # Warp takes an axis of length one for none.
        return [wp.array(a, dtype=s.dtype, device=s.device).reshape(s.shape) for a, s in pairs]

    now, before, rest = (each(a, like) for a in (strains.now, strains.before, strains.rest))
    loaded = each(strains.loaded, like[: len(strains.loaded)])  # of solids, which come first
    unison = strains.unison
    if unison is not None:
        shapes: Any = unison.shapes
        unison = replace(unison, start=each(unison.start, like), shapes=_row(shapes))
    return replace(strains, now=now, before=before, rest=rest, loaded=loaded, unison=unison)


def _row(tree: Tree) -> tuple[Any, ...]:
    return tuple(tree[str(i)] for i in range(len(tree)))


def _plain(value: Any) -> Any:
    """Numbers and arrays as they are; a dataclass as a table of its fields."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, wp.array):
        return value.numpy()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, (list, tuple)):
        return {str(i): _plain(v) for i, v in enumerate(value)}
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return value


def _made(kind: Any, value: Any, like: Any = None) -> Any:
    """The value of a type from which `_plain` made a table.

    like: another value; its type counts where a field is declared as `Any`.
    """
    if kind is Any and is_dataclass(like):
        kind = type(like)
    if kind is Any or get_origin(kind) is Sequence:  # whoever takes it knows more of it
        return value
    if get_origin(kind) in (Union, UnionType):
        if value is None and NoneType in get_args(kind):
            return None
        [kind] = [k for k in get_args(kind) if k is not NoneType]
    if get_origin(kind) is tuple:
        kinds, row = get_args(kind), _row(value)
        kinds = (kinds[0],) * len(row) if kinds[1:] == (...,) else kinds
        others = like if isinstance(like, tuple) and len(like) == len(row) else (None,) * len(row)
        return tuple(_made(k, v, o) for k, v, o in zip(kinds, row, others, strict=True))
    if is_dataclass(kind):
        types = get_type_hints(kind)
        names = [f.name for f in fields(kind)]
        made = {n: _made(types[n], value[n], getattr(like, n, None)) for n in names}
        return kind(**made)  # type: ignore[operator]
    if issubclass(kind, Enum):
        return kind(value)
    if not isinstance(value, (int, float) if kind is float else kind):
        raise TypeError(f"{type(value).__name__} instead of {kind.__name__}")
    return value
