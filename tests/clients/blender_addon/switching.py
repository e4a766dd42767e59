"""Switches the add-on on and off twice, and draws its panels onto a layout that checks every name."""

import sys
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parent))

import bpy
from addon import switch_off, switch_on, torus


class Layout:
    """Takes what a panel draws; refuses properties and operators that do not exist."""

    def __init__(self, drawn):
        self.drawn = drawn

    def prop(self, data, name, **_):
        assert name in data.bl_rna.properties, name
        self.drawn.append(name)

    def prop_search(self, data, name, where, which, **_):
        assert which in where.bl_rna.properties
        self.prop(data, name)

    def operator(self, name, **_):
        package, call = name.split(".")
        assert call in dir(getattr(bpy.ops, package)), name
        self.drawn.append(name)
        return SimpleNamespace()

    def label(self, text="", **_):
        self.drawn.append(text)

    def progress(self, factor, text):
        assert 0.0 <= factor <= 1.0
        self.drawn.append(text)

    def column(self, **_):
        return Layout(self.drawn)

    row = column


def work(given):
    answer = {"times": []}
    for _ in range(2):
        switch_on()
        here = [hasattr(bpy.types.Object, "pliant"), hasattr(bpy.types, "PHYSICS_PT_rest_on_cue")]
        switch_off()
        gone = [hasattr(bpy.types.Object, "pliant"), hasattr(bpy.types, "PHYSICS_PT_rest_on_cue")]
        answer["times"].append([here, gone])
    switch_on(given["python"])
    from pliant_rest import panel, preferences, timeline, work

    obj = torus()
    draw = lambda cls: _drawn(cls)  # noqa: E731
    answer["panel"] = draw(panel.RestOnCuePanel)
    answer["material"] = draw(panel.MaterialPanel)
    answer["output"] = draw(panel.OutputPanel)
    obj.pliant.bounces, obj.pliant.gravity = 0, True
    answer["falls"] = draw(panel.RestOnCuePanel)
    baking = work.Work(bpy.context, [obj])
    answer["baking"] = draw(panel.RestOnCuePanel)
    answer["timeline"] = [timeline.text_of(obj)]
    baking.give_up()
    answer["timeline"].append(timeline.text_of(obj))
    answer["notes"] = _notes(obj)
    answer["timeline"].append(timeline.text_of(obj))
    drawn = []
    mine = bpy.context.preferences.addons["pliant_rest"].preferences
    fake = SimpleNamespace(layout=Layout(drawn), found="", python="", bl_rna=mine.bl_rna)
    preferences.PliantPreferences.draw(fake, bpy.context)
    answer["preferences"] = drawn
    obj.pliant.young = 5e6
    answer["preset"] = obj.pliant.preset
    obj.pliant.young = 1234.0
    answer["own"] = obj.pliant.preset
    bpy.ops.object.camera_add()
    answer["camera"] = [panel.RestOnCuePanel.poll(bpy.context), bpy.ops.pliant.bake.poll()]
    return answer


def _notes(obj):
    """What the panel says of a scale, of too many bounces, and of a mesh that was edited since."""
    from pliant_rest import notes

    wish = obj.pliant
    obj.scale = (1, 2, 1)
    wish.rest, wish.bounces = wish.release + 1, 12
    wish.baked, wish.count = "CACHE", 5
    bpy.context.view_layer.update()
    return notes.of(bpy.context, obj)


def _drawn(cls):
    drawn = []
    cls.draw(SimpleNamespace(layout=Layout(drawn)), bpy.context)
    return drawn
