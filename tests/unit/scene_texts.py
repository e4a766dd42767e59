"""Texts of scene files with one beam, and what they build."""

from pliant import scenefile as scene

BOX = "{ box = { size = [4, 1, 1], cells = [8, 2, 2] } }"
MATERIAL = "material = { young = 5e6, poisson = 0.4 }"


def text(*lines, mesh=BOX, run=""):
    body = "\n".join(lines)
    return f"[run]\n{run}\n[body.beam]\nmesh = {mesh}\n{MATERIAL}\n{body}\n"


def build(*lines, mesh=BOX, run="", folder=""):
    return scene.parse(text(*lines, mesh=mesh, run=run), folder=folder).build()


def body_of(*lines, mesh=BOX, folder=""):
    return build(*lines, mesh=mesh, folder=folder).bodies["beam"]
