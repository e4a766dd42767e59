"""Rigs that Blender exports are what Blender shows: bones, skin and motion, whatever holds them.

Blender's world has z up, and so has its USD unless it is told otherwise; its glTF has y up.
"""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree
from typer.testing import CliRunner

import pliant as pl
from pliant.cli.app import app

SCRIPT = Path(__file__).parent / "blender" / "rigged.py"
#: Files and Blender keep places of size 5 in single precision, through a chain of three bones.
SINGLE = 5e-6
FPS = 24.0


def with_y_up(points):
    x, y, z = np.moveaxis(np.asarray(points), -1, 0)
    return np.stack([x, z, -y], axis=-1)


@pytest.fixture(scope="module", params=[False, True], ids=["at the origin", "moved"])
def arm(request, blender, tmp_path_factory):
    """The folder of an arm's files, what Blender shows, and whether its armature is elsewhere."""
    folder = tmp_path_factory.mktemp("arm")
    return folder, blender(SCRIPT, folder=folder, moved=request.param), request.param


@pytest.mark.parametrize("name", ["arm.glb", "my arm.gltf", "arm.usdc", "arm_y.usda"])
def test_rigs_are_what_blender_shows(arm, name):
    folder, truth, _ = arm
    rig = pl.shape.read_rig(folder / name)
    turned = np.asarray if name == "arm.usdc" else with_y_up
    rest, skeleton = truth["rest"], rig.skeleton
    assert skeleton.names == ("root", "upper", "lower")
    assert np.abs(skeleton.joints - turned(rest["joints"])).max() < SINGLE
    # The last tail is not in these files: it is found from what follows the bone.
    assert np.abs(skeleton.tails - turned(rest["tails"])).max() < 0.02
    away, same = cKDTree(turned(rest["points"])).query(rig.surface.points)
    assert away.max() < SINGLE
    times = rig.motion.times - rig.motion.times[0]
    assert np.allclose(times, np.arange(len(truth["frames"])) / FPS, atol=1e-6)
    for k, frame in enumerate(truth["frames"]):
        pose = rig.motion.at(rig.motion.times[k])
        assert np.abs(rig.skin(pose) - turned(frame["points"])[same]).max() < SINGLE
        joints = np.einsum("bij,bj->bi", pose[..., :3], skeleton.joints) + pose[..., 3]
        assert np.abs(joints - turned(frame["joints"])).max() < SINGLE
    assert np.ptp([frame["points"] for frame in truth["frames"]], axis=0).max() > 1.0  # it moves


def test_bvh_of_blender(arm):
    """BVH is in the space of the armature."""
    folder, truth, moved = arm
    rig = pl.shape.read_rig(folder / "arm.bvh")
    assert np.allclose(rig.skeleton.joints, [[0, 0, 0], [0, 0, 1], [0, 0, 2.5]], atol=1e-5)
    if moved:
        return
    for k, frame in enumerate(truth["frames"]):
        pose = rig.motion.at(rig.motion.times[k])
        for ends, what in ((rig.skeleton.joints, "joints"), (rig.skeleton.tails, "tails")):
            found = np.einsum("bij,bj->bi", pose[..., :3], ends) + pose[..., 3]
            assert np.abs(found - frame[what]).max() < 2e-5  # angles with six decimals


def test_the_motion_of_a_rig_for_a_mesh_that_blender_wrote(arm):
    """From a shell; the OBJ has normals, and USD takes them along."""
    folder, truth, moved = arm
    if moved:
        return
    rig, target = pl.shape.read_rig(folder / "arm.glb"), pl.Surface.read(folder / "arm.obj")
    assert target.normals is not None
    places = [(s * 0.3, y, 0.0) for s in (-1, 1) for y in (0, 2, 4)] + [(0, y, 0.3) for y in (0, 4)]
    pairs = [
        [np.linalg.norm(x - place, axis=1).argmin() for x in (rig.surface.points, target.points)]
        for place in places
    ]
    (folder / "pairs.csv").write_text("\n".join(f"{a},{b}" for a, b in pairs))
    given = ["transfer", f"{folder}/arm.glb", f"{folder}/arm.obj", "--markers"]
    out = ["-o", f"{folder}/out.usdc", "-o", f"{folder}/out.npz"]
    done = CliRunner().invoke(app, [*given, f"{folder}/pairs.csv", *out])
    assert done.exit_code == 0, done.exception
    take = pl.Take.read(folder / "out.npz")
    _, same = cKDTree(with_y_up(truth["rest"]["points"])).query(target.points)
    for k in (0, 6, 12):
        shown = take.tracks[0].skin.positions(take.positions[k])
        wanted = with_y_up(truth["frames"][k]["points"])[same]
        assert (
            np.abs(shown - wanted).max() < 0.02 * 4.0
        )  # maps of triangles, at an elbow of 70 degrees
