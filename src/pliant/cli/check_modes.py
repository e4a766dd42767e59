"""What can be said of a body in its modes before a run."""

from __future__ import annotations

from pliant.bodies import Deformable, Modal, SubspaceReport
from pliant.errors import SolverError, in_scene
from pliant.reduced import LARGE
from pliant.resources import in_bytes
from pliant.scenefile import Setup

from .check_report import BodyReport


def remark_on_modes(body: Deformable, setup: Setup, report: BodyReport) -> None:
    """What the modes of a body hold, and what they leave out."""
    if not isinstance(body, Modal):
        return
    try:
        found = body.report(setup.scene.gravity)
    except (SolverError, ValueError) as error:
        report.problems.append(("reduce", in_scene(error)))
        return
    span = f"from {found.lowest:.3g} to {found.highest:.3g} Hz"
    if isinstance(found, SubspaceReport):
        report.facts["modes"] = f"{found.modes} {span}, {found.modes + found.statics} coordinates"
        report.facts["cells"] = f"{found.cells} of {found.of_cells} stand for all"
        report.facts["left out"] = (
            f"{found.error:.2g} of the way to the rest shape of the full body"
        )
        return
    report.facts["modes"] = (
        f"{found.modes} {span}, and {found.statics} static answers to loads, {in_bytes(found.size)}"
    )
    report.facts["left out"] = (
        f"{found.left_out:.2g} of the rest shape by the modes alone, nothing with the static answers"
    )
    if found.sag > LARGE:
        report.remarks.append(
            f"its loads move it by {found.sag:.2g} of its length, which is not small: linear modes "
            "swell and do not stiffen; with size in reduce they do"
        )
