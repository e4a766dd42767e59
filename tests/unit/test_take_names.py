"""Names from files never become paths: whatever a mesh calls its groups, a run writes into its take."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import pliant as pl
from pliant.cli import main

NAMES = [
    "../../../precious.zarr/times",
    "/tmp/pliant-was-here",
    "a/b",
    "..",
    ".",
    "",
    "A",
    "a",
    "x" * 300,
    "line\nbreak",
    "naïve 雪",
    ".zattrs",
    "0",
]

JELLY = pl.StableNeoHookean(young=1e5, poisson=0.3)

SCENE = """
[run]
seconds = 0.04
dt = 0.02
[body.bar]
mesh = { file = "bar.msh" }
material = { model = "StableNeoHookean", young = 1e5, poisson = 0.3 }
"""


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def named_mesh(names=NAMES) -> pl.Mesh:
    mesh = pl.meshes.rectangle(size=(2, 1), cells=(4, 2))
    groups = {name: np.arange(1 + i) for i, name in enumerate(names)}
    return pl.Mesh(mesh.points, mesh.cells, groups=groups)


def gmsh(path: Path, name: str) -> None:
    """A square of two triangles with one physical name, in gmsh's format 2.2."""
    path.write_text(
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
        f'$PhysicalNames\n1\n2 7 "{name}"\n$EndPhysicalNames\n'
        "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
        "$Elements\n2\n1 2 2 7 1 1 2 3\n2 2 2 7 1 1 3 4\n$EndElements\n"
    )


def test_a_mesh_file_writes_nothing_outside_its_take(tmp_path, monkeypatch):
    home = tmp_path / "deep" / "er" / "project"
    home.mkdir(parents=True)
    monkeypatch.chdir(home)
    body = pl.Body(pl.meshes.rectangle((1, 1), (1, 1)), JELLY)
    for place in (home, home.parent, tmp_path):
        pl.Scene([body]).run(seconds=0.02, dt=0.02, into=place / "precious.zarr", progress=False)
    Path("scene.toml").write_text(SCENE)
    for name in ("../../../precious.zarr/times", "../../../../new", "/groups", "..", "a/../../b"):
        gmsh(Path("bar.msh"), name)
        before = contents(tmp_path)
        with pytest.raises(SystemExit) as left:
            main(["run", "scene.toml", "-o", "out.zarr", "--overwrite", "--progress", "none"])
        assert left.value.code == 0
        outside = {k: v for k, v in contents(tmp_path).items() if "/out.zarr/" not in k}
        assert outside == {k: v for k, v in before.items() if "/out.zarr/" not in k}
        assert list(pl.Take.read("out.zarr").tracks[0].mesh.groups) == [name]


@pytest.mark.parametrize("suffix", [".zarr", ".npz"])
def test_every_name_of_a_group_comes_back(tmp_path, suffix):
    body = pl.Body(named_mesh(), JELLY, name="../bar")
    take = pl.Scene([body]).run(seconds=0.02, dt=0.02)
    found = pl.Take.read(take.save(tmp_path / f"a{suffix}")).tracks[0].mesh.groups
    assert list(found) == NAMES
    for i, name in enumerate(NAMES):
        np.testing.assert_array_equal(found[name], np.arange(1 + i))


def test_takes_of_the_first_version_still_load(tmp_path):
    """There the arrays of groups had their names."""
    body = pl.Body(named_mesh(["clamp", "tip/end"]), JELLY)
    path = tmp_path / "a.zarr"
    take = pl.Scene([body]).run(seconds=0.02, dt=0.02, into=path)
    said = json.loads((path / ".zattrs").read_text())
    del said["groups"]
    (path / ".zattrs").write_text(json.dumps(said | {"version": 1}))
    groups = path / "body0" / "groups"
    (groups / "0").rename(groups / "clamp")
    (groups / "tip").mkdir()
    (groups / "1").rename(groups / "tip" / "end")
    found = pl.Take.read(path)
    assert sorted(found.tracks[0].mesh.groups) == ["clamp", "tip/end"]
    np.testing.assert_array_equal(found.positions, take.positions)


def test_names_of_bodies_become_files_beside_the_one_that_was_named(tmp_path):
    names = ["../../out", "/etc/passwd", "..", "a\\b", "x" * 400, "x" * 400]
    mesh = pl.meshes.box((1, 1, 1), (1, 1, 1))
    bodies = [pl.Body(mesh, JELLY, name=name) for name in names]
    take = pl.Scene(bodies).run(seconds=0.02, dt=0.02)
    home = tmp_path / "deep" / "home"
    home.mkdir(parents=True)
    for suffix in (".obj", ".pc2", ".vtu", ".mdd", ".usda", ".glb", ".html"):
        take.save(home / f"take{suffix}")
    written = [p.relative_to(tmp_path) for p in tmp_path.rglob("*") if p.is_file()]
    assert len([p for p in written if p.suffix == ".pc2"]) == len(names)
    assert all(p.parent == Path("deep/home") and p.name.startswith("take") for p in written)
