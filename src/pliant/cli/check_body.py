"""What can be said of one body before a run."""

from __future__ import annotations

import sys

import numpy as np

from pliant.bodies import Body, Deformable, Modal
from pliant.control import Settle
from pliant.errors import SolverError, in_scene
from pliant.materials import Plastic
from pliant.scenefile import Setup
from pliant.step import Explicit, QuasiStatic

from .check_landing import FirstTouch, first_touch, remarks_on_company
from .check_meeting import remarks_on_meeting
from .check_modes import remark_on_modes
from .check_report import BodyReport
from .check_turning import remark_on_turning

MODES = 4
#: Cells below this shape quality slow the solver down and bend wrongly.
POOR = 0.1
#: Fewer steps than this in a bounce, and it is no longer seen as one.
STEPS_PER_BOUNCE = 12
#: Cells of one strain each, that flow which keeps volume locks.
LOCKING = {"tet4", "tri3"}


def report_body(body: Deformable, setup: Setup) -> BodyReport:
    """Mesh, mass, periods, the longest time step and the wish of a body."""
    report = BodyReport(body.name)
    _mesh(body, report)
    lowest = _periods(body, setup, report)
    remark_on_modes(body, setup, report)
    _step(body, setup, report)
    _wish(body, setup, lowest, report)
    report.remarks += remarks_on_meeting(body, setup)
    return report


def _mesh(body: Deformable, report: BodyReport) -> None:
    _cells(body, report)
    sides = " x ".join(f"{s:.4g}" for s in np.ptp(body.mesh.points, axis=0))
    report.facts["size"] = f"{sides} m, {body.masses.sum():.4g} kg"
    report.facts["made of"] = _matter(body)
    each = body.points_per_node
    nodes, what = body.node_count, "points" if each == 1 else "nodes"
    # The fourth points of the joints of a rod come after all others.
    pinned = int(body.pinned[: each * nodes].sum()) // each
    report.facts["held"] = f"{pinned} of {nodes} {what}" if pinned else "free"


def _cells(body: Deformable, report: BodyReport) -> None:
    """Counts, lengths and shapes of the cells; of those that make a node, nothing."""
    each = body.points_per_node
    if each > 1:
        report.facts["mesh"] = f"{body.node_count} nodes of {each} points each"
        return
    q = body.mesh.quality()
    kinds = ", ".join(f"{count} {kind}" for kind, count in q.cells.items())
    report.facts["mesh"] = (
        f"{q.points} points, {kinds}, edges {q.edge_min:.3g} to {q.edge_max:.3g} m"
    )
    kind, worst = q.worst_cells[0]
    report.facts["quality"] = (
        f"mean {q.mean:.2f}, worst {q.worst:.2f} ({kind} {worst}); 1 is best, 0 is flat"
    )
    if q.worst < POOR:
        report.remarks.append(
            f"{kind} cell {worst} is nearly flat (quality {q.worst:.3f}): steps will be slow there; "
            "mesh it again with another edge_length"
        )
    if body.flowing_terms and set(q.cells) & LOCKING:
        report.remarks.append(
            f"its {' and '.join(sorted(set(q.cells) & LOCKING))} cells are too stiff where much of it "
            'flows: kind = "hex", or "tet10" and "tri6", follow the flow'
        )
    parts = len(np.unique(body.components))
    if parts > 1:
        report.remarks.append(f"it is {parts} separate parts that never touch")


def _matter(body: Deformable) -> str:
    """What a body is made of, on one line."""

    if isinstance(body, (Body, Modal)):
        m = body.material
        known = ("material", "density", "thickness", "modes")
        more = "".join(f", {k} {_short(v)}" for k, v in body.facts().items() if k not in known)
        if isinstance(m, Plastic):
            more = f", yields at {np.min(m.yield_stress):.3g} Pa{more}"
            m = m.material
        return f"{type(m).__name__}, young {m.young:.3g} Pa, poisson {m.poisson:.3g}{more}"
    facts = (f"{name} {_short(fact)}" for name, fact in body.facts().items() if name != "mass")
    return f"{type(body).__name__}, {', '.join(facts)}"


def _short(fact: object) -> str:
    if isinstance(fact, dict):
        return " ".join(f"{k} {_short(v)}" for k, v in fact.items())
    if isinstance(fact, list) and isinstance(fact[0], list):  # a matrix, by rows
        return "; ".join(" ".join(_short(v) for v in row) for row in fact)
    if isinstance(fact, list):
        same = len(set(fact)) == 1
        return _short(fact[0]) if same else " to ".join(_short(v) for v in fact)
    return f"{fact:.4g}" if isinstance(fact, float) else str(fact).lower()


def _periods(body: Deformable, setup: Setup, report: BodyReport) -> float | None:
    """The lowest eigenvalue [1/s^2] at the rest shape, if there is one."""
    try:
        rest = body.rest_shape(setup.scene.gravity)
        system = body.system()
        available = int(body.dim * (~body.pinned).sum()) - system.rank
        values = system.modes(rest, min(MODES, available))[0]
        if values.min() <= 0.0:
            raise SolverError("the shape where the loads balance is not stable")
    except SolverError as error:
        said = f"no rest shape was found: {in_scene(error)}"
        if body.damping.needs_rest:
            report.problems.append(("settle", said))
        else:
            report.remarks.append(said)
        return None
    sag = np.linalg.norm(system.align(rest, body.mesh.points) - body.mesh.points, axis=1).max()
    periods = ", ".join(f"{2.0 * np.pi / np.sqrt(v):.3g}" for v in values)
    still = sag <= 1e-6 * system.size
    where = "about the mesh as it is" if still else f"about a rest shape {sag:.3g} m from the mesh"
    if body.static:  # it has no motion of its own
        report.facts["rest shape"] = where.removeprefix("about ")
    else:
        report.facts["natural periods"] = f"{periods} s, {where}"
    return float(values[0])


