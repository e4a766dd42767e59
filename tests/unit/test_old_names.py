"""Names that were changed still work, and say what they are called now."""

import importlib
import sys
import warnings

import pytest

import pliant as pl
import pliant.contact
from pliant.moved import HOMES, homes_of

#: Modules of before, and names that users and packages of theirs may have taken from them.
OLD = {
    "pliant.body": ["Body", "Density", "Thickness"],
    "pliant.damping": ["Damping", "Settle", "StepContext", "Inertia", "Points", "solve_law"],
    "pliant.damping.base": ["Damping", "Undamped"],
    "pliant.damping.context": ["StepContext"],
    "pliant.damping.filter": ["Points", "VelocityFilter"],
    "pliant.damping.settle": ["Settle"],
    "pliant.deformable": ["Deformable"],
    "pliant.io.scene": ["read", "parse", "SceneFile", "SceneError", "Setup"],
    "pliant.io.scene.file": ["SceneFile"],
    "pliant.measure": ["Ring", "amplitude", "crossings", "rest_time"],
    "pliant.obstacles": ["Obstacle", "Sphere", "HalfSpace", "Capsule"],
    "pliant.recorder": ["Recorder", "Snapshot"],
    "pliant.runtime": ["check_device", "cores", "one_thread", "start"],
    "pliant.stepping": ["Implicit", "State", "Loads", "Problem", "System", "step", "XPBD"],
    "pliant.stepping.implicit": ["Implicit", "QuasiStatic"],
    "pliant.stepping.state": ["State", "Guess"],
    "pliant.stepping.stepper": ["Stepper", "accept_stepper"],
    "pliant.ties": ["Tie"],
    "pliant.wind": ["Wind"],
}


@pytest.fixture
def fresh(monkeypatch):
    """No old module has been imported yet."""
    for name in [name for name in sys.modules if homes_of(name)]:
        monkeypatch.delitem(sys.modules, name)
    for name in HOMES:
        monkeypatch.delitem(vars(pl), name.removeprefix("pliant."), raising=False)


@pytest.mark.parametrize("old", sorted({*HOMES, *OLD}))
def test_old_modules_warn_once_and_have_the_same_names(old, fresh):
    with pytest.warns(DeprecationWarning, match=rf"^{old} is now pliant\.") as told:
        module = importlib.import_module(old)
    (said,) = [w for w in told if str(w.message).startswith(f"{old} ")]
    new = [importlib.import_module(home) for home in homes_of(old)]
    for name in OLD.get(old, []):
        value = getattr(module, name)
        assert any(getattr(home, name, None) is value for home in new), name
    with pytest.raises(AttributeError, match=f"{old}.*has no attribute 'nothing'"):
        module.nothing  # noqa: B018
    assert said.category is DeprecationWarning


def test_old_modules_are_attributes_and_can_be_imported_from(fresh):
    with pytest.warns(DeprecationWarning, match=r"pliant\.stepping is now") as told:
        from pliant.stepping import Implicit, State
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert pl.stepping.Implicit is Implicit is pl.Implicit and pl.stepping.State is State
    with pytest.warns(DeprecationWarning, match=r"pliant\.damping is now"):
        assert pl.damping.Settle is pl.Settle
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("pliant.damping.nothing")


def test_old_names_warn_and_work():
    net = pl.Springs(pl.meshes.rectangle((1, 1), (2, 2)), stiffness=10.0, mass=1.0)
    with pytest.warns(DeprecationWarning, match=r"body\.timed is now body\.time_dependent"):
        assert net.timed is net.time_dependent is False
    with pytest.warns(DeprecationWarning, match=r"body\.dead is now body\.loads_constant") as told:
        assert net.dead is net.loads_constant is True
    assert told[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"body\.still is now body\.pins_fixed"):
        assert net.still is net.pins_fixed is True
    with pytest.warns(DeprecationWarning, match=r"is now pliant\.contact\.PairSource"):
        assert pliant.contact.Contact is pliant.contact.PairSource
    with pytest.warns(
        DeprecationWarning, match=r"pl\.Preserving is now pl\.ConstraintBody"
    ) as told:
        assert pl.Preserving is pl.ConstraintBody
    assert told[0].filename == __file__
    with pytest.warns(DeprecationWarning, match=r"is now pliant\.ConstraintBody"):
        from pliant.bodies import Preserving
    assert Preserving is pl.ConstraintBody and "Preserving" not in pl.__all__
    with pytest.raises(AttributeError):
        pliant.contact.Contakt  # noqa: B018
