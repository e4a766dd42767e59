"""Every parameter of the public interface, given values that it is not made for.

Each is accepted, and then a run stays finite, or refused with a documented error in our own words:
never an OverflowError, a ZeroDivisionError, an AttributeError or a message of numpy's.
"""

import inspect
from dataclasses import fields
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant import kinds, scenefile
from pliant.declared import MISSING, parameters_of
from tests.unit.every_body import BODIES, BOX, SOFT
from tests.unit.interface import classes, generators, methods, settable
from tests.unit.nasty import VALUES, objection

PUSH = pl.Excite(on=[30], force=(0, 1, 0), seconds=0.04)
DUCK = Path(__file__).parents[2] / "examples" / "scenes" / "rubber_duck.obj"

TETRAHEDRON = pl.Surface.of(np.eye(4)[:, :3], [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])
FAR_BELOW = pl.Surface.of(np.eye(4)[:, :3] - [0.0, 9.0, 0.0], TETRAHEDRON.corners.reshape(-1, 3))
MATTER = {"young": 1e6, "poisson": 0.4}


def beam():
    """A stretched box that is held at one end."""
    body = pl.Body(BOX, SOFT)
    body.fix(BOX.points[:, 0] < 1e-9)
    body.place(BOX.points * [1.05, 1.0, 1.0])
    return body


@cache
def settled():
    """A take with two bounces."""
    body = beam()
    body.damping = pl.Settle(rest_in=0.5, bounces=2)
    return pl.Scene([body]).run(seconds=0.6, dt=0.02, progress=False)


def cached():
    """A box that moves."""
    x = np.stack([BOX.points + 0.1 * k for k in range(3)])
    return pl.Cache(np.arange(3.0), np.arange(3) / 24, x, None)


def stay_finite(body, stepper=None):
    """Run two steps. Without contact, which would keep what 1e12 N crush apart, point by point."""
    if isinstance(body, pl.ImpactRods):
        stepper = pl.Impact()
    if isinstance(body, pl.BoundaryElements):
        body.fix(body.mesh.points[:, 0] < 1e-9)  # static: something must hold it
    scene = pl.Scene([body], contact=False)
    take = scene.run(seconds=2e-3, dt=1e-3, progress=False, stepper=stepper)
    assert np.isfinite(take.positions).all()


def damped(damping):
    body = BODIES["Springs"]() if isinstance(damping, pl.ConditionDamping) else beam()
    body.damping = damping
    repr(damping)
    stay_finite(body)


def stepped(stepper):
    repr(stepper)
    if not isinstance(stepper, pl.Impact):
        stay_finite(BODIES["Springs"]() if isinstance(stepper, pl.XPBD) else beam(), stepper)


def hit(obstacle):
    scene = pl.Scene([beam()])
    scene.add(obstacle)
    scene.run(seconds=0.02, dt=0.01, progress=False)
    obstacle.surface(np.zeros(3), 1.0)


def touch(contact):
    repr(contact)
    scene = pl.Scene([beam()], contact=contact)
    take = scene.run(seconds=2e-3, dt=1e-3, progress=False)
    assert np.isfinite(take.positions).all()


def lie_on(obstacle):
    scene = pl.Scene([beam()], contact=pl.Contact())
    scene.add(obstacle)
    take = scene.run(seconds=2e-3, dt=1e-3, progress=False)
    assert np.isfinite(take.positions).all()


def blown(wind):
    body = beam()
    body.push(wind=wind)
    stay_finite(body)


def tied(tie):
    scene = pl.Scene(list(tie.bodies))
    scene.add(tie)
    take = scene.run(seconds=0.02, dt=0.01, progress=False)
    assert all(np.isfinite(track.positions).all() for track in take.tracks)


def made_of(material):
    body = pl.Body(BOX, material)
    body.fix([0, 1, 2])
    stay_finite(body)


