"""The page of a take as text: what is packed into it, and that it asks for nothing else."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace

import numpy as np
import pytest

import pliant as pl
from pliant.io.facets import Facets, face_normals
from pliant.io.html import page, save_html
from pliant.io.packed import POSITION_ERROR, pack, pack_indices, pack_positions
from pliant.io.shown import Shown, up_axis
from pliant.mesh.skin import Skin

WIDTH = {"u1": np.uint8, "u2": np.uint16, "u4": np.uint32, "f4": np.uint32}


def unpacked(entry):
    """What the page's own code does, in NumPy."""
    kind = WIDTH[entry["kind"]]
    planes = np.frombuffer(zlib.decompress(base64.b64decode(str(entry["data"]))), np.uint8)
    whole = planes.reshape(np.dtype(kind).itemsize, -1).T.copy().view(kind).ravel()
    row = int(np.prod(entry["shape"][1:]))
    frames = np.cumsum(whole.reshape(entry["shape"][0], row), axis=0, dtype=kind)
    values = frames.view(np.float32) if entry["kind"] == "f4" else frames.astype(float)
    values = values.reshape(entry["shape"])
    return values * entry["step"] + entry["low"] if "low" in entry else values


def bar(name="bar", **settle):
    mesh = pl.meshes.box(size=(2, 1, 1), cells=(2, 1, 1))
    body = pl.Body(mesh, pl.StableNeoHookean(young=1e6, poisson=0.3), name=name)
    body.fix(mesh.points[:, 0] < 1e-9)
    body.place(mesh.points + 0.1 * mesh.points[:, :1] ** 2 * [0, 1, 0])
    if settle:
        body.damping = pl.Settle(**settle)
    return body


@pytest.fixture(scope="module")
def take():
    return pl.Scene([bar(rest_in=0.2, bounces=None)]).run(seconds=0.3, dt=1 / 30)


def facts(text):
    (found,) = re.findall(r'id="facts">(.*?)</script>', text, flags=re.DOTALL)
    return json.loads(found)


def test_positions_are_rounded_by_no_more_than_is_said():
    x = np.random.default_rng(1).normal(size=(5, 40, 3))
    size = float(np.linalg.norm(np.ptp(x, axis=(0, 1))))
    entry = pack_positions(x, size)
    assert entry["kind"] == "u2"
    assert np.linalg.norm(unpacked(entry) - x, axis=2).max() <= POSITION_ERROR * size
    far = pack_positions(x, 0.1 * size)  # a small body that travels
    assert far["kind"] == "f4"
    np.testing.assert_array_equal(unpacked(far), x.astype(np.float32))


def test_a_body_that_does_not_move_is_packed_without_dividing_by_nothing():
    x = np.tile([1.0, 2.0, 0.0], (3, 4, 1))
    np.testing.assert_array_equal(unpacked(pack_positions(x, 1.0)), x)


def test_whole_numbers_survive():
    shares = np.random.default_rng(2).integers(0, 256, (4, 9)).astype(np.uint8)
    np.testing.assert_array_equal(unpacked(pack(shares)), shares)
    indices = np.random.default_rng(3).integers(0, 2**31, (50, 3))
    assert unpacked(pack_indices(np.zeros((0, 2), dtype=int)) | {"shape": [0, 1]}).size == 0
    entry = pack_indices(indices) | {"shape": [150, 1]}
    np.testing.assert_array_equal(unpacked(entry).reshape(50, 3), indices)


def test_a_box_is_sharp_at_its_twelve_edges_only():
    mesh = pl.meshes.box(size=(2, 1, 1), cells=(2, 2, 2))
    surface = Skin.bare(mesh).surface
    facets = Facets.of(surface)
    assert len(facets.creases) == 4 * (2 + 2 + 2)
    # Every side of the box has its own 3 x 3 vertices.
    assert len(facets.vertices) == 6 * 9
    normals = facets.normals(surface.points)
    np.testing.assert_allclose(np.abs(normals).max(axis=1), 1.0)  # each along an axis
    outward = ((surface.points[facets.vertices] - [1, 0.5, 0.5]) * normals).sum(axis=1)
    np.testing.assert_allclose(outward, np.where(np.abs(normals[:, 0]) > 0.5, 1.0, 0.5))


def test_a_plane_mesh_is_outlined():
    surface = Skin.bare(pl.meshes.rectangle(size=(2, 1), cells=(4, 2), kind="quad")).surface
    facets = Facets.of(surface)
    assert len(facets.creases) == 12 and len(facets.edges) == 4 * 3 + 2 * 5
    assert len(facets.vertices) == 15 and len(facets.triangles) == 16


def test_the_page_says_what_was_asked_and_measured(take):
    (found,) = facts(page(take))
    (body,) = found["bodies"]
    words = body["words"].replace("\u00a0", " ")
    measured = take.rest_time()
    share = f"{100 * measured / 0.2:.1f} %"
    assert words == f"asked to rest in 0.2 s, measured {measured:.3f} s ({share})"
    (curve,) = found["curves"]
    np.testing.assert_allclose(curve["values"], take.distance(), rtol=1e-12)
    assert curve["asked"]["time"] == 0.2
    assert curve["asked"]["value"] == pytest.approx(0.01 * take.distance()[0])


