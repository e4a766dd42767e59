"""Texts and bytes that hypothesis makes up: readers refuse them in our words, or use them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

import pliant as pl
from pliant import scenefile as scene_files
from pliant.scenefile.expressions import Expression

from .families.mesh_seeds import CUBE
from .families.scene_seeds import seeds
from .families.scenes import make_scene
from .judging import judge

SEEDS = seeds()
quick = settings(
    max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)


def refused_or_used(call):
    """What a call returns, or None if it refuses as it should."""
    try:
        return call()
    except Exception as error:
        verdict = judge(error)
        assert not verdict.found, f"{verdict.group}: {verdict.said}"
        return None


@quick
@given(st.text())
@example("[" * 500)
@example("a = " + "[" * 1000 + "]" * 1000)
@example("[body.a]\nmesh = 1" + "0" * 400)
def test_any_text_as_a_scene(text):
    refused_or_used(lambda: scene_files.parse(text))


@quick
@given(st.randoms(use_true_random=False))
def test_any_change_of_a_scene_that_runs(rng):
    text = make_scene(rng, SEEDS)[0].decode("utf-8", "replace")
    refused_or_used(lambda: scene_files.parse(text))


@quick
@given(st.text(alphabet="xyzt0123456789.+-*/()<>=&|! eincosand", max_size=40))
@example("9**9**9**9")
@example("(" * 300)
@example("-" * 2000 + "1")
def test_any_expression(text):
    made = refused_or_used(lambda: Expression(text, ("x", "y", "t")))
    if made is not None:
        x = np.linspace(-1.0, 1.0, 5)
        refused_or_used(lambda: made({"x": x, "y": x, "t": 0.5}))


@pytest.mark.parametrize("suffix", [".obj", ".stl", ".ply"])
@quick
@given(data=st.binary(max_size=400), keep=st.integers(0, len(CUBE)))
def test_any_bytes_as_a_surface(tmp_path_factory, suffix, data, keep):
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    begin = {
        ".obj": CUBE[:keep].encode(),
        ".stl": b"solid x\n",
        ".ply": b"ply\nformat ascii 1.0\n",
    }[suffix]
    path.write_bytes(begin + data)
    surface = refused_or_used(lambda: pl.Surface.read(path))
    assert surface is None or np.isfinite(surface.points).all()


@quick
@given(
    st.one_of(
        st.none(), st.integers(), st.floats(), st.text(), st.booleans(), st.complex_numbers()
    ),
    st.one_of(st.none(), st.integers(), st.floats(), st.text(), st.lists(st.floats(), max_size=3)),
)
@example(10**400, 1)
@example(1.0, 10**400)
def test_any_wish(rest_in, bounces):
    refused_or_used(lambda: pl.Settle(rest_in, bounces))
