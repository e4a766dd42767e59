"""Materials of a take in USD: how bodies look, and what they are made of."""

from __future__ import annotations

import re
from typing import Any

from pxr import Gf, Sdf, Usd, UsdShade

from pliant.take import Take

from .colours import body_colour, linear_rgb

#: Of what pages and films draw.
_ROUGHNESS = 0.6


def facts_of(take: Take, number: int) -> dict[str, Any]:
    """What the run said of a body: its material in words, density and more; empty if nothing."""
    known = take.about.get("bodies", ())
    found = known[number] if isinstance(known, list) and number < len(known) else {}
    return found if isinstance(found, dict) else {}


def constants(facts: dict[str, Any]) -> dict[str, float]:
    """The numbers of a material as a run told it: young of StableNeoHookean(young=1e6)."""
    found = {k: float(v) for k, v in facts.items() if isinstance(v, (int, float))}
    words = str(facts.get("material", ""))
    number = r"(\w+)=([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?=[,)])"
    return found | {name: float(value) for name, value in re.findall(number, words)}


def add_look(stage: Usd.Stage, prim: Any, number: int) -> UsdShade.Material:
    """Give the prim of a body the material that films and pages draw, inside it."""
    material = UsdShade.Material.Define(stage, prim.GetPath().AppendChild("look"))
    shader = UsdShade.Shader.Define(stage, material.GetPath().AppendChild("surface"))
    shader.CreateIdAttr("UsdPreviewSurface")
    colour = Gf.Vec3f(*map(float, linear_rgb(body_colour(number))))
    kinds = Sdf.ValueTypeNames
    shader.CreateInput("diffuseColor", kinds.Color3f).Set(colour)
    shader.CreateInput("roughness", kinds.Float).Set(_ROUGHNESS)
    shader.CreateInput("metallic", kinds.Float).Set(0.0)
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    UsdShade.MaterialBindingAPI.Apply(prim.GetPrim()).Bind(material)
    prim.CreateDisplayColorAttr([colour])
    return material


def tell_matter(material: UsdShade.Material, facts: dict[str, Any]) -> None:
    """Write what a body is made of beside its look, as properties that Blender and others show."""
    prim = material.GetPrim()
    if isinstance(facts.get("material"), str):
        kind = prim.CreateAttribute("userProperties:material", Sdf.ValueTypeNames.String)
        kind.Set(facts["material"])
    for name, value in constants(facts).items():
        prim.CreateAttribute(f"userProperties:{name}", Sdf.ValueTypeNames.Double).Set(value)
