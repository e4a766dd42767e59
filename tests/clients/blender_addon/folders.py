"""Where bakes of objects with odd names go."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import bpy
from addon import switch_on


def work(given):
    switch_on()
    from pliant_rest import job

    bpy.ops.mesh.primitive_cube_add()
    obj, places = bpy.context.object, {}
    temporary = Path(bpy.app.tempdir)
    for name in given["names"]:
        obj.name = name
        places[name] = [str(job.home(obj))]
    bpy.ops.wm.save_as_mainfile(filepath=given["blend"])
    for name in given["names"]:
        obj.name = name
        places[name].append(str(job.home(obj)))

    # A bake of an object that is called ".." takes the place of its own last one, of nothing else.
    obj.name = ".."
    for _ in range(2):
        folder = job.home(obj).parent / "new"
        folder.mkdir(parents=True)
        (folder / "cache.pc2").write_text("baked")
        job.keep(folder, job.home(obj))
    return {
        "places": places,
        "temporary": str(temporary / "pliant"),
        "private": [
            temporary.stat().st_mode & 0o777,
            Path(job._own_folder()).stat().st_mode & 0o777,
        ],
    }
