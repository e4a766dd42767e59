"""The bake in the background: its modal operator with a stand-in for Blender's window, and cancel."""

import sys
import time
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parent))

import bpy
from addon import switch_off, switch_on, torus, traces


class Manager:
    """Without a window there are no timers; this one counts what is asked of it."""

    windows = ()

    def __init__(self):
        self.open, self.progress = 0, []

    def event_timer_add(self, _seconds, window):
        self.open += 1
        return self

    def event_timer_remove(self, timer):
        assert timer is self
        self.open -= 1

    def progress_begin(self, _low, _high):
        self.open += 1

    def progress_update(self, value):
        self.progress.append(value)

    def progress_end(self):
        self.open -= 1

    def modal_handler_add(self, _operator):
        pass


def operator():
    """The bake operator as Blender would make it."""
    from pliant_rest.bake import Bake

    said = []
    mine = SimpleNamespace(
        said=said, together=False, report=lambda kind, text: said.append([*kind, text])
    )
    for name in ("_fail", "_end", "_objects", "_warn_if_temporary"):
        setattr(mine, name, getattr(Bake, name).__get__(mine))
    mine.invoke = lambda context: Bake.invoke(mine, context, None)
    mine.modal = lambda context, kind: Bake.modal(mine, context, SimpleNamespace(type=kind))
    return mine


def words(child):
    """Frame, frames, and what the panel writes into its bar, at one moment: the child goes on."""
    from pliant_rest import panel

    said = []
    bar = SimpleNamespace(
        progress=lambda factor, text: said.append(text), operator=lambda *_, **__: 0
    )
    seen = {k: getattr(child, k) for k in ("doing", "frame", "of", "share", "seconds_left")}
    panel._progress(SimpleNamespace(row=lambda **_: bar), SimpleNamespace(**seen))
    return [seen["frame"], seen["of"], *said]


def work(given):
    switch_on(given["python"])
    obj = torus()
    from pliant_rest import work as works

    before = traces(obj)
    answer = {}

    # Cancelled while it runs.
    manager, bake = Manager(), operator()
    context = _context(manager)
    answer["invoked"] = list(bake.invoke(context))
    answer["mouse"] = list(bake.modal(context, "MOUSEMOVE"))
    answer["twice"] = bpy.ops.pliant.bake.poll()
    child = works.running(obj).child
    answer["doing"] = []
    while not child.frame and child.running:  # meshing first
        answer["doing"].append(child.doing)
        time.sleep(0.005)
        bake.modal(context, "TIMER")
    answer["pid"] = child.pid
    answer["progress"] = words(child)
    assert bpy.ops.pliant.cancel() == {"FINISHED"}
    answer["alive"] = child.running
    answer["cancelled"] = list(bake.modal(context, "TIMER"))
    answer["open"] = manager.open
    answer["unchanged"] = traces(obj) == before and works.running(obj) is None
    home = Path(bpy.app.tempdir) / "pliant"
    answer["left"] = [p.name for p in home.iterdir()]

    # Let go to its end.
    manager, bake = Manager(), operator()
    context = _context(manager)
    bake.invoke(context)
    while list(answer.setdefault("last", bake.modal(context, "TIMER"))) == ["PASS_THROUGH"]:
        answer.pop("last")
        time.sleep(0.05)
    answer["last"] = list(answer["last"])
    answer["steps"] = manager.progress
    answer["finished"] = [m.type for m in obj.modifiers]
    answer["said"] = bake.said

    # Switched off while a bake runs.
    bake = operator()
    bake.invoke(_context(Manager()))
    child = works.running(obj).child
    switch_off()
    answer["off"] = child.running
    return answer


def _context(manager):
    real = bpy.context
    return SimpleNamespace(
        object=real.object,
        scene=real.scene,
        window=manager,
        window_manager=manager,
        preferences=real.preferences,
        evaluated_depsgraph_get=real.evaluated_depsgraph_get,
    )
