"""Adding a material, a damping or a body touches two files, and everything finds it.

The package is copied, a file is written into the copy and export lines are added; a process of its own
then looks for the new class in all places.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pliant as pl

SOURCE = Path(pl.__file__).parent
ROOT = Path(__file__).parents[2]

MATERIAL = """
from typing import Annotated
from pliant.declared import Quantity, accept
from pliant.materials.base import Lame, Poisson, Young
from pliant.materials.linear import Linear

class Felt(Linear):
    \"\"\"Felt: pressed wool.\"\"\"

    def __init__(
        self,
        *,
        young: Young = None,
        poisson: Poisson = None,
        nap: Annotated[float, Quantity("height of its nap", "m", above=0.0, example=2e-3)] = 1e-3,
        lame: Lame = None,
    ):
        super().__init__(young=young, poisson=poisson, lame=lame)
        (self.nap,) = accept(self, nap=nap)
"""
DAMPING = """
from typing import Annotated
from pliant.declared import Quantity, accept
from pliant.problem import Damping, Dissipation

class Syrup(Damping):
    \"\"\"Drag in proportion to mass.\"\"\"

    def __init__(
        self, *, thick: Annotated[float, Quantity("drag over mass", "1/s", at_least=0.0, example=3.0)]
    ):
        (self.thick,) = accept(self, thick=thick)

    def dissipation(self, context):
        return Dissipation(drag=self.thick)
"""
BODY = """
from typing import Annotated
from pliant.bodies.cloth.cloth import Cloth
from pliant.declared import Quantity, accept

class Net(Cloth):
    \"\"\"A net: cloth of one stiffness.\"\"\"

    word = "net"

    def __init__(
        self,
        mesh,
        *,
        pull: Annotated[float, Quantity("stiffness of its threads", "N/m", above=0.0, example=300.0)],
        density: Annotated[float, Quantity("mass per area", "kg/m^2", above=0.0)] = 0.2,
        damping=None,
        name="net",
    ):
        (pull,) = accept(self, pull=pull)
        super().__init__(
            mesh, stretch=pull, shear=pull, bend=1e-4, density=density, damping=damping, name=name
        )
"""
LOOK = """
import json, sys
sys.path[:0] = [{root!r}, {hooks!r}]
import pliant as pl
import declared
from pliant import scenefile as scene
from pliant.lab.candidates import candidates
from pliant.lab.wish import Wish
from tests.laws.materials import CLASSES
from tests.laws.test_damping_laws import ALL
from tests.unit.every_body import BODIES

cls = pl.{name}
print(cls.__name__ in pl.__all__)
body = scene.parse({text!r}).build().scene.bodies[0]
print(cls in (type(body), type(body.damping), type(getattr(body, "material", None))))
print("{name}Table" in json.loads(scene.json_schema())["$defs"])
rows = declared.table({sort!r})
print({row!r} in rows, {row!r} in rows or rows)
laws = [*CLASSES, *(type(make()) for make in ALL), *(type(make()) for make in BODIES.values())]
print(cls in laws)
print({sort!r} != "dampings" or {name!r} in [c.name for c in candidates([Wish(1.0)])])
"""
BOX = "mesh = { box = { size = [1, 1, 1], cells = [1, 1, 1] } }"
SHEET = 'mesh = { rectangle = { size = [1, 1], cells = [2, 2] }, plane = "xz" }'
NEW = {
    "Felt": (
        "materials",
        ("materials/felt.py", MATERIAL),
        {
            "materials/__init__.py": [
                ("\nif not TYPE", "from .felt import Felt as Felt\n\nif not TYPE")
            ]
        },
        f'[body.a]\n{BOX}\nmaterial = {{ model = "Felt", young = 1e5, nap = 3e-3 }}',
        "| `Felt` | Felt: pressed wool. | `young`: ",
    ),
    "Syrup": (
        "dampings",
        ("control/syrup.py", DAMPING),
        {
            "control/__init__.py": [
                ("\nif not TYPE", "from .syrup import Syrup as Syrup\n\nif not TYPE")
            ]
        },
        f"[body.a]\n{BOX}\nmaterial = {{ young = 1e5 }}\n"
        'damping = { model = "Syrup", thick = 2 }',
        "| `Syrup` | Drag in proportion to mass. | `thick`: drag over mass [1/s] |",
    ),
    "Net": (
        "bodies",
        ("bodies/net.py", BODY),
        {
            "bodies/__init__.py": [
                ('    "Snake": "snake",', '    "Snake": "snake",\n    "Net": "net",')
            ]
        },
        f"[body.a]\n{SHEET}\nnet = {{ pull = 100 }}",
        "| `net` | A net: cloth of one stiffness. | triangles in space | `pull`: ",
    ),
}


@pytest.mark.parametrize("name", NEW)
def test_two_files_are_touched_and_all_places_know_it(tmp_path: Path, name: str) -> None:
    sort, (path, text), changes, file, row = NEW[name]
    copy = tmp_path / "pliant"
    shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    (copy / path).write_text(text, encoding="utf-8")
    assert len(changes) == 1
    for changed, lines in changes.items():
        whole = (copy / changed).read_text(encoding="utf-8")
        for old, new in lines:
            assert whole.count(old) == 1
            whole = whole.replace(old, new)
        (copy / changed).write_text(whole, encoding="utf-8")
    hooks = str(ROOT / "docs" / "hooks")
    code = LOOK.format(name=name, text=file, sort=sort, row=row, root=str(ROOT), hooks=hooks)
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        cwd=tmp_path,
    )
    assert ran.stdout.splitlines() == ["True", "True", "True", "True True", "True", "True"], (
        ran.stdout + ran.stderr
    )
