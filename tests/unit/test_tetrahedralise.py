"""Tetrahedra inside surfaces, by fTetWild."""

import subprocess

import numpy as np
import pytest

import pliant as pl
from pliant.mesh import ftetwild, generators as meshes
from pliant.mesh.orientation import agree
from pliant.mesh.skin import Skin

pytest.importorskip("pytetwild")


def torus(ring=1.0, tube=0.35, around=32, across=16):
    """A closed torus of quads, facing outward."""
    u, v = (2 * np.pi * np.arange(n) / n for n in (around, across))
    u, v = (a.ravel() for a in np.meshgrid(u, v, indexing="ij"))
    r = ring + tube * np.cos(v)
    points = np.stack([r * np.cos(u), r * np.sin(u), tube * np.sin(v)], axis=1)
    i, j = (a.ravel() for a in np.meshgrid(np.arange(around), np.arange(across), indexing="ij"))
    a, b = i * across, (i + 1) % around * across
    k = (j + 1) % across
    return pl.Surface.of(points, np.stack([a + j, b + j, b + k, a + k], axis=1))


def without_faces(surface, gone):
    faces = np.split(surface.corners, np.cumsum(surface.sizes)[:-1])
    return pl.Surface.of(surface.points, [f for i, f in enumerate(faces) if i not in gone])


def test_needs_no_pyvista(monkeypatch, tmp_path):
    """pytetwild imports it for an accessor; `pip install pliant[mesh]` does not bring it."""
    (tmp_path / "pyvista.py").write_text("raise ImportError('not here')")
    monkeypatch.syspath_prepend(tmp_path)
    assert len(meshes.tetrahedralise(torus(), edge_length=0.6)) > 20


def test_torus_becomes_a_mesh_that_carries_it():
    surface = torus()
    report = surface.report()
    assert report.closed and report.volume > 0
    mesh = meshes.tetrahedralise(surface, edge_length=0.3)
    quality = mesh.quality()
    assert quality.components == 1 and quality.worst > 0.1
    # The envelope is a tenth of an edge: 0.03 m of the tube's 0.35 m.
    assert mesh.volume == pytest.approx(report.volume, rel=0.1)
    assert 0.15 < quality.edge_mean < 0.45
    skin = Skin.on(mesh, surface)
    np.testing.assert_allclose(skin.positions(mesh.points), surface.points, atol=1e-12)
    assert np.abs(skin.weights).max() < 2  # 0.03 m outside cells of 0.3 m


def test_shorter_edges_give_more_cells_and_within_follows_the_shape():
    ball = Skin.bare(meshes.sphere(1.0, 5)).surface
    coarse = meshes.tetrahedralise(ball, edge_length=0.8)
    fine = meshes.tetrahedralise(ball, edge_length=0.4)
    close = meshes.tetrahedralise(ball, edge_length=0.8, within=0.02)
    assert len(fine) > 1.5 * len(coarse) and len(close) > 1.5 * len(coarse)
    assert fine.quality().edge_mean < 0.8 * coarse.quality().edge_mean
    volume = ball.report().volume
    assert close.volume == pytest.approx(volume, rel=0.06)  # area / volume = 3 / m, times 0.02 m


def test_inward_faces_and_loose_points_are_understood():
    ball = Skin.bare(meshes.sphere(1.0, 4)).surface
    inward = pl.Surface(
        ball.points[ball.corners[::-1]], ball.sizes[::-1], np.arange(len(ball.corners))
    )
    assert inward.welded().report().volume < 0
    mesh = meshes.tetrahedralise(inward, edge_length=0.6)
    assert mesh.volume == pytest.approx(ball.report().volume, rel=0.15)


def test_faces_are_made_to_agree_and_cavities_kept():
    ball = Skin.bare(meshes.sphere(1.0, 4)).surface
    outer = ball.corners[ball.triangles]
    points = np.concatenate([ball.points, 0.5 * ball.points, ball.points + [5.0, 0, 0]])
    cavity, other = outer[:, ::-1] + len(ball.points), outer + 2 * len(ball.points)
    sound = np.concatenate([outer, cavity, other])
    given = sound.copy()
    rng = np.random.default_rng(0)
    flips = np.concatenate([rng.permutation(len(outer))[:20], 2 * len(outer) + np.arange(100)])
    given[flips] = given[flips, ::-1]
    triangles, turned, agreed = agree(points, given)
    assert agreed and turned == len(flips)
    assert pl.Surface.of(points, triangles).report().oriented
    np.testing.assert_array_equal(np.sort(triangles, axis=1), np.sort(sound, axis=1))
    volume = pl.Surface.of(points, sound).report().volume
    assert pl.Surface.of(points, triangles).report().volume == pytest.approx(volume)

    given = outer.copy()
    given[:7] = given[:7, ::-1]
    with pytest.warns(UserWarning, match=r"disagree .* edges: 7 triangles were turned"):
        mesh = meshes.tetrahedralise(pl.Surface.of(ball.points, given), edge_length=0.6)
    assert mesh.volume == pytest.approx(ball.report().volume, rel=0.15)


