"""Notebooks run from top to bottom; what they show is a page that needs nothing else."""

from __future__ import annotations

import ast
import html
import json
import re
import sys
import types
from pathlib import Path

import pytest

import pliant as pl
from pliant.take import progress_bar
from tests.moving import moving_take

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples" / "notebooks").glob("*.ipynb"))


def cells(path):
    return [c for c in json.loads(path.read_text("utf-8"))["cells"] if c["cell_type"] == "code"]


def run(code, names):
    """Run a cell as a kernel does. Returns the value of its last line, if that is an expression."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return (
        None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    )


@pytest.fixture
def kernel(monkeypatch):
    """A stand-in for IPython in a kernel: what was displayed, and how often it was drawn anew."""
    shown: list[str] = []

    class Handle:
        def update(self, what):
            shown.append(what)

    def display(what, *, display_id):
        assert display_id
        shown.append(what)
        return Handle()

    shell = types.SimpleNamespace(config={"IPKernelApp": {}})
    python = types.ModuleType("IPython")
    python.get_ipython = lambda: shell
    python.display = types.ModuleType("IPython.display")
    python.display.HTML, python.display.display = str, display
    monkeypatch.setitem(sys.modules, "IPython", python)
    monkeypatch.setitem(sys.modules, "IPython.display", python.display)
    return types.SimpleNamespace(shown=shown, shell=shell)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_notebook_runs_and_shows_what_it_makes(path, kernel, capsys):
    names: dict[str, object] = {}
    values = [run("".join(cell["source"]), names) for cell in cells(path)]
    kinds = {type(v) for v in values if v is not None}
    assert {pl.Mesh, pl.Scene, pl.Take} <= kinds | {type(None)} and pl.Take in kinds
    for value in values:
        if isinstance(value, (pl.Mesh, pl.Scene, pl.Take)):
            page = html.unescape(re.search(r'srcdoc="([^"]*)"', value._repr_html_())[1])
            assert page.startswith("<!doctype html>") and 'id="facts"' in page
    assert "measured" in capsys.readouterr().out
    assert kernel.shown and all("<progress" in text for text in kernel.shown)
    assert "60 of 60" in "".join(kernel.shown)


def test_notebooks_are_kept_without_what_they_printed():
    for path in NOTEBOOKS:
        assert all(not c["outputs"] and c["execution_count"] is None for c in cells(path)), path


def test_a_bar_in_a_notebook_is_drawn_now_and_then(kernel):
    with progress_bar(1000, "<wish>") as advance:
        for _ in range(1000):
            advance()
    # At most ten a second, and at the end.
    assert 2 <= len(kernel.shown) < 20 and "&lt;wish&gt;: 1000 of 1000" in kernel.shown[-1]
    count = len(kernel.shown)
    with progress_bar(3, "silent", False) as advance:
        advance()
    assert len(kernel.shown) == count
    kernel.shell.config = {}  # IPython in a terminal
    with progress_bar(3, "terminal") as advance:
        advance()
    assert len(kernel.shown) == count


def test_a_take_that_a_notebook_cannot_hold_says_so(monkeypatch):
    from pliant.io import inline

    monkeypatch.setattr(sys.modules[inline.__module__], "MOST_BYTES", 100.0)
    text = moving_take(bodies=1)._repr_html_()
    assert "iframe" not in text and "take.resampled(fps=10)" in text


def test_a_scene_shows_obstacles_and_where_bodies_are():
    mesh = pl.meshes.box((1, 1, 1), (1, 1, 1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3), name="cube")
    body.place(mesh.points + [0, 3, 0])
    scene = pl.Scene([body], gravity=(0, -9.81, 0))
    scene.add(pl.HalfSpace((0, 0, 0), (0, 1, 0)))
    page = html.unescape(scene._repr_html_())
    assert '"name":"half_space"' in page and '"name":"cube"' in page
    facts = json.loads(page.split('id="facts">')[1].split("</script>")[0])
    assert facts[0]["bodies"][0]["positions"]["low"][1] == pytest.approx(3.0)
