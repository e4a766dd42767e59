"""Runs a bake in the Python that has pliant: `python runner` in the folder of the bake.

As `pliant run scene.toml -o cache.pc2 -o take.npz --progress json`, plus what a scene file cannot say:
the start as a surface (start.obj) and pins as vertices of the surface (pins.json).
"""

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from pins import pinned_points
from start import start_shape

from pliant.cli.failures import exit_code
from pliant.io import scene as scene_files
from pliant.mesh.surface import Surface


def main():
    """Read the folder, simulate, write the take."""
    threading.Thread(target=end_with_blender, daemon=True).start()
    say(doing="filling it with cells")
    setup = scene_files.read(Path("scene.toml")).build()
    (body,) = setup.scene.bodies
    rest, start = Surface.read("rest.obj"), Surface.read("start.obj")
    job = json.loads(Path("job.json").read_text(encoding="utf-8"))
    length = job["edge_length"]
    if (rest.points != start.points).any():
        say(doing="shaping its start")
        body.place(start_shape(body.mesh, rest, start, spacing=0.5 * length))
    if job["pinned"]:
        body.fix(pinned_points(body.mesh, rest, job["pinned"], spacing=0.5 * length))
    say(doing="preparing")
    began = time.perf_counter()

    def tell(done, total):
        left = (time.perf_counter() - began) * (total - done) / done
        say(frame=done, of=total, seconds_left=round(left, 1))

    take = setup.scene.run(
        seconds=setup.seconds,
        dt=setup.dt,
        fps=setup.fps,
        device=setup.device,
        stepper=setup.stepper,
        progress=tell,
    )
    for name in ("take.npz", "cache.pc2"):
        take.save(name)


def end_with_blender():
    """Our input closes when Blender is gone, however it went; then nobody waits for us."""
    sys.stdin.read()
    if os.name == "posix":
        os.killpg(0, signal.SIGKILL)  # the mesher too
    os._exit(1)


def say(**words):
    """One line for the add-on."""
    print(json.dumps(words), flush=True)


if __name__ == "__main__":
    try:
        main()
    except Exception as error:
        sys.exit(exit_code(error))  # a line for mistakes; what is nobody's mistake is raised again