def test_a_body_that_does_not_settle_shows_its_energies():
    take = pl.Scene([bar()]).run(seconds=0.1, dt=1 / 30)
    (found,) = facts(page(take))
    assert found["quantity"] == "energy [J]"
    assert [c["label"] for c in found["curves"]] == ["bar: kinetic", "bar: elastic", "bar: total"]
    assert "shares" not in found["bodies"][0] and found["bodies"][0]["words"] == ""


def test_a_take_that_ends_too_soon_is_not_called_at_rest():
    take = pl.Scene([bar(rest_in=1.0, bounces=None)]).run(seconds=0.2, dt=1 / 30)
    assert Shown.of(take.tracks[0]).words.endswith("; not at rest when the take ends")
    take = pl.Scene([bar(rest_in=1.0, bounces=2)]).run(seconds=0.2, dt=1 / 30)
    assert Shown.of(take.tracks[0]).words.endswith("with 2 bounces; the take ends before that")


def test_an_equilibrium_is_a_page_of_one_frame():
    (found,) = facts(page(pl.Scene([bar()], gravity=(0, -9.81, 0)).equilibrium()))
    assert found["times"] == [0.0] and found["curves"] == []


def test_nothing_is_asked_from_outside(take):
    text = page(take)
    assert re.findall(r"""(?:src|href)\s*=\s*["'](?!data:)""", text) == []
    assert "default-src 'none'" in text
    assert "three.js authors" in text  # the notice that its licence asks for


def test_names_cannot_break_out_of_the_page():
    body = bar(name="</script><b>x{{style}}", rest_in=0.2)
    text = page(pl.Scene([body]).run(seconds=0.1, dt=1 / 30))
    assert "</script><b>" not in text
    assert facts(text)[0]["title"] == "</script><b>x{{style}}"


def test_bodies_of_one_name_are_told_apart():
    take = pl.Scene([bar(rest_in=0.2), bar(rest_in=0.3)]).run(seconds=0.1, dt=1 / 30)
    assert [b["name"] for b in facts(page(take))[0]["bodies"]] == ["bar", "bar_2"]


def test_titles_belong_to_takes(take, tmp_path):
    path = save_html([take, take], tmp_path / "deep" / "two.html", titles=["a", "b"])
    assert [t["title"] for t in facts(path.read_text(encoding="utf-8"))] == ["a", "b"]
    assert [p.name for p in path.parent.iterdir()] == ["two.html"]
    with pytest.raises(ValueError, match="1 titles for 2 takes"):
        page([take, take], titles=["a"])
    with pytest.raises(ValueError, match="no takes"):
        page([])


def test_up_is_where_gravity_does_not_pull(take):
    assert up_axis(take) == 1
    for gravity, up in (((0, 0, -9.81), 2), ((0, -9.81, -1.0), 1), ((0, 0, 9.81), 1)):
        given = type(take)(take.tracks, dt=take.dt, about={"gravity": list(gravity)})
        assert up_axis(given) == up
        assert facts(page(given))[0]["up"] == "xyz"[up]


def test_a_ghost_flies_along_with_a_body_that_is_free():
    body = bar(rest_in=0.2, bounces=None)
    body.release()
    body.velocity = (3.0, 0.0, 0.0)
    shown = Shown.of(pl.Scene([body]).run(seconds=0.3, dt=1 / 30).tracks[0])
    middle = np.asarray(shown.ghosts).mean(axis=1) - np.asarray(shown.positions).mean(axis=1)
    assert len(shown.ghosts) == len(shown.positions)
    assert np.abs(middle).max() < 0.1  # while the body flies 0.9 m
    np.testing.assert_allclose(shown.ghosts[-1], shown.positions[-1], atol=5e-3)  # it rests in it


def test_a_driven_body_has_a_rest_but_no_promise():
    body = bar(rest_in=0.2)
    left = np.flatnonzero(body.mesh.points[:, 0] < 1e-9)
    start = body.mesh.points[left]
    body.release()
    body.move(left, lambda t: start + np.array([t, 0.0, 0.0]))
    shown = Shown.of(pl.Scene([body]).run(seconds=0.2, dt=1 / 30).tracks[0])
    assert shown.distance is not None and shown.asked == {}
    assert shown.words.endswith("; its pins or loads change until the end, so no time is promised")


def test_the_artists_normals_say_what_is_smooth():
    surface = Skin.bare(pl.meshes.box(size=(1, 1, 1), cells=(1, 1, 1), kind="hex")).surface
    flat = np.repeat(face_normals(surface), surface.sizes, axis=0)
    assert len(Facets.of(replace(surface, normals=flat)).vertices) == 24
    middle = surface.points[surface.corners] - 0.5
    soft = middle / np.linalg.norm(middle, axis=1, keepdims=True)
    facets = Facets.of(replace(surface, normals=soft))
    assert len(facets.vertices) == 8 and len(facets.creases) == 0


def test_a_picture_draws_the_skin_that_a_body_wears():
    from pliant.io.png import picture

    body = bar(rest_in=0.2)
    inner = Skin.bare(pl.meshes.box(size=(1, 0.5, 0.5), cells=(1, 1, 1), kind="hex")).surface
    body.wear(replace(inner, points=inner.points + [0.5, 0.25, 0.25]))
    take = pl.Scene([body]).run(seconds=0.1, dt=1 / 30)
    faces = picture(take, instants=[0.0]).axes[0].collections[-1]
    assert len(faces.get_paths()) == 3  # the sides of a box that are seen, not those of the mesh
