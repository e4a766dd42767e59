"""A bake under way."""

import shutil

import bpy

from . import job, preferences, python, result, shape
from .child import Child
from .failure import Failure

_under_way = {}  # by the object's number in this session
_found = []  # the Python that was found when none was chosen


class Work:
    """One object's bake: begun, asked about, and then finished or given up."""

    def __init__(self, context, obj):
        if running(obj):
            raise Failure(f"{obj.name} is being baked already")
        self._key, self._name = _key(obj), obj.name
        self._python = _python(context)
        gathered = shape.gather(context, obj)
        self._metres = gathered.metres
        self._folder = job.write(obj, context.scene, gathered)
        try:
            self.child = Child(command(self._python), self._folder)
        except OSError as error:
            self._leave()
            raise Failure(f"Cannot start {self._python}: {error.strerror}") from None
        self.given_up = False
        _under_way[self._key] = self

    def finish(self):
        """Put the result into the scene; Failure if there is none."""
        code, said = self.child.result()
        try:
            if code != 0:
                raise Failure(self._why(code, said))
            obj = self._object()
            result.place(obj, self._folder, self._metres)
            return obj
        finally:
            self._leave()

    def give_up(self):
        """Stop the child and leave the scene as it is."""
        self.given_up = True
        self.child.stop()
        self._leave()

    def _object(self):
        for obj in bpy.data.objects:
            if _key(obj) == self._key:
                return obj
        raise Failure(f"{self._name} is gone; its bake was dropped")

    def _why(self, code, said):
        last = said[-1].strip() if said else ""
        if "No module named" in last:
            python.examine(self._python)  # says what is missing and how to get it
        if not last.startswith("error: "):
            print("\n".join(said))  # nobody's mistake: the console has all of it
        return (
            last.removeprefix("error: ") or f"pliant ended with exit code {code} and said nothing"
        )

    def _leave(self):
        _under_way.pop(self._key, None)
        shutil.rmtree(self._folder, ignore_errors=True)


def command(path):
    """What is run in the folder of the bake, in the Python that has pliant."""
    run = [path, "-m", "pliant", "run", "scene.toml", "-o", "cache.pc2", "-o", "take.npz"]
    return [*run, "--overwrite", "--progress", "json", "--end-with-input"]


def running(obj):
    """The work on an object, or None."""
    return _under_way.get(_key(obj))


def stop_all():
    """Give up everything: Blender quits, or the add-on is switched off."""
    for work in list(_under_way.values()):
        work.give_up()


def _key(obj):
    """What an object keeps when it is renamed or an undo makes it anew."""
    return getattr(obj, "session_uid", obj.name_full)  # the number came with Blender 4


def _python(context):
    chosen = preferences.chosen(context).python
    if chosen:
        return bpy.path.abspath(chosen)
    if not _found:
        _found.append(python.find("")[0])
    return _found[0]
