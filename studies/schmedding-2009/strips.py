"""Figures 1 to 3 of the paper: the same frames side by side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .dampings import KINDS
from .pictures import draw, frame, view
from .runs import Run, simulate
from .scenes import Case
from .search import allowed, case_of, reference

SOFT, BAD = "#5c6670", "#b3321b"


@dataclass(frozen=True)
class Look:
    """How a scene is seen: azimuth and elevation [degrees], left, right, low, high [m], frames."""

    eye: tuple[float, float]
    box: tuple[float, float, float, float]
    frames: int
    shown: tuple[int, ...]


LOOKS = {
    "sneaker": Look((28.0, 14.0), (-0.51, 0.16, -0.39, 0.15), 13, (0, 5, 8, 10, 12)),
    "membrane": Look((25.0, 22.0), (-0.56, 0.56, -0.52, 0.46), 11, (0, 3, 6, 8, 10)),
    "bridge": Look((24.0, 24.0), (-1.13, 1.13, -0.78, 0.5), 11, (0, 4, 6, 8, 10)),
}


@dataclass(frozen=True)
class Row:
    """A damping, its strength (None: that of the visible damping), a step over the undamped limit."""

    kind: str
    strength: float | None
    ratio: float


def run_row(scene: str, row: Row) -> Run:
    """With frames; beyond what is called stable, so that it can be seen how it fails."""
    case, kind = case_of(scene), KINDS[row.kind]
    dt = row.ratio * case.limit
    strength = kind.strength_for(case, 0.1, dt) if row.strength is None else row.strength
    damping = kind.of_strength(case, strength, dt)
    return simulate(case, damping, dt, bound=10.0 * allowed(scene), frames=LOOKS[scene].frames)


def strip(scene: str, rows: dict[str, Row], runs: dict[str, Run]) -> Figure:
    """One row of pictures for each damping."""
    look, case = LOOKS[scene], case_of(scene)
    left, right, low, high = look.box
    each = 7.4 / len(look.shown)
    height = len(rows) * (each * (high - low) / (right - left) + 0.24) + 0.25
    figure = Figure(figsize=(7.4, height), layout="constrained", dpi=220)
    figure.get_layout_engine().set(w_pad=0.01, h_pad=0.01, hspace=0.0, wspace=0.0)  # type: ignore[union-attr,call-arg]
    grid = figure.subplots(len(rows), len(look.shown), squeeze=False)
    for axes, (label, row) in zip(grid, rows.items(), strict=True):
        run = runs[label]
        for axis, k in zip(axes, look.shown, strict=True):
            panel(axis, case, look, run, k)
        step = f"dt = {1e3 * run.dt:.2f} ms, {row.ratio:.2f} of the undamped limit"
        _write(axes[0], 0.0, 1.0, label, fontsize=8.5, weight="bold")
        _write(axes[-1], 1.0, 1.0, step, fontsize=7.5, ha="right", color=SOFT)
    return figure


def _write(axis: Axes, x: float, y: float, text: str, **how: Any) -> None:
    how = {"va": "bottom"} | how
    axis.text(x, y, text, transform=axis.transAxes, in_layout=False, **how)


def panel(axis: Axes, case: Case, look: Look, run: Run, k: int) -> None:
    """One picture, or when it blew up."""
    frame(axis, look.box)
    when = case.seconds * k / (look.frames - 1)
    tri, parts = case.parts.mesh.boundary["tri3"], case.parts
    whole = len(run.x) if run.stable else len(run.x) - 1
    if k < whole:
        draw(axis, run.x[k], tri, colours(case), eye=view(*look.eye), lines=parts.ties)
        _write(axis, 0.5, 0.0, f"{when:.2f} s", **SMALL)
        if case.name == "sneaker":
            true = reference("sneaker", look.frames).x[k].mean(axis=0)  # all masses are equal
            axis.plot(*(view(*look.eye)[:2] @ true), "+", color="#1f5fa8", ms=7, mew=1.2)
    elif k == next(j for j in look.shown if j >= whole):
        draw(axis, run.x[-1], tri, colours(case), eye=view(*look.eye), lines=parts.ties)
        _write(axis, 0.5, 0.0, f"failed at {run.times[-1]:.2f} s", **(SMALL | {"color": BAD}))


SMALL: dict[str, Any] = {"fontsize": 7.5, "ha": "center", "color": SOFT}


def colours(case: Case) -> np.ndarray:
    """Of the triangles of the surface."""
    mesh, part = case.parts.mesh, case.parts.part
    tri = mesh.boundary["tri3"]
    if case.name == "sneaker":
        y = mesh.points[tri, 1].mean(axis=1) - mesh.points[:, 1].min()
        return np.where(y < 0.026, "#efe9dc", "#c9503a")
    if case.name == "membrane":
        return np.where(part[tri[:, 0]] == 0, "#4fa39b", "#e0923a")
    bars = part[tri[:, 0]] - part.max()
    return np.where(bars == 0, "#b8473f", np.where(bars == -1, "#3f6fb0", "#b98d5a"))
