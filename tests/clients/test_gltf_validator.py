"""Khronos' validator on our glTF."""

import json
import os
import shutil
import subprocess

import pytest

import pliant as pl
from tests.moving import moving_take

VALIDATE = """
const {validateBytes} = require('gltf-validator'), {readFileSync} = require('fs');
validateBytes(new Uint8Array(readFileSync(process.argv[2])))
  .then(report => console.log(JSON.stringify(report)));
"""


@pytest.fixture(scope="module")
def validate(tmp_path_factory):
    """Calls the validator of the npm registry; without node it is skipped, in CI it then fails."""
    folder = tmp_path_factory.mktemp("validator")
    if shutil.which("npm") is None:
        return _missing("npm is not here")
    options = ["--prefix", str(folder), "--no-audit", "--no-fund"]
    run = subprocess.run(
        ["npm", "install", *options, "gltf-validator@2.0.0-dev.3.10"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    if run.returncode:
        return _missing(f"gltf-validator could not be had: {run.stderr[-500:]}")
    (folder / "validate.js").write_text(VALIDATE)

    def call(path):
        said = subprocess.check_output(["node", folder / "validate.js", path], text=True)
        return json.loads(said)

    return call


def _missing(reason):
    pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)


@pytest.mark.parametrize("frames", [1, 2, 12])
@pytest.mark.parametrize("normals", [False, True])
def test_glb_is_valid(validate, tmp_path, frames, normals):
    report = validate(moving_take(frames=frames, normals=normals).save(tmp_path / "a.glb"))
    issues = report["issues"]
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
    # Texture coordinates without a texture: the artist brings it.
    assert {m["code"] for m in issues["messages"]} <= {"UNUSED_OBJECT"}, issues["messages"]
    info = report["info"]
    assert info["hasMorphTargets"] == (frames > 1) and info["animationCount"] == (frames > 1)


def test_glb_with_obstacles_is_valid(validate, tmp_path):
    take = moving_take(frames=3, bodies=1)
    around = [pl.Sphere((0, 0, 0), 1.0), pl.HalfSpace((0, -1, 0), (0, 1, 0))]
    take.about["obstacles"] = [obstacle.facts() for obstacle in around]
    report = validate(take.save(tmp_path / "a.glb"))
    issues = report["issues"]
    assert (issues["numErrors"], issues["numWarnings"]) == (0, 0), issues["messages"]
    assert report["info"]["materialCount"] == 3


def test_validator_would_complain(validate, tmp_path):
    path = moving_take(bodies=1, normals=False).save(tmp_path / "a.glb")
    data = path.read_bytes()
    path.write_bytes(data.replace(b'"VEC3"', b'"VEC4"', 1))
    assert validate(path)["issues"]["numErrors"] > 0
