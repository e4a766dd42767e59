"""The rooms of the house: a package imports only from packages above it (docs/architecture.md)."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pliant

SOURCE = Path(pliant.__file__).parent

#: From top to bottom; rooms of one row are neighbours and may import each other.
ORDER = [
    ["errors"],
    ["given"],
    ["resources"],
    ["declared"],
    ["backend"],
    ["mesh"],
    ["solvers"],
    ["elements"],
    ["materials"],
    ["conditions", "forms"],
    ["energies"],
    ["contact"],
    ["problem"],
    ["control"],
    ["reduced"],
    ["compliance"],
    ["step"],
    ["boundary"],
    ["bodies"],
    ["touch"],
    ["haptics"],
    ["take"],
    ["scene"],
    ["shape"],
    ["kinds"],
    ["io"],
    ["scenefile"],
    ["many"],
    ["responses"],
    ["lab"],
    ["view"],
    ["cli"],
    ["moved"],
]
LEVEL = {room: level for level, rooms in enumerate(ORDER) for room in rooms}

#: (file, room): imports against the order, each with its reason.
ALLOWED = {
    ("bodies/solid/body.py", "io"): "from_cache looks the format up when called, not before",
    ("take/take.py", "io"): "take.save and take.show look the format up when called, not before",
    ("scene/scene.py", "io"): "run(into=...) looks the format up when called, not before",
    ("mesh/mesh.py", "io"): "a mesh shows itself in a notebook, which asks it to",
}


def files():
    return sorted(SOURCE.rglob("*.py"))


def room_of(path):
    """The room a file of the package is in."""
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def imported_rooms(path):
    """Every room a file imports from: at the top, lazily, or for type checking only."""
    package = ("pliant", *path.relative_to(SOURCE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            for name in node.names:
                parts = name.name.split(".")
                if parts[0] == "pliant" and len(parts) > 1:
                    yield parts[1], node.lineno
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            parts = (*base, *(node.module or "").split(".")) if node.module else base
            if not parts or parts[0] != "pliant":
                continue
            if len(parts) > 1:
                yield parts[1], node.lineno
            else:  # from pliant import io, or from . import measure
                for name in node.names:
                    if name.name in LEVEL:
                        yield name.name, node.lineno


def test_every_room_has_its_place():
    rooms = {room_of(p) for p in files()} - {"__init__", "__main__"}
    assert rooms <= set(LEVEL), f"add {rooms - set(LEVEL)} to ORDER and docs/architecture.md"


def test_the_page_shows_this_order():
    page = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf-8")
    under = page.split("## Rooms", 1)[1].split("\n## ", 1)[0]
    rows = [line.split("|")[1] for line in under.splitlines() if line.startswith("| `")]
    built = {room_of(p) for p in files()}
    there = [[room for room in row if room in built] for row in ORDER]
    assert [re.findall("`(.+?)`", row) for row in rows] == [row for row in there if row]


@pytest.mark.parametrize("path", files(), ids=lambda p: str(p.relative_to(SOURCE)))
def test_imports_come_from_above(path):
    room = room_of(path)
    if room in ("__init__", "__main__"):
        return  # the curated front door imports everything
    for other, line in imported_rooms(path):
        allowed = (str(path.relative_to(SOURCE)), other) in ALLOWED
        assert other in LEVEL, f"{path}:{line} imports pliant.{other}, which has no place in ORDER"
        assert LEVEL[other] <= LEVEL[room] or allowed, (
            f"{path}:{line}: {room} imports {other}, which is below it. Move the code up, or name "
            "the reason in ALLOWED"
        )


def test_packages_are_entered_by_their_doors():
    """What others import of a package is what its `__init__` offers; so is a package inside of one."""
    past = [
        f"{path.relative_to(SOURCE)}:{line}: {'.'.join(parts)}"
        for path in files()
        for parts, line in modules_imported(path)
        if parts[1] != room_of(path) and room_of(path) != "__init__" and not is_door(parts)
    ]
    assert not past, "\n".join(past)


def is_door(parts):
    """Whether a dotted name is a package, or a module beside the packages."""
    place = SOURCE.joinpath(*parts[1:])
    return len(parts) == 2 or (place / "__init__.py").exists()


def modules_imported(path):
    """The modules of pliant that a file takes names from, as the parts of their dotted names."""
    package = ("pliant", *path.relative_to(SOURCE).parent.parts)
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found = [name.name.split(".") for name in node.names]
        elif isinstance(node, ast.ImportFrom) and (node.module or node.level):
            base = package[: len(package) - node.level + 1] if node.level else ()
            found = [[*base, *(node.module or "").split(".")]] if node.module else []
        else:
            continue
        yield from ((p, node.lineno) for p in found if p[0] == "pliant" and len(p) > 1)


def test_no_two_rooms_import_each_other():
    """Neither directly nor by a round, at the top, lazily or for types."""
    near = {}
    for path in files():
        room = room_of(path)
        if room in LEVEL:
            near.setdefault(room, set()).update(
                other
                for other, _ in imported_rooms(path)
                if other != room and (str(path.relative_to(SOURCE)), other) not in ALLOWED
            )

    def reached(room, seen):
        for other in near.get(room, ()):
            if other not in seen:
                seen.add(other)
                reached(other, seen)
        return seen

    rounds = sorted(room for room in near if room in reached(room, set()))
    assert not rounds, f"{rounds} are in a round of imports"


def test_exceptions_are_all_needed():
    found = {
        (str(p.relative_to(SOURCE)), other)
        for p in files()
        if room_of(p) in LEVEL
        for other, _ in imported_rooms(p)
        if LEVEL.get(other, 0) > LEVEL[room_of(p)]
    }
    assert found >= set(ALLOWED), f"take {set(ALLOWED) - found} out of ALLOWED"


def test_solvers_know_nothing_of_physics():
    for path in (SOURCE / "solvers").rglob("*.py"):
        assert {room for room, _ in imported_rooms(path)} <= {"solvers", "backend"}


@pytest.mark.parametrize("room", ["solvers", "energies", "contact", "problem", "control", "step"])
def test_only_the_backend_asks_where_an_array_lives(room):
    """Others have a `Space`, and are written once."""
    questions = re.compile(r"isinstance\([^)]*np\.ndarray|\.is_cuda")
    for path in (SOURCE / room).rglob("*.py"):
        assert not questions.search(path.read_text()), path


def test_import_loads_nothing_heavy():
    """Writers, pictures and the command line are loaded by those who use them."""
    heavy = ("meshio", "matplotlib", "pyvista", "rich", "typer", "pyamg", "pliant.cli", "pliant.io")
    code = f"import sys, pliant; print([m for m in {heavy!r} if m in sys.modules])"
    environment = os.environ | {"PYTHONPATH": str(SOURCE.parent)}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout.strip() == "[]"
