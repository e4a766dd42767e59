"""A bake under way."""

import shutil

import bpy

from . import gather, job, landing, preferences, python, result, scene_file, words
from .child import Child
from .failure import Failure

_under_way = {}  # by the object's number in this session
_found = []  # the Python that was found when none was chosen


class Work:
    """One bake of one object or of several together: begun, asked about, then finished or given up."""

    def __init__(self, context, objs):
        busy = [obj.name for obj in objs if running(obj)]
        if busy:
            raise Failure(f"{', '.join(busy)} is being baked already")
        self._keys, self._names = [_key(obj) for obj in objs], [obj.name for obj in objs]
        self._python = _python(context)
        self._gathered = gather.gather(context, objs)
        self._target = job.home(objs[0])
        self._folder = job.write(self._gathered, self._target)
        self._landed = False
        self.given_up = False
        self._start()
        _under_way.update((key, self) for key in self._keys)

    def go_on(self):
        """Whether it is under way still; what lands is run a second time, when it is known when."""
        if self.child.running:
            return True
        if self.given_up or self._landed or self.child.failed:
            return False
        shortened = landing.shortened(self._gathered, self._folder)
        if not shortened:
            return False
        self._landed = True
        text = scene_file.text(self._gathered, shortened)
        (self._folder / "scene.toml").write_text(text, encoding="utf-8")
        self.child.result()
        self._start()
        return True

    def wait(self):
        """Block until it has ended."""
        self.child.wait()
        while self.go_on():
            self.child.wait()

    def finish(self):
        """Put the result into the scene; Failure if there is none."""
        code, said = self.child.result()
        try:
            if code != 0:
                raise Failure(self._why(code, said))
            objs = [
                self._object(key, name) for key, name in zip(self._keys, self._names, strict=True)
            ]
            result.place(objs, self._gathered, self._folder, self._target)
            return objs
        finally:
            self._leave()

    def give_up(self):
        """Stop the child and leave the scene as it is."""
        self.given_up = True
        self.child.stop()
        self._leave()

    def _start(self):
        try:
            self.child = Child(command(self._python, self._gathered), self._folder)
        except OSError as error:
            self._leave()
            raise Failure(f"Cannot start {self._python}: {error.strerror}") from None

    def _object(self, key, name):
        for obj in bpy.data.objects:
            if _key(obj) == key:
                return obj
        raise Failure(f"{name} is gone; its bake was dropped")

    def _why(self, code, said):
        last = said[-1].strip() if said else ""
        if "No module named" in last:
            python.examine(self._python)  # says what is missing and how to get it
        if not last.startswith("error: "):
            print("\n".join(said))  # nobody's mistake: the console has all of it
        told = last.removeprefix("error: ")
        return words.of_blender(told, self._gathered) or (
            f"pliant ended with exit code {code} and said nothing"
        )

    def _leave(self):
        for key in self._keys:
            _under_way.pop(key, None)
        shutil.rmtree(self._folder, ignore_errors=True)


def command(path, gathered):
    """What is run in the folder of the bake, in the Python that has pliant."""
    run = [path, "-m", "pliant", "run", "scene.toml", "-o", "take.npz"]
    if any(shape.kind != "ROD" for shape in gathered.shapes):
        run += ["-o", "cache.pc2"]
    return [*run, "--overwrite", "--progress", "json", "--end-with-input"]


def running(obj):
    """The work on an object, or None."""
    return _under_way.get(_key(obj))


def stop_all():
    """Give up everything: Blender quits, or the add-on is switched off."""
    for work in set(_under_way.values()):
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
