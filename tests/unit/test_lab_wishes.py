"""The laboratory: what is asked of each body, from when on, and what becomes of a run that fails."""

import html
import math
import re

import numpy as np
import pytest

import pliant as pl
from pliant.lab import Case, Interrupted, compare
from pliant.lab.candidates import Mode, candidates
from pliant.lab.report import report
from pliant.lab.wish import Wish, last_change, wishes

DT = 1 / 60


def strip(path=None, damping=None, name="strip"):
    mesh = pl.meshes.rectangle((1, 0.2), (3, 1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e4, poisson=0.3), damping=damping, name=name)
    body.fix(mesh.points[:, 0] < 1e-9)
    if path is not None:
        far = mesh.points[:, 0] > 1 - 1e-9
        body.move(far, lambda t: mesh.points[far] + [0.0, path(t)])
    return body


def net(damping=None, name="net"):
    mesh = pl.meshes.rectangle((1, 1), (2, 2))
    springs = pl.Springs(mesh, stiffness=200.0, mass=0.1, damping=damping, name=name)
    springs.fix(mesh.points[:, 0] < 1e-9)
    springs.place(mesh.points * [1.1, 1.0])
    return springs


def test_every_body_has_its_own_wish():
    scene = pl.Scene(
        [
            net(pl.Settle(0.5, 1), "a"),
            net(pl.Settle(0.3, swing=False), "b"),
            net(None, "c"),
        ]
    )
    case = Case("three", lambda level: scene, seconds=0.8, dt=DT)
    assert wishes(case, scene) == {
        "a": Wish(0.5, 1),
        "b": Wish(0.3, None, swing=False),
        "c": Wish(0.4),
    }
    same = Case("three", lambda level: scene, seconds=0.8, dt=DT, rest_in=0.2, bounces=3)
    assert {w.rest_in for w in wishes(same, scene).values()} == {0.2}


def test_the_clock_starts_when_pins_and_loads_stay():
    times = DT * np.arange(61)
    moved = strip(lambda t: 0.1 * min(t / 0.4, 1.0))
    assert last_change(moved, np.zeros(2), times) == pytest.approx(0.4, abs=DT)
    assert math.isnan(last_change(strip(lambda t: 0.1 * t), np.zeros(2), times))
    pushed = strip()
    pushed.push(force=([0.0, 0.2, 0.5], [(0, 0), (0, 1), (0, 0)]), on=[7])
    assert last_change(pushed, np.zeros(2), times) == pytest.approx(0.5, abs=DT)
    assert last_change(strip(), np.array([0.0, -9.81]), times) == 0.0


@pytest.fixture(scope="module")
def two():
    """A driven strip and a net, of which only the net has conditions."""

    def make(level):
        driven = strip(lambda t: 0.3 * min(t / 0.2, 1.0), pl.Settle(0.4))
        # Thrown, the net would fold onto itself for long.
        return pl.Scene([driven, net(pl.Settle(0.5, 1))], contact=False)

    case = Case("two", make, seconds=0.7, dt=DT, refines=False)
    names = ["Settle", "Settle, 1 bounce", "ConditionDamping", "SpringDamping"]
    return compare(case, only=names, progress=False)


def test_each_rests_as_it_was_asked_to(two):
    for name in ("Settle", "Settle, 1 bounce"):
        strip_, net_ = two.of(name, "strip"), two.of(name, "net")
        assert [strip_.rest_time, strip_.halved] == pytest.approx([0.4] * 2, rel=0.03)
        assert [net_.rest_time, net_.halved] == pytest.approx([0.5] * 2, rel=0.03)
        assert strip_.shift < 1e-6 and net_.shift < 1e-6
    assert two.modes["strip"].wish.since == pytest.approx(0.2, abs=DT)
    # Its amplitude is 1 where the clock starts, not where the scene does.
    begin = np.searchsorted(two.of("Settle", "strip").times, 0.2 - 1e-9)
    assert two.of("Settle", "strip").amplitude[begin] == pytest.approx(1.0)


def test_a_damping_is_tried_on_the_bodies_it_suits(two):
    assert "does not apply" in two.of("ConditionDamping", "strip").trouble
    found = two.of("ConditionDamping", "net")
    assert not found.trouble and found.rest_time > 0.0 and "rate=" in found.damping


def test_what_blows_up_is_told_and_drawn(two):
    found = two.of("SpringDamping", "strip")
    assert found.trouble and math.isnan(found.rest_time) and 0 < len(found.amplitude) < 43
    text = report(two)
    assert "×" in text and "counted from 0.2" in text and ">nan<" not in text


def test_settings_can_be_copied_from_the_page(two):
    calls = [html.unescape(c) for c in re.findall(r"<td><code>(.*?)</code></td>", report(two))]
    assert len(calls) == 7
    for call in calls:
        built = eval(call, vars(pl.control))
        assert isinstance(built, pl.control.Damping)


def test_an_interrupt_keeps_what_was_found():
    def make(level):
        return pl.Scene(net())

    def tell(done, total):
        if done == 9:  # the rest shape, six parts of the first damping, and two of the next
            raise KeyboardInterrupt

    case = Case("net", make, seconds=0.2, dt=DT, rest_in=0.1, refines=False)
    with pytest.raises(Interrupted) as stopped:
        compare(case, only=["none", "EnergyMinimising"], progress=tell)
    assert [f.name for f in stopped.value.found.findings] == ["none"]


def test_no_viscosity_is_asked_to_be_more_than_critical():
    """Beyond 2 omega M a mode creeps: its slow root falls as omega^2/c."""
    mode = Mode(3.0, np.zeros((1, 2)), 4.6, DT, Wish(1.0))
    rayleigh = next(c for c in candidates([mode.wish]) if c.name == "Rayleigh, mass")
    assert rayleigh.make(None, mode).mass == 2 * 3.0


def test_unknown_names_are_told():
    case = Case("net", lambda level: pl.Scene(net()), seconds=0.1, dt=DT)
    with pytest.raises(ValueError, match=r"only=\['magic'\]; expected some of"):
        compare(case, only=["none", "magic"])


def test_a_spinning_body_rests_where_its_spin_holds_it():
    def make(level):
        mesh = pl.meshes.rectangle((1, 0.2), (3, 1))
        body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3))
        r = mesh.points - mesh.points.mean(axis=0)
        body.place(mesh.points + 0.1 * r * [1.0, 0.0])
        body.velocity = 4.0 * r[:, ::-1] * [-1.0, 1.0]
        return pl.Scene(body)

    case = Case("bar", make, seconds=0.5, dt=DT, rest_in=0.3, refines=False)
    found = compare(case, only=["Settle"], progress=False).of("Settle")
    shape = make(0).bodies[0].rest_shape()
    still = make(0)
    still.bodies[0].damping = pl.Settle(0.3)
    take = still.run(seconds=0.5, dt=DT)
    # It ends longer than it is at rest, by more than 1 % of its start: that is no motion.
    assert take.tracks[0].distance(shape)[-1] > 0.01 * take.tracks[0].distance(shape)[0]
    assert found.rest_time == pytest.approx(0.3, rel=0.03)
