"""What docs/architecture.md says of the code is true."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from itertools import pairwise
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest
import warp as wp

import pliant as pl
from pliant.control import LandingStage
from pliant.control.settle_state import Phase, SettleState

SOURCE = Path(pl.__file__).parent
DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "architecture.md").read_text(encoding="utf-8")
#: The ways in which a kernel is launched.
LAUNCHES = {wp.launch.__code__, wp.Launch.launch.__code__, wp.capture_launch.__code__}
#: A reader does not follow more functions than this from `scene.run` to a kernel.
MOST = 12


def table(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without its head."""
    under = PAGE.split(f"{heading}\n", 1)[1].split("\n#", 1)[0]
    rows = [line.strip("|").split("|") for line in under.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def code(cell: str) -> list[str]:
    """What is set as code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def name(code: CodeType) -> str:
    """Class and name of a function; its name alone before Python 3.11."""
    return getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")


def first_launch() -> list[tuple[str, str]]:
    """The functions of pliant, by file, on the stack at the first launch of the third step of a beam.

    In the third, because the first ones make what is kept. Comprehensions are no functions, and from
    Python 3.12 on they are not on the stack. Neither is what `@computing` wraps around one.
    """
    mesh = pl.meshes.box((4, 1, 1), (8, 2, 2))
    beam = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), damping=pl.Settle(0.75, 0))
    beam.fix(mesh.points[:, 0] < 1e-9)
    stack: list[tuple[str, str]] = []

    def watch(frame: FrameType, event: str, _: Any) -> None:
        if event != "call" or frame.f_code not in LAUNCHES:
            return
        sys.setprofile(None)
        at: FrameType | None = frame
        while at is not None:
            path, called = Path(at.f_code.co_filename), at.f_code.co_name
            if path.is_relative_to(SOURCE) and not called.startswith("<") and called != "marked":
                stack.insert(0, (name(at.f_code), path.relative_to(SOURCE).as_posix()))
            at = at.f_back

    before = sys.getprofile()
    try:
        pl.Scene([beam], gravity=(0, -9.81, 0), contact=False).run(
            seconds=3 / 60, progress=lambda done, _: sys.setprofile(watch) if done == 2 else None
        )
    finally:
        sys.setprofile(before)
    return stack


def test_the_way_to_the_first_kernel_is_the_one_on_the_page() -> None:
    listed = [tuple(code(row[0])) for row in table("### From `scene.run` to the first kernel")]
    found = first_launch()
    assert found[0][0].endswith("run") and len(found) <= MOST
    if sys.version_info < (3, 11):
        listed = [(called.rpartition(".")[2], path) for called, path in listed]
    assert listed == found, "write this into the table:\n" + "\n".join(
        f"| `{called}`<br>`{path}` |" for called, path in found
    )


@pytest.mark.parametrize("row", table("## Types"), ids=lambda row: code(row[0])[0])
def test_types_are_where_and_as_immutable_as_the_page_says(row: list[str]) -> None:
    (called, path), frozen = code(row[0]), row[1]
    module = importlib.import_module("pliant." + path.removesuffix(".py").replace("/", "."))
    kind = getattr(module, called)
    assert kind.__module__ == module.__name__
    parameters = vars(kind).get("__dataclass_params__")
    assert frozen == ("yes" if parameters is not None and parameters.frozen else "no")


def strings() -> set[str]:
    """All texts in the rooms of the step; what is written in several pieces is one."""
    return {
        node.value
        for room in ("problem", "control", "step")
        for path in (SOURCE / room).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_the_page_has_every_warning_of_settle_word_for_word() -> None:
    under = PAGE.split("## The states of `Settle`", 1)[1].split("\n## ", 1)[0]
    told = {text for text in code(under) if text.startswith("t = ")}
    in_source = {text for text in strings() if text.startswith("t = %g s: ")}
    assert told and told == in_source


def test_the_states_of_settle_are_those_of_the_page() -> None:
    rows = table("## The states of `Settle`")
    named = {word for row in rows for cell in row[1:3] for word in code(cell)}
    assert named == {phase.name for phase in Phase}
    drawing = (DOCS / "images" / "settle-states.svg").read_text(encoding="utf-8")
    assert all(f">{phase.name}<" in drawing for phase in Phase)
    assert re.findall(r">(\d)</text>", drawing) == [row[0] for row in rows]


def test_the_stages_of_landing_are_those_of_the_page() -> None:
    rows = table("## Landing")
    named = {word for row in rows for cell in row[:2] for word in code(cell)}
    assert named == {stage.name for stage in LandingStage}
    drawing = (DOCS / "images" / "landing-stages.svg").read_text(encoding="utf-8")
    assert all(f">{stage.name}<" in drawing for stage in LandingStage)
    assert drawing.count('class="arrow"') == len(rows)


def test_a_body_that_begins_inside_out_goes_through_the_states_as_on_the_page() -> None:
    mesh = pl.meshes.box((1, 1, 1), (3, 3, 3))
    body = pl.Body(mesh, pl.StableNeoHookean(young=5e5, poisson=0.4), damping=pl.Settle(0.2, 0))
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points * [-1.0, 1.0, 1.0])
    scene = pl.Scene([body])
    seen = ["BEGINS"]
    for _ in range(30):
        scene.step(1 / 60)
        control = body.state.control
        assert isinstance(control, SettleState)
        if control.phase.name != seen[-1]:
            seen.append(control.phase.name)
    assert seen == ["BEGINS", "PULLED", "ON_ITS_WAY"]
    rows = table("## The states of `Settle`")
    drawn = [(*code(row[1]), *code(row[2])) for row in rows]
    assert all(pair in drawn for pair in pairwise(seen))
    scene.gravity = (0, -1, 0)
    assert body.state.control is None  # it begins anew
    assert rows[-1][1] == "any" and code(rows[-1][2]) == ["BEGINS"]


@pytest.mark.parametrize("drawing", ["one-step.svg", "settle-states.svg"])
def test_drawings_name_what_there_is(drawing: str) -> None:
    text = (DOCS / "images" / drawing).read_text(encoding="utf-8")
    words = re.findall(r'<text class="code[^"]*"[^>]*>([^<]+)<', text)
    defined = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                defined |= {node.name}
                defined |= {
                    f"{node.name}.{n.name}" for n in node.body if isinstance(n, ast.FunctionDef)
                }
            elif isinstance(node, ast.FunctionDef):
                defined.add(node.name)
    assert words and set(words) <= defined | {phase.name for phase in Phase}