@cache
def table():
    """A small table of responses."""
    scene = pl.Scene(pl.Modal(beam(), modes=4))
    return pl.Responses.record(scene, [PUSH], seconds=0.3, dt=0.02, each=0.06, progress=False)


def touched(made):
    assert np.isfinite(made.press(at=(1, 0.2, 0.2), by=(-0.01, 0, 0))).all()


def probe():
    return pl.Probe(beam(), radius=0.15)


#: What is done with each class that was made, and arguments it can be made with.
OBSTACLE = {"margin": 0.005, "friction": 0.1}
SCENE_TEXT = """
[run]
seconds = 0.1
[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [4, 1, 1] } }
material = { young = 1e6, poisson = 0.3 }
fix = "x < 0.01"
settle = { rest_in = 1.0 }
"""
GOOD = {
    "Sphere": (hit, {"centre": (0, -5, 0), "radius": 1.0} | OBSTACLE),
    "Capsule": (hit, {"a": (0, -5, 0), "b": (1, -5, 0), "radius": 1.0} | OBSTACLE),
    "Contact": (touch, {"friction": 0.4}),
    "Keyframes": (repr, {"times": [0.0, 1.0], "offsets": [(0, 0, 0), (0, 1, 0)]}),
    "MeshObstacle": (lie_on, {"surface": FAR_BELOW}),
    "HalfSpace": (hit, {"point": (0, -1, 0), "normal": (0, 1, 0)} | OBSTACLE),
    "Wind": (blown, {"velocity": (1, 0, 0)}),
    "Probe": (touched, {"body": beam(), "radius": 0.5, "gravity": (0, -1, 0)}),
    "Tie": (tied, {"body_a": beam(), "points_a": [20], "body_b": beam(), "points_b": [20]}),
    "Excite": (repr, {"on": [30], "force": (0, 1, 0)}),
    "Responses": (repr, {f.name: getattr(table(), f.name) for f in fields(pl.Responses)}),
    "Mesh": (repr, {"points": BOX.points, "cells": dict(BOX.cells)}),
    "Surface": (
        lambda surface: surface.welded().report(),
        {n: getattr(TETRAHEDRON, n) for n in ("points", "sizes", "corners")},
    ),
    "Scene": (repr, {"bodies": [beam()]}),
    "Take": (repr, {"tracks": settled().tracks, "dt": 0.02}),
    "IterativeSpringDamping": (damped, {"gamma": 0.1, "iterations": 2}),
    "PointDamping": (damped, {"gamma": 0.1}),
    "RelativeDamping": (damped, {"torque": "directions"}),
    "SpringDamping": (damped, {"gamma": 0.1}),
    "Tear": (repr, {"strength": 1e5, "energy": 100.0}),
    "Plastic": (made_of, {"material": SOFT, "yield_stress": 2e4}),
    "Sweep": (
        repr,
        {"scene": scenefile.parse(SCENE_TEXT), "values": {"body.settle.rest_in": [0.5, 1.0]}},
    ),
    "PointTracks": (repr, {"points": [0, 1], "positions": BOX.points[:2]}),
    **{name: (repr, {}) for name in ("Annealing", "CMAES", "GaussNewton", "LBFGS")},
    "FibreReinforced": (made_of, MATTER | {"fibre": 1e5, "direction": (1, 0, 0)}),
}
#: What has no row above is found, and made of its declared examples.
for sort, use, usual in (
    (kinds.MATERIALS, made_of, MATTER),
    (kinds.DAMPINGS, damped, {}),
    (kinds.STEPPERS, stepped, {}),
):
    for found in sort.classes():
        needed = {p.name: p.note.example for p in parameters_of(found) if p.default is MISSING}
        GOOD.setdefault(found.__name__, (use, needed | usual))

GOOD["Cues"] = (repr, {"fps": 24.0})
GOOD["Cache"] = (
    repr,
    {name: getattr(cached(), name) for name in ("frames", "times", "positions")}
    | {"surface": None},
)