def test_a_moebius_strip_cannot_agree():
    u = np.linspace(0, np.pi, 12, endpoint=False)
    ends = np.array([-0.3, 0.3])
    r = 1 + ends[:, None] * np.cos(u)
    points = np.stack([r * np.cos(2 * u), r * np.sin(2 * u), ends[:, None] * np.sin(u)], axis=-1)
    strip = [[i, i + 1, i + 13, i + 12] for i in range(11)] + [[11, 12, 0, 23]]
    surface = pl.Surface.of(points.reshape(-1, 3), strip)
    triangles = surface.corners[surface.triangles]
    assert not agree(surface.points, triangles)[2]
    np.testing.assert_array_equal(agree(surface.points, triangles)[0], triangles)


def test_a_small_hole_is_closed_with_a_warning():
    ball = Skin.bare(meshes.sphere(1.0, 6)).surface
    torn = without_faces(ball, {0})
    with pytest.warns(
        UserWarning, match=r"3 open edges in 1 hole; the largest has 3 open edges from"
    ):
        mesh = meshes.tetrahedralise(torn, edge_length=0.5)
    assert mesh.volume == pytest.approx(ball.report().volume, rel=0.15)


def test_what_encloses_nothing_is_refused():
    sheet = pl.Surface.of([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]])
    with (
        pytest.warns(UserWarning, match="4 open edges"),
        pytest.raises(pl.MeshError, match=r"no tetrahedra came out|fTetWild"),
    ):
        meshes.tetrahedralise(sheet)


def test_arguments_are_checked():
    ball = Skin.bare(meshes.sphere(1.0, 2)).surface
    with pytest.raises(TypeError, match=r"got str; expected a surface.*Surface.read"):
        meshes.tetrahedralise("body.obj")
    with pytest.raises(ValueError, match=r"edge_length is -1; expected a length above 0"):
        meshes.tetrahedralise(ball, edge_length=-1)
    with pytest.raises(
        ValueError, match=r"edge_length is 50 m and the surface only 3\.\d+ m across"
    ):
        meshes.tetrahedralise(ball, edge_length=50.0)


def test_without_pytetwild_the_error_names_the_extra(monkeypatch):
    monkeypatch.setattr(ftetwild, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'pliant\[mesh\]'"):
        meshes.tetrahedralise(torus())


def started(monkeypatch):
    """Processes that are started from here on."""
    seen = []

    class Popen(subprocess.Popen):
        def __init__(self, *given, **named):
            super().__init__(*given, **named)
            seen.append(self)

    monkeypatch.setattr(ftetwild.subprocess, "Popen", Popen)
    return seen


def test_an_interrupt_ends_the_process(monkeypatch):
    seen, ticks = started(monkeypatch), []

    def tick():
        ticks.append(0)
        if len(ticks) == 3:
            raise KeyboardInterrupt

    surface = torus()
    with pytest.raises(KeyboardInterrupt):
        ftetwild.tetrahedra(
            surface.points,
            surface.corners[surface.triangles],
            edge_share=0.002,  # would take minutes
            envelope_share=0.0002,
            optimise=True,
            tick=tick,
        )
    assert seen[0].poll() is not None


def test_a_crash_is_an_error_not_the_end(monkeypatch, tmp_path):
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\necho out of luck\nkill -SEGV $$\n")
    script.chmod(0o755)
    monkeypatch.setattr(ftetwild.sys, "executable", str(script))
    with pytest.raises(pl.MeshError, match=r"fTetWild was ended by signal 11: out of luck"):
        meshes.tetrahedralise(torus())


def test_progress_is_written_when_asked_for(capfd, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich then takes a pipe for a terminal
    ball = Skin.bare(meshes.sphere(1.0, 2)).surface
    meshes.tetrahedralise(ball, edge_length=0.8, progress=True)
    assert "triangles with tetrahedra" in capfd.readouterr().err
    meshes.tetrahedralise(ball, edge_length=0.8)
    assert capfd.readouterr() == ("", "")