def _step(body: Deformable, setup: Setup, report: BodyReport) -> None:
    """The longest time step, where the damping or the stepper sets one."""

    if not isinstance(setup.stepper, Explicit):
        return
    limit = setup.stepper.longest_dt(body.system(), body.damping)
    report.facts["longest dt"] = f"{limit:.3g} s for the explicit step; asked {setup.dt:.3g} s"
    if setup.dt > limit:
        report.problems.append(
            (
                "run.dt",
                f"got {setup.dt:.3g}, too long for the explicit step of this body; expected "
                f'dt < {limit:.2g} [s], or stepper = "Implicit"',
            )
        )


def _wish(body: Deformable, setup: Setup, lowest: float | None, report: BodyReport) -> None:
    """What a wish means for this body."""

    settle = body.damping
    if isinstance(setup.stepper, QuasiStatic):
        report.facts["damping"] = "none: every frame is an equilibrium (QuasiStatic)"
        return
    if not isinstance(settle, Settle):
        report.facts["damping"] = repr(settle)
        _keys(body, setup, report)
        return
    lands = first_touch(body, setup)
    report.facts["wish"] = _wish_words(settle, lands=lands is not None)
    _keys(body, setup, report)
    report.remarks += remarks_on_company(body, setup)
    if lands is not None:
        _landing(settle, lands, setup, report)
        return
    report.facts["longest dt"] = f"{settle.longest_dt:.4g} s; asked {setup.dt:.4g} s"
    if lowest is not None and not (body.static or isinstance(body, Modal)):
        law = settle.gains(setup.dt)
        # The least that divides: with steps of picoseconds W vanishes in rounding.
        w = max(law.W / (setup.dt**2 * lowest), sys.float_info.min)
        made = f"{w:.3g} times lighter" if w >= 1.0 else f"{1.0 / w:.3g} times heavier"
        report.facts["meaning"] = (
            f"deformation is made {made} than it is (w = {w:.3g}, kappa = {law.kappa:.3g})"
        )
    _remark(settle, setup, report)
    remark_on_turning(body, lowest, report)
    hinged = any(part.rank and not part.translates for part in body.system().parts)
    if settle.swing and hinged and setup.scene.gravity.any():
        report.remarks.append(
            "it hangs by a point or a line and swings on; with swing = false in settle it rests hanging"
        )


def _keys(body: Deformable, setup: Setup, report: BodyReport) -> None:
    """The dampings that come later, and those that come too late."""
    told = []
    for damping, at in body.keyed_dampings[1:]:
        words = _wish_words(damping) if isinstance(damping, Settle) else repr(damping)
        told.append(f"from {at:g} s {words}")
        if at is not None and at >= setup.seconds:
            report.remarks.append(
                f"the run ends at {setup.seconds:g} s, before its key at {at:g} s"
            )
    if told:
        report.facts["then"] = "; ".join(told)


def _wish_words(settle: Settle, *, lands: bool = False) -> str:
    """When a body is to rest, and how."""
    what = ("hop" if lands else "bounce") + "s" * (settle.bounces != 1)
    bounces = "no inertia" if settle.bounces is None else f"{settle.bounces} {what}"
    first = settle.first_rest
    when = f"{settle.rest_in:g}" if first == settle.rest_in else f"{first:g} to {settle.rest_in:g}"
    if settle.beats:
        bounces += " at " + ", ".join(f"{beat:g}" for beat in settle.beats) + " s"
    return f"at rest in {when} s ({settle.within:.3g} left), {bounces}"


def _landing(settle: Settle, lands: FirstTouch, setup: Setup, report: BodyReport) -> None:
    """What a wish means for a body that falls on something."""
    falling = sum(not body.pinned.any() for body in setup.scene.bodies)
    still = ", if others stay where they are" if falling > 1 else ""
    report.facts["landing"] = (
        f"it falls {lands.fall:.3g} m and touches after {lands.time:.3g} s, "
        f"when its clock starts{still}"
    )
    end = lands.time + settle.rest_in
    if end > setup.seconds:
        report.remarks.append(
            f"it rests after {end:.3g} s, but the run ends after {setup.seconds:g} s"
        )
    if not settle.bounces:
        return
    hops = lands.hops
    report.facts["hops"] = str(hops)
    if settle.bounces > hops.most:
        report.remarks.append(
            f"it can make {hops.most} of {settle.bounces} hops in {settle.rest_in:g} s"
        )
    elif hops.longest < settle.rest_in:
        report.remarks.append(
            f"{settle.bounces} {'hop lasts' if settle.bounces == 1 else 'hops last'} "
            f"{hops.longest:.2g} s at most: it rests before the "
            f"{settle.rest_in:g} s are over"
        )


def _remark(settle: Settle, setup: Setup, report: BodyReport) -> None:
    if settle.rest_in > setup.seconds:
        report.remarks.append(
            f"it rests after {settle.rest_in:g} s, but the run ends after {setup.seconds:g} s"
        )
    if settle.shortest_bounce < STEPS_PER_BOUNCE * setup.dt:
        longest = settle.shortest_bounce / STEPS_PER_BOUNCE
        report.remarks.append(
            f"a bounce has fewer than {STEPS_PER_BOUNCE} steps: its period is kept only roughly; "
            f"dt = {longest:.3g} s would do"
        )