#: An object for each method, and arguments it can be called with.
CALLS = {
    "Body.compliance": (beam, {}),
    "Body.from_cache": (beam, {"path": "shot.abc", "frame": 1}),
    "Cache.continued": (cached, {"take": settled, "frame": 1}),
    "Cache.faces": (cached, {}),
    "Cache.mesh": (cached, {}),
    "Cache.number": (cached, {"frame": 1}),
    "Cache.read": (cached, {"path": "shot.abc"}),
    "Cache.start": (cached, {"body": beam, "frame": 1}),
    "Cache.still": (cached, {}),
    "CuedBody.direct": (beam, {"cues": pl.Cues()}),
    "Cues.gravity": (pl.Cues, {"gravity": (0, -1, 0), "at": 0.5}),
    "Cues.hold": (pl.Cues, {"where": [1], "at": 0.5}),
    "Cues.reach": (pl.Cues, {"pose": BOX.points, "at": 0.5}),
    "Cues.release": (pl.Cues, {"at": 0.5}),
    "Cues.rest": (pl.Cues, {"by": 0.5}),
    "Cues.wish": (pl.Cues, {"damping": None, "at": 0.5}),
    "Scene.loop": (lambda: pl.Scene([beam()]), {"period": 0.2, "dt": 0.1, "periods": 1}),
    "Cuttable.cut": (beam, {"by": pl.HalfSpace((1.03, 0, 0), (1, 0, 0)), "at": 0.5}),
    "DampedBody.change_damping": (beam, {"damping": None, "at": 0.5}),
    "Deformable.cut": (BODIES["Elastons"], {"by": pl.HalfSpace((0, 0, 0), (1, 0, 0))}),
    "BoundaryElements.compliance": (BODIES["BoundaryElements"], {}),
    "BoundaryElements.fix": (BODIES["BoundaryElements"], {"where": BOX.points[:, 0] < 9}),
    "BoundaryElements.solve": (BODIES["BoundaryElements"], {"pressure": 1.0}),
    "Deformable.compliance": (beam, {}),
    "PinnedBody.fix": (beam, {"where": [0]}),
    "PreparedBody.meet": (beam, {"obstacles": ()}),
    "PinnedBody.move": (beam, {"where": [0], "path": lambda t: BOX.points[:1]}),
    "MassPoints.place": (beam, {"positions": BOX.points}),
    "LoadedBody.push": (beam, {}),
    "PinnedBody.release": (beam, {}),
    "Deformable.rest_shape": (beam, {}),
    "PreparedBody.system": (beam, {}),
    "PreparedBody.touch": (beam, {"contact": None}),
    "LoadedBody.unpush": (beam, {}),
    "Deformable.rest_at": (beam, {}),
    "Deformable.wear": (beam, {}),
    "Elastons.points_of": (BODIES["Elastons"], {"nodes": [0]}),
    "Elastons.wear": (BODIES["Elastons"], {}),
    "ExampleBased.blend": (BODIES["ExampleBased"], {"weights": [1.0]}),
    "ExampleBased.misfit": (BODIES["ExampleBased"], {}),
    "ExampleBased.weights": (BODIES["ExampleBased"], {}),
    "ImpactRods.stresses": (BODIES["ImpactRods"], {}),
    "ImpactRods.twist": (BODIES["ImpactRods"], {"torque": (0, 0, 1), "on": [0]}),
    "LongElements.compliance": (BODIES["LongElements"], {}),
    "LongElements.pressure": (BODIES["LongElements"], {}),
    "LongElements.pressures": (BODIES["LongElements"], {}),
    "LongElements.responses": (BODIES["LongElements"], {"nodes": [0, 5]}),
    "Material.scaled": (lambda: SOFT, {}),
    "Plastic.scaled": (lambda: pl.Plastic(SOFT, yield_stress=2e4), {}),
    "PointTracks.read": (lambda: pl.PointTracks, {"path": "no such.csv"}),
    "Mesh.read": (lambda: pl.Mesh, {"path": "no such.msh"}),
    "Mesh.write": (lambda: BOX, {}),
    "Modal.compliance": (lambda: pl.Modal(beam(), modes=4), {}),
    "Modal.report": (BODIES["Modal"], {}),
    "Responses.load": (lambda: pl.Responses, {"path": "no such.npz"}),
    "Responses.player": (table, {}),
    "Responses.record": (
        lambda: pl.Responses,
        {"scene": pl.Scene(pl.Modal(beam(), modes=4)), "excitations": [PUSH]}
        | {"seconds": 0.3, "dt": 0.02, "each": 0.06, "progress": False},
    ),
    "Responses.save": (table, {"path": "a.npz"}),
    "Probe.pinch": (probe, {"at": ((0.5, 0, 0.2), (0.5, 0.4, 0.2)), "by": 0.01}),
    "Probe.poke": (probe, {"at": (1, 0.2, 0.2)}),
    "Probe.press": (probe, {"at": (1, 0.2, 0.2), "by": (-0.01, 0, 0)}),
    "Rod.along": (BODIES["Rod"], {}),
    "Rod.node": (BODIES["Rod"], {}),
    "Scene.equilibrium": (lambda: pl.Scene([beam()]), {}),
    "Scene.run": (
        lambda: pl.Scene([beam()]),
        {"seconds": 0.02, "dt": 0.01, "progress": False},
    ),
    "Scene.step": (lambda: pl.Scene([beam()]), {"dt": 0.01}),
    "Settle.gains": (lambda: pl.Settle(1.0), {}),
    "Settle.report": (lambda: pl.Settle(1.0), {"body": beam()}),
    "Shell.row": (BODIES["Shell"], {}),
    "Springs.braced": (lambda: pl.Springs, {}),
    "Springs.cut": (BODIES["Springs"], {"which": [0]}),
    "StrainRate.critical": (
        lambda: pl.StrainRate,
        {"wavelength": 1.0, "material": pl.Linear(**MATTER)},
    ),
    "Surface.of": (lambda: pl.Surface, {"points": TETRAHEDRON.points, "faces": [[0, 1, 2]]}),
    "Surface.read": (lambda: pl.Surface, {}),
    "Surface.write": (lambda: TETRAHEDRON, {}),
    "MeshObstacle.read": (lambda: pl.MeshObstacle, {"path": DUCK}),
    "Take.distance": (settled, {}),
    "Take.read": (lambda: pl.Take, {"path": "no such.npz"}),
    "Take.resampled": (settled, {"fps": 24}),
    "Take.rest_time": (settled, {}),
    "Take.rest_times": (settled, {}),
    "Take.ring": (settled, {}),
    "Take.save": (settled, {}),
}


