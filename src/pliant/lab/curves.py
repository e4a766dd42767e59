"""The motion under every damping, side by side."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pliant.errors import require_matplotlib

from .drawing import CURVE_COLOURS, FIXED, LAB_INK, STYLE
from .finding import Finding
from .wish import Wish

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curves(found: list[Finding], wish: Wish) -> Figure:
    """Small multiples of amplitude over time; one that could not go on ends in a cross."""
    require_matplotlib("curves of the laboratory")
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    ran = [f for f in found if len(f.amplitude)]
    end = max(float(f.times[-1]) for f in ran)
    rows = math.ceil(len(ran) / 3)
    with rc_context(STYLE):
        figure = Figure(figsize=(7.4, 1.65 * rows + 0.3), layout="constrained")
        axes = figure.subplots(rows, 3, sharex=True, sharey=True, squeeze=False)
        for axis, f in zip(axes.flat, ran, strict=False):
            axis.axhspan(-0.01, 0.01, color="#cfe3d4", linewidth=0)
            if not math.isnan(wish.since):
                axis.axvline(wish.since + wish.rest_in, color=LAB_INK, linewidth=0.8, linestyle=":")
            settles = f.name.startswith("Settle")
            shown = np.clip(f.amplitude, -1.3, 1.3)
            axis.plot(f.times, shown, color=FIXED if settles else CURVE_COLOURS[0])
            if f.trouble:
                last = float(np.clip(shown[-1], -1.0, 1.0))
                axis.plot(f.times[-1], last, "x", color=LAB_INK, markersize=6, clip_on=False)
            axis.set_title(f.name, fontsize=8, loc="left", fontweight="bold" if settles else None)
            axis.set(ylim=(-1.1, 1.1), xlim=(0, end))
        for axis in axes.flat[len(ran) :]:
            axis.set_visible(False)
        figure.supxlabel("time [s]", fontsize=9)
    return figure
