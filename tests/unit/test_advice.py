"""Errors give the remedy as a call in Python, and in scene files as a field."""

import pickle
import re

import pytest

import pliant as pl
from pliant import scenefile as scene
from pliant.errors import Advice, in_scene, prefixed
from tests.unit.scene_texts import MATERIAL

#: What only Python has: calls, None, True, keyword arguments.
PYTHON = re.compile(r"\bpl\.|\bnp\.|\bbody\.\w+\(|\bscene\.\w+\(|\bmesh\.\w+\(|\bNone\b|\bTrue\b")

FREE = "[run]\ngravity = [0, -9.81, 0]\n[body.a]\nmesh = { box = { cells = [2, 2, 2] } }\n"
SCENES = {
    "duplicate points": f"[body.a]\nmesh = {{ box = {{ size = [1e20, 1, 1] }} }}\n{MATERIAL}",
    "cells": f"[body.a]\nmesh = {{ box = {{ cells = [1000000, 1000000, 9] }} }}\n{MATERIAL}",
    "annulus": f"[body.a]\nmesh = {{ annulus = {{ cells = [3, 9] }} }}\n{MATERIAL}",
    "bounces": f"{FREE}{MATERIAL}\nsettle = {{ rest_in = 0.1, bounces = 50 }}",
    "short": f"{FREE}{MATERIAL}\nsettle = {{ rest_in = 0.001 }}",
    "explicit": f"{FREE}{MATERIAL}\nsettle = {{ rest_in = 1 }}\n[run]\nstepper = 'Newmark'",
    "preserving nothing": f"{FREE}preserving = {{ total_mass = 1 }}",
}


@pytest.mark.parametrize("name", SCENES)
def test_scene_files_are_not_told_of_python(name):
    with pytest.raises(scene.SceneError) as caught:
        scene.parse(SCENES[name], name="a.toml").build()
    assert not PYTHON.search(str(caught.value)), str(caught.value)
    assert str(caught.value).startswith("a.toml:")


def test_python_is_told_of_calls():
    with pytest.raises(ValueError, match=r"expected fewer, as in pl\.meshes\.box\("):
        pl.meshes.box(cells=(10**6, 10**6, 9))
    with pytest.raises(pl.ImpossibleWishError, match=r"scene\.run\(dt="):
        pl.Settle(0.1, bounces=50).gains(1 / 60)


def test_both_stay_with_what_comes_before_them():
    said = Advice("it falls", ": body.fix(...)", ": fix = ...")
    assert said == "it falls: body.fix(...)" and said.in_scene == "it falls: fix = ..."
    error = pl.SolverError(prefixed("beam: ", pl.SolverError(said)))
    assert str(error) == "beam: it falls: body.fix(...)"
    assert in_scene(error) == "beam: it falls: fix = ..."
    assert in_scene(ValueError("plain")) == "plain" and in_scene(ValueError()) == ""
    assert pickle.loads(pickle.dumps(error)).args[0].in_scene == "beam: it falls: fix = ..."
