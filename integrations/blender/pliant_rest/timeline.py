"""What the header of the timeline says of the active object: its wish, or how far its bake is."""

from .work import running


def text_of(obj):
    """One line, or nothing."""
    if obj is None or not (running(obj) or obj.pliant.baked):
        return ""
    work = running(obj)
    if work is not None:
        return f"{obj.name}: {work.child.doing or f'{100 * work.child.share:.0f}% baked'}"
    return f"{obj.name}: released at {obj.pliant.release}, rests at {obj.pliant.rest}"


def draw(header, context):
    """Draw it, behind what Blender draws."""
    text = text_of(context.object)
    if text:
        header.layout.label(text=text, icon="PHYSICS")