def made_as(name):
    """The arguments that the table of bodies gives to a class of bodies."""
    cls, seen = getattr(pl, name), {}

    class Spy(cls):
        def __init__(self, *args, **more):
            seen.update(inspect.signature(cls).bind(*args, **more).arguments)

    setattr(pl, name, Spy)
    try:
        BODIES[name]()
    finally:
        setattr(pl, name, cls)
    return seen


def every_value(signature, good, call):
    """What is wrong with the answers to each value in each parameter."""
    found = []
    for parameter in (p for p in signature.parameters if p != "self"):
        for name, value in VALUES.items():
            wrong = objection(lambda given=good | {parameter: value}: call(**given))
            if wrong:
                found.append(f"{parameter} = {name}: {wrong}")
    return found


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """A value may be a good name of a file."""
    monkeypatch.chdir(tmp_path)


def test_the_tables_are_whole():
    assert set(GOOD) | set(BODIES) == set(classes())
    assert set(CALLS) | {"Scene.add"} == set(methods())


@pytest.mark.parametrize("name", sorted(set(GOOD) | set(BODIES)))
def test_constructors(name):
    use, good = (stay_finite, made_as(name)) if name in BODIES else GOOD[name]
    cls = getattr(pl, name)
    use(cls(**good))
    wrong = every_value(inspect.signature(cls), good, lambda **given: use(cls(**given)))
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(CALLS))
def test_methods(name):
    make, good = CALLS[name]
    method = name.split(".")[1]

    def call(**given):
        found = getattr(make(), method)(**given)
        assert not isinstance(found, np.ndarray) or np.isfinite(found).all()

    wrong = every_value(inspect.signature(getattr(make(), method)), good, call)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("load", ["force", "traction", "pressure", "volume", "wind"])
