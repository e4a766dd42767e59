"""matplotlib is an extra: all but pictures works without it, and pictures name the extra."""

import subprocess
import sys
from pathlib import Path

import pytest

import pliant

#: Stands for an environment that has no matplotlib; pyvista, which brings it, is not there either.
BLOCKED = 'import sys; sys.modules["matplotlib"] = sys.modules["pyvista"] = None\n'
STARTER = Path(pliant.__file__).parent / "cli" / "starter.toml"
CURE = "pip install 'pliant[plot]'"

EVERY_MODULE = """
import importlib, pkgutil, pliant
for found in pkgutil.walk_packages(pliant.__path__, "pliant."):
    if not found.name.endswith("__main__"):
        importlib.import_module(found.name)
for name in pliant.__all__:
    getattr(pliant, name)
"""

A_RUN = """
import pliant as pl
mesh = pl.meshes.box((2, 1, 1), (2, 1, 1))
body = pl.Body(mesh, pl.StableNeoHookean(young=1e5, poisson=0.3))
body.fix(mesh.points[:, 0] < 1e-9)
body.place(mesh.points * [1.1, 1, 1])
body.damping = pl.Settle(rest_in=0.5)
take = pl.Scene([body]).run(seconds=0.1, dt=0.05, progress=False)
for suffix in ("npz", "zarr", "glb", "html", "pc2", "obj"):
    take.save(f"a.{suffix}")
try:
    take.save("a.png")
except ModuleNotFoundError as error:
    print(error)
"""


def run(code, folder):
    call = [sys.executable, "-W", "error", "-c", BLOCKED + code]
    return subprocess.run(call, cwd=folder, capture_output=True, text=True)


def test_every_module_and_name_is_imported(tmp_path):
    done = run(EVERY_MODULE, tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_run_is_saved_and_a_picture_names_the_extra(tmp_path):
    done = run(A_RUN, tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"pictures need matplotlib, which is not installed: {CURE}\n"
    assert {p.suffix for p in tmp_path.iterdir()} >= {".npz", ".zarr", ".glb", ".html", ".pc2"}
    assert not list(tmp_path.glob("*.png"))


@pytest.mark.parametrize(
    "arguments", ["demo", "study young-2007", f"damping {STARTER}"], ids=lambda a: a.split()[0]
)
def test_commands_that_draw_stop_before_they_simulate(arguments, tmp_path):
    done = run(f"from pliant.cli import main; main({arguments.split()})", tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1 and CURE in done.stderr, done.stderr
