"""What objects are made of: presets of things one knows, and the lines of a scene file."""

from dataclasses import dataclass, field

from .failure import Failure


@dataclass(frozen=True)
class Preset:
    """A name, a sentence, and the settings that it chooses."""

    name: str
    about: str
    values: dict = field(default_factory=dict)


def _cloth(stretch, shear, bend, weight):
    return {"stretch": stretch, "shear": shear, "bend": bend, "weight": weight}


PRESETS = {
    "JELLY": Preset("Jelly", "5 kPa: wobbles and sags a lot", {"young": 5e3}),
    "SPONGE": Preset("Sponge", "50 kPa: foam, soft tissue", {"young": 5e4}),
    "SILICONE": Preset("Soft silicone", "0.5 MPa", {"young": 5e5}),
    "RUBBER": Preset("Rubber", "5 MPa: an eraser, a tyre", {"young": 5e6}),
    "LEATHER": Preset(
        "Leather",
        "50 MPa, 2 mm thick as a sheet",
        {"young": 5e7, "poisson": 0.35, "density": 900.0, "thickness": 0.002},
    ),
    "PLASTIC": Preset("Soft plastic", "100 MPa: a cutting board", {"young": 1e8}),
    "WIRE": Preset(
        "Steel wire",
        "200 GPa, 2 mm thick as a curve",
        {"young": 2e11, "poisson": 0.3, "density": 7800.0, "thickness": 0.002},
    ),
    "SILK": Preset("Silk", "0.1 kg/m², falls in fine folds", _cloth(1500.0, 50.0, 5e-6, 0.1)),
    "COTTON": Preset("Cotton", "0.2 kg/m², falls in wide folds", _cloth(3000.0, 300.0, 5e-5, 0.2)),
}
#: A value typed by hand is nobody's preset, if it is no preset's.
OWN = "OWN"
#: An open surface of these is cloth, of others a shell.
WOVEN = ("SILK", "COTTON")


def items():
    """For an EnumProperty."""
    known = [(key, preset.name, preset.about) for key, preset in PRESETS.items()]
    return [*known, (OWN, "Own value", "The values given below")]


_choosing = set()  # what is being changed by a preset, not by hand


def choose(settings, _context):
    """Take the values of the preset that was chosen."""
    preset = PRESETS.get(settings.preset)
    whose = settings.as_pointer()
    if preset is None or whose in _choosing:
        return
    _choosing.add(whose)
    try:
        for name, value in preset.values.items():
            if abs(getattr(settings, name) / value - 1) > 1e-6:
                setattr(settings, name, value)
    finally:
        _choosing.discard(whose)


def keep(settings, _context):
    """Name the preset whose values are given, or none."""
    if settings.as_pointer() in _choosing or fits(settings, settings.preset):
        return
    if settings.preset in WOVEN:  # of values of its own, but cloth still
        if settings.kind == "AUTO":
            settings.kind = "CLOTH"
        settings.preset = OWN
        return
    found = [key for key in PRESETS if key not in WOVEN and fits(settings, key)]
    wanted = found[0] if found else OWN
    if settings.preset != wanted:
        settings.preset = wanted


def fits(settings, key):
    """Whether the settings have the values of a preset."""
    values = PRESETS[key].values if key in PRESETS else {}
    return bool(values) and all(abs(getattr(settings, k) / v - 1) < 1e-6 for k, v in values.items())


def lines(wish, kind, unit):
    """What a body of this kind is made of, as a table of a scene file by the name of its field."""
    thickness = wish.thickness * unit
    elastic = {"young": wish.young, "poisson": wish.poisson}
    if kind in ("SHELL", "ROD") and thickness <= 0.0:
        raise Failure("Thickness is 0; give sheets and curves a thickness, in Material")
    if kind == "CLOTH":
        woven = {"stretch": wish.stretch, "shear": wish.shear, "bend": wish.bend}
        return {"cloth": woven | {"density": wish.weight}}
    if kind == "SHELL":
        return {"shell": elastic | {"density": wish.density, "thickness": thickness}}
    if kind == "ROD":
        return {"rod": elastic | {"density": wish.density, "radius": 0.5 * thickness}}
    return {"material": {"model": "StableNeoHookean"} | elastic, "density": wish.density}
