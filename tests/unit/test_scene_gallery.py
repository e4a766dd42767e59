"""What is shipped of scene files: the schema, the example scenes, the guide."""

import importlib.util
import json
import re
from pathlib import Path

import numpy as np
import pytest

from pliant import scenefile as scene
from pliant.control.law import solve_law

ROOT = Path(__file__).parents[2]
SCENES = sorted((ROOT / "examples" / "scenes").glob("*.toml"))


def test_the_published_schema_is_current_and_every_number_has_its_unit():
    published = json.loads((ROOT / "docs" / "scene.schema.json").read_text())
    current = json.loads(scene.json_schema())
    assert published == current, "pliant check --schema > docs/scene.schema.json"
    for name, table in current["$defs"].items():
        for field, about in table["properties"].items():
            assert about.get("description"), f"{name}.{field} has no description"
            numbers = '"type": "number"' in json.dumps(about)
            assert not numbers or "[" in about["description"], f"{name}.{field} has no unit"


def test_there_are_eleven_scenes_and_of_every_kind():
    files = [scene.read(path) for path in SCENES]
    assert len(files) == 11
    bodies = [body for file in files for body in file.body.values()]
    assert any(body.mesh.file for body in bodies)
    assert any(body.mesh.annulus for body in bodies)  # 2D
    assert any(body.drive for body in bodies) and any(body.push for body in bodies)
    assert any(len(file.body) > 1 for file in files) and any(file.obstacle for file in files)
    assert any(body.examples for body in bodies)
    assert [body.reduce is not None for body in bodies].count(True) == 2
    assert {body.kind for body in bodies} >= {"material", "cloth", "rod", "springs"}
    assert all(file.title for file in files)


@pytest.mark.parametrize("path", SCENES, ids=lambda p: p.stem)
def test_scenes_begin_to_move_as_they_were_asked(path):
    file = scene.read(path, ["run.seconds=0.05", "run.fps=60"])
    setup = file.build()
    take = setup.run()
    assert len(take) == 4
    for track in take.tracks:
        body, said = setup.bodies[track.name], file.body[track.name]
        moved = track.positions - track.positions[0]
        assert (track.solver["reason"] == "converged").all()
        assert said.drive or not moved[:, body.pinned].any()
        if said.start is None or not said.start.at_rest:
            law = solve_law(dt=take.dt, **track.asked)
            lost = 1.0 - law.amplitude(np.rint(take.times[1:] / take.dt))
            # The law is that of small motions: 19 % more than what a sheet lost in its first step,
            # 2 to 16 % for the others.
            # The curve starts softly: the first frame lost 0.01 to 0.05. A sag changes that by 0.004,
            # a spin, which moves the shape at rest, by 0.011.
            assert 1.0 - track.amplitude()[1:] == pytest.approx(lost, rel=0.2, abs=0.012)
        elif said.push:
            work = np.vdot(body.loads_at(track.positions[-1], 0.05, np.zeros(body.dim)), moved[-1])
            assert work > 0.0 and np.abs(moved).max() > 1e-3 * track.size
        else:
            assert np.abs(moved).max() <= 1e-9 * track.size


@pytest.mark.slow
@pytest.mark.parametrize("path", SCENES, ids=lambda p: p.stem)
def test_scenes_come_to_rest(path):
    take = scene.read(path).build().run()
    for track in take.tracks:
        # Half a percent of the size: the last wish ends 0.3 s before the film does.
        assert track.distance()[-1] < 5e-3 * track.size


def published(text):
    """A page with the tables that are made from declarations."""
    path = ROOT / "docs" / "hooks" / "declared.py"
    spec = importlib.util.spec_from_file_location("declared_hook", path)
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    return hook.on_page_markdown(text)


def test_the_guide_runs_and_names_every_field(tmp_path, monkeypatch, capsys):
    guide = published((ROOT / "docs" / "scenes.md").read_text(encoding="utf-8"))
    first, *parts = re.findall(r"^```toml\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    (tmp_path / "beam.toml").write_text(first)
    monkeypatch.chdir(tmp_path)
    code, said = re.search(r"```python\n(.*?)```\n\n```text\n(.*?)```", guide, re.DOTALL).groups()
    exec(code, {})
    assert capsys.readouterr().out == said
    for part in parts:  # each is a section to be added
        setup = scene.parse(first + part).build()
        assert setup.bodies["beam"].pinned.any()
    for line in re.findall(r"^(fix = .*?)(?:   .*)?$", guide, re.MULTILINE):
        if "group" not in line and "5, 17" not in line:
            without = re.sub(r"^fix = .*$", "", first, flags=re.MULTILINE)
            assert scene.parse(without + line).build().bodies["beam"].pinned.any()
    for table in json.loads(scene.json_schema())["$defs"].values():
        for field in table["properties"]:
            assert re.search(rf"\b{field}\b", guide), f"{field} is not in docs/scenes.md"
