"""Blender opens what we write, and every vertex of every frame is where the take has it.

Points are compared corner by corner of the faces: their order is part of the files, whatever an
importer does to vertices. Blender's world has z up; its importers turn files with y up.
"""

from pathlib import Path

import numpy as np
import pytest

from tests.moving import ROUNDING, moving_take, shown

SCRIPT = Path(__file__).parent / "blender" / "imported.py"
#: One rounding of the file, and one each of base, difference and rotation in Blender.
TOLERANCE = 3.0 * ROUNDING
FRAMES = 12
#: Blender keeps a corner's normal as two 16-bit numbers.
PACKED = 2e-4


def from_blender(points):
    """Blender's x, y, z as ours."""
    x, y, z = np.moveaxis(np.asarray(points), -1, 0)
    return np.stack([x, z, -y], axis=-1)


def check(take, found, names, *, triangles=False):
    """Compare every corner of every face in every frame, and the texture coordinates."""
    assert set(found["objects"]) == set(names)
    for body, name in enumerate(names):
        thing, surface = found["objects"][name], take.tracks[body].skin.surface
        sizes, places = surface.sizes, np.arange(len(surface.corners))
        if triangles:
            sizes, places = np.full(len(surface.triangles), 3), surface.triangles.ravel()
        assert thing["sizes"] == sizes.tolist()
        points = from_blender(thing["points"])
        assert len(points) == len(take)
        for frame in range(len(take)):
            expected = shown(take, body, frame)[surface.corners[places]]
            error = np.abs(points[frame][thing["corners"]] - expected).max()
            assert error <= TOLERANCE * np.abs(expected).max(), (name, frame)
        if surface.uv is None:
            assert thing["uv"] is None
        else:
            np.testing.assert_array_equal(thing["uv"], surface.uv[places])  # 32nds are exact


def normals_error(take, thing, frame, *, triangles=False):
    """The largest difference of a normal of the first body."""
    track = take.tracks[0]
    expected = track.skin.normals(track.positions[frame], track.mesh.points)
    if triangles:
        expected = expected[track.skin.surface.triangles.ravel()]
    return np.abs(from_blender(thing["normals"][frame]) - expected).max()


def test_frames_differ():
    """What is compared moves by far more than the tolerance, every point in its own way."""
    take = moving_take(frames=FRAMES)
    for body in range(3):
        x = np.stack([shown(take, body, f) for f in range(FRAMES)])
        assert np.abs(np.diff(x, axis=0)).max(axis=2).min() > 100 * TOLERANCE
        first, second = np.triu_indices(x.shape[1], 1)
        assert np.abs(x[:, first] - x[:, second]).max(axis=(0, 2)).min() > 100 * TOLERANCE


@pytest.mark.parametrize("suffix", [".usdc", ".usda"])
def test_usd(blender, tmp_path, suffix):
    take = moving_take(frames=FRAMES, fps=30.0)
    path = take.save(tmp_path / f"Körper am Seil{suffix}")
    found = blender(SCRIPT, paths=[path], surfaces=None, frames=FRAMES, fps=24)
    # Blender's importer takes the range from the file and leaves the scene's rate alone: frames
    # are ours one by one, at whatever rate they are played.
    assert found["range"] == [0, FRAMES - 1] and found["fps"] == 24
    check(take, found, ["K__rper_1_2", "K__rper_1_2_2", "plate"])
    assert all(thing["rest_in"] == 0.5 for thing in found["objects"].values())
    textured, track = found["objects"]["K__rper_1_2"], take.tracks[0]
    for frame in range(FRAMES):
        assert normals_error(take, textured, frame) < PACKED
        velocities = track.skin.positions(track.velocities[frame])
        error = np.abs(from_blender(textured["velocities"][frame]) - velocities).max()
        assert error <= TOLERANCE * np.abs(velocities).max()


def test_glb(blender, tmp_path):
    take = moving_take(frames=FRAMES, fps=30.0)
    path = take.save(tmp_path / "Körper am Seil.glb")
    found = blender(SCRIPT, paths=[path], surfaces=None, frames=FRAMES, fps=30)
    check(take, found, ["Körper 1/2", "Körper 1/2_2", "plate"], triangles=True)
    expected = ["Basis", *(f"frame {f}" for f in range(1, FRAMES))]
    assert all(thing["keys"] == expected for thing in found["objects"].values())
    assert all(thing["rest_in"] == 0.5 for thing in found["objects"].values())


def test_glb_in_a_scene_of_another_rate(blender, tmp_path):
    """Times are seconds: at half the rate every second frame of the take is shown."""
    take = moving_take(frames=9, fps=30.0, normals=False)
    path = take.save(tmp_path / "a.glb")
    found = blender(SCRIPT, paths=[path], surfaces=None, frames=5, fps=15)
    for track in take.tracks:
        track.positions = track.positions[::2]
    take.times = take.times[::2]
    check(take, found, ["Körper 1/2", "Körper 1/2_2", "plate"], triangles=True)


@pytest.mark.parametrize("suffix", [".usdc", ".glb"])
def test_gravity_says_what_is_up(blender, tmp_path, suffix):
    """A scene with z up, as Blender's own are, comes back where it was."""
    take = moving_take(frames=3, fps=30.0)
    take.about["gravity"] = [0.0, 0.0, -9.81]
    path = take.save(tmp_path / f"a{suffix}")
    found = blender(SCRIPT, paths=[path], surfaces=None, frames=3, fps=30)["objects"]
    name = "K__rper_1_2" if suffix == ".usdc" else "Körper 1/2"
    surface = take.tracks[0].skin.surface
    places = np.arange(len(surface.corners)) if suffix == ".usdc" else surface.triangles.ravel()
    for frame in range(3):
        expected = shown(take, 0, frame)[surface.corners[places]]
        points = np.array(found[name]["points"][frame])[found[name]["corners"]]
        # A quaternion of 32-bit numbers turns by half a millionth too much or too little.
        assert np.abs(points - expected).max() <= 1e-6 * np.abs(expected).max()


@pytest.mark.parametrize("suffix", [".pc2", ".mdd"])
def test_mesh_cache(blender, tmp_path, suffix):
    take = moving_take(frames=FRAMES, fps=30.0)
    take.save(tmp_path / f"a{suffix}")
    names = [f"a-{body}" for body in ("Körper 1_2", "Körper 1_2_2", "plate")]
    found = blender(
        SCRIPT,
        paths=[tmp_path / f"{name}{suffix}" for name in names],
        surfaces=[tmp_path / f"{name}_0000.obj" for name in names],
        frames=FRAMES,
        fps=30,
    )
    check(take, found, [f"{name}_0000" for name in names])


@pytest.mark.parametrize("suffix", [".usdc", ".glb", ".obj"])
def test_take_of_one_frame(blender, tmp_path, suffix):
    take = moving_take(frames=1, bodies=1)
    path = take.save(tmp_path / f"a{suffix}")
    found = blender(SCRIPT, paths=[path], surfaces=None, frames=1, fps=30)
    name = {".usdc": "K__rper_1_2", ".glb": "Körper 1/2", ".obj": "a"}[suffix]
    check(take, found, [name], triangles=suffix == ".glb")
    assert normals_error(take, found["objects"][name], 0, triangles=suffix == ".glb") < PACKED
