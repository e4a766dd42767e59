"""What pliant says, in the words of Blender."""

import re


def of_blender(said, gathered):
    """A sentence about frames, settings and objects for what pliant has said of a scene."""
    for pattern, sentence in SENTENCES:
        found = re.search(pattern, said)
        if found:
            return _named(sentence.format(*found.groups()), gathered)
    return _named(said, gathered)


def _named(said, gathered):
    """Names of bodies as those of their objects, without the file that was written."""
    said = re.sub(r"^\S*scene\.toml:\d+: ", "", said)
    for name, shape in zip(gathered.names, gathered.shapes, strict=True):
        said = re.sub(rf"\bbody\.{re.escape(name)}\b\.?", f"{shape.obj.name}: ", said)
    return re.sub(r":\s*:", ":", said).strip()


SENTENCES = (
    (
        r"(\S+) bounces in rest_in=(\S+) s cannot be drawn.*longest admissible step is dt=(\S+) s",
        "{0} bounces in {1} s are too many: each has only a few steps. Ask for fewer Bounces, or let it "
        "rest later",
    ),
    (
        r"longest admissible step",
        "The bounces are too short to be drawn: ask for fewer Bounces, or let it rest later",
    ),
    (
        r"equilibrium is unstable",
        "Where it would rest it is about to buckle or to fall, so it has no time to rest: pin more of "
        "it, make it stiffer, or lower Motion pulls",
    ),
    (
        r"finds no rest",
        "It finds no shape to rest in: pin more of it, make it stiffer, or switch Gravity off",
    ),
    (
        r"holds every point",
        "The pins hold all cells: make Cell size smaller, or pin fewer vertices",
    ),
    (
        r"leads every point",
        "The pins lead all cells: make Cell size smaller, or pin fewer vertices",
    ),
)