def test_loads_on_some_points(load):
    good = {load: 1.0 if load == "pressure" else (0, 1, 0)}

    def push(**given):
        body = beam()
        body.push(**given)
        stay_finite(body)

    if load == "force":
        good["on"] = [30]
    wrong = every_value(inspect.signature(lambda on: None), good, push)
    value = inspect.Signature([inspect.Parameter(load, inspect.Parameter.KEYWORD_ONLY)])
    wrong += every_value(value, good, push)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(settable()))
def test_what_is_set(name):
    cls, attribute = settable()[name]
    if cls is pl.Scene:
        make, body_of = (lambda: pl.Scene([beam()])), (lambda scene: scene.bodies[0])
    else:
        make, body_of = BODIES[cls.__name__], (lambda body: body)

    def put(value):
        made = make()
        setattr(made, attribute, value)
        stay_finite(body_of(made))

    wrong = every_value(inspect.signature(lambda value: None), {}, put)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", sorted(set(generators()) - {"meshes.tetrahedralise"}))
def test_generators(name):
    call = generators()[name]
    own = {"mesh": BOX, "curve": pl.shape.Bezier([[0, 0, 0], [1, 1, 0], [2, 0, 0]])}
    good = {k: v for k, v in own.items() if k in inspect.signature(call).parameters}
    wrong = every_value(inspect.signature(call), good, call)
    assert not wrong, "\n".join(wrong)


def test_filling_a_surface():
    """With a length that is refused, so that nothing is filled where it is not the value itself."""
    signature = inspect.signature(pl.meshes.tetrahedralise)
    for parameter in signature.parameters:
        one = inspect.Signature([signature.parameters[parameter]])
        # Shorter than the body, and yet too many cells for one test: no length may be good.
        good = {"surface": TETRAHEDRON, "edge_length": -1.0, "progress": False}
        if parameter == "edge_length":
            good["within"] = -1.0
        wrong = every_value(one, good, pl.meshes.tetrahedralise)
        assert not wrong, "\n".join(wrong)


def test_obstacles_are_added():
    add = pl.Scene([beam()]).add
    wrong = every_value(
        inspect.signature(lambda obstacle: None), {}, lambda obstacle: add(obstacle)
    )
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("value", VALUES)
def test_inside_of_arrays(value):
    """A nasty value as one entry among good ones."""
    given = VALUES[value]
    calls = [
        lambda: pl.Mesh([[0, 0], [1, 0], [0, given]], {"tri": [[0, 1, 2]]}),
        lambda: pl.Mesh(BOX.points, {"tet": [[0, 1, 2, given]]}),
        lambda: pl.Mesh(BOX.points, {"tet": given}),
        lambda: pl.Mesh(BOX.points, dict(BOX.cells), groups={"foot": given}),
        lambda: pl.Mesh(BOX.points, dict(BOX.cells), groups=given),
        lambda: pl.Surface.of(TETRAHEDRON.points, [[0, 1, given]]),
        lambda: pl.Surface.of(TETRAHEDRON.points, given),
        lambda: pl.Sphere((0, given, 0), 1.0),
        lambda: pl.Scene([beam()], gravity=(0, given, 0)),
        lambda: beam().fix([0, given]),
        lambda: beam().push(force=([0.0, given], [[0, 0, 0], [0, 1, 0]]), on=[30]),
    ]
    wrong = [w for w in map(objection, calls) if w]
    assert not wrong, "\n".join(wrong)
