"""Cuts, tears and keys of wishes on the stage."""

import numpy as np
import pytest

import pliant as pl
from pliant.view.act import Act

DT = 1 / 60


def bar(**how):
    mesh = pl.meshes.rectangle((4.0, 0.6), (16, 2))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.35), **how)
    body.fix(mesh.points[:, 0] < 1e-9)
    return body


def cut_bar():
    body = bar(damping=pl.Settle(0.5, 0))
    body.cut(pl.HalfSpace((3.1, 0), (1, 0.2)), at=0.1)
    return pl.Scene(body, gravity=(0, -9.81), contact=False)


def torn_sheet():
    sheet = pl.meshes.rectangle((0.4, 0.2), (8, 4))
    mesh = pl.Mesh(np.insert(sheet.points, 1, 0.0, axis=1), sheet.cells)
    cloth = pl.Cloth(
        mesh,
        stretch=1e4,
        shear=5e3,
        bend=1e-4,
        density=1.0,
        damping=pl.Settle(0.3, swing=False),
        tear=pl.Tear(strength=1e5, energy=50.0, thickness=1e-3),
    )
    cloth.fix(mesh.points[:, 0] < 1e-9)
    end = np.flatnonzero(mesh.points[:, 0] > 0.4 - 1e-9)
    start = mesh.points[end]
    cloth.move(end, lambda t: start + [0.1 * min(t, 0.4), 0, 0])
    return pl.Scene(cloth, gravity=(0, -9.81, 0), contact=False)


def cut_springs():
    mesh = pl.meshes.rectangle((2.0, 0.5), (8, 2), kind="quad")
    pairs = pl.Springs.braced(mesh)
    springs = pl.Springs(mesh, stiffness=2e4, pairs=pairs, mass=0.5, damping=pl.Settle(0.5))
    springs.fix(mesh.points[:, 0] < 1e-9)
    x = mesh.points[pairs, 0]
    springs.cut((x.min(axis=1) < 1.2) & (x.max(axis=1) > 1.2), at=0.1)
    return pl.Scene(springs, gravity=(0, -9.81), contact=False)


def played(act, steps):
    for _ in range(steps):
        act.step(DT)
    return act.positions[0].copy()


def act_of(scene):
    return Act(scene, dt=DT, device="cpu", stepper=None)


@pytest.mark.parametrize("make", (cut_bar, torn_sheet, cut_springs))
def test_a_reset_makes_whole_what_was_cut_and_torn(make):
    scene = make()
    [body], act = scene.bodies, act_of(scene)
    whole, parts = body.mesh, body.components.max()
    first = played(act, 30)
    assert body.components.max() > parts
    act.reset()
    assert body.mesh is whole and body.components.max() == parts
    assert np.array_equal(act.positions[0], whole.points)
    np.testing.assert_array_equal(played(act, 30), first)


def test_a_reset_after_a_cut_keeps_the_stiffness_of_the_panel():
    scene = cut_bar()
    [body], act = scene.bodies, act_of(scene)
    act.stiffen(4.0)
    played(act, 10)
    act.reset()
    assert body.material.young == pytest.approx(4e6)


def test_what_tears_has_a_curve_that_begins_anew():
    act = act_of(torn_sheet())
    played(act, 60)
    assert act.curve.asked == 0.3
    assert 0.0 < act.curve._record.times[0] < 0.5


def test_a_hand_lets_go_of_what_a_cut_has_made_of_its_points():
    scene = cut_bar()
    [body], act = scene.bodies, act_of(scene)
    pinned = body.pinned.sum()
    act.grab(0, np.array([3.1, 0.0, 0.0]))
    played(act, 10)
    assert len(body.mesh) > len(body.mesh_changes[0][1].cells) // 2
    act.let_go()
    assert body.pinned.sum() == pinned


def keyed():
    body = bar(damping=pl.Settle(2.0, 0))
    body.change_damping(pl.Settle(0.3), at=0.2)
    return pl.Scene(body, gravity=(0, -9.81))


def test_a_key_begins_the_curve_anew_and_comes_again_after_a_reset():
    scene = keyed()
    [body], act = scene.bodies, act_of(scene)
    for _ in range(2):
        played(act, 10)
        assert act.curve.asked == 2.0 and body.damping.rest_in == 2.0
        played(act, 40)
        assert act.curve.asked == 0.3
        assert act.curve.rested == pytest.approx(0.3, rel=0.01)
        act.reset()


def test_a_key_leaves_a_hand_and_the_panel_alone():
    scene = keyed()
    [body], act = scene.bodies, act_of(scene)
    act.grab(0, np.array([4.0, 0.3, 0.0]))
    held = body.damping
    played(act, 20)
    assert body.damping is held
    act.let_go()
    assert body.damping.rest_in == 0.3
    act.reset()
    act.settle(pl.Settle(0.7))
    played(act, 20)
    assert body.damping.rest_in == 0.7
    act.settle(None)
    assert body.damping.rest_in == 0.3


@pytest.mark.parametrize("make", (cut_bar, torn_sheet))
def test_a_recording_has_each_mesh(make):
    act = act_of(make())
    takes = []
    act.record(takes.append)
    played(act, 30)
    act.cut()
    [track] = takes[0].tracks
    assert len(track.topologies) > 1 and len(track.times) == 31
    assert np.isfinite(track.positions).all()


def test_the_page_draws_the_mesh_of_now():
    pytest.importorskip("viser")
    from pliant.view import Stage

    with Stage(cut_bar(), dt=DT, port=0) as stage:
        stage.engine.stop()  # this thread makes the steps
        [drawn] = stage.look.bodies
        stage.look.show(stage.engine.snapshot, 0.0)
        whole = np.array(drawn.faces)
        stage.engine.tick(steps=20)
        stage.look.show(stage.engine.snapshot, 0.0)
        assert len(drawn.faces) > len(whole) and drawn.faces.max() < len(drawn.vertices)
        stage.engine.reset()
        stage.engine.tick(steps=0)
        stage.look.show(stage.engine.snapshot, 0.0)
        assert np.array_equal(drawn.faces, whole)
