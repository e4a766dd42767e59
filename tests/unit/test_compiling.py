"""What a first run on a fresh machine says, and what it compiles."""

import logging
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import pliant
from pliant.backend.compiling import Compilation

COMPILED = "Module m 0123abc load on device 'cpu' took 812.30 ms  (compiled)"
CACHED = "Module m 0123abc load on device 'cpu' took 1.30 ms  (cached)"

RUN = """
import pliant as pl
mesh = pl.meshes.rectangle((4, 1), {cells})
body = pl.Body(mesh, pl.StableNeoHookean(young=5e6, poisson=0.4), damping=pl.Settle(rest_in=1.0))
body.fix(mesh.points[:, 0] < 1e-9)
{call}
"""
SCENE = "pl.Scene([body], gravity=(0, -9.81)).run(seconds=0.1)"


def run(cache, *, cells=(8, 2), call=SCENE):
    """Run a scene in a process of its own; what it wrote to stderr, a pipe, in lines."""
    source = str(Path(pliant.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source, "WARP_CACHE_PATH": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", RUN.format(cells=cells, call=call)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        timeout=300,
    )
    return done.stderr.splitlines()


def modules(cache):
    """The names of the modules in the cache."""
    return sorted(p.name for p in Path(cache).rglob("wp_*") if p.is_dir())


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A first run of a small body: the cache it left, and what it said."""
    cache = tmp_path_factory.mktemp("small")
    return cache, run(cache)


def test_a_first_run_says_that_it_compiles_and_how_long_it_took(small):
    cache, lines = small
    assert len(lines) == 2, lines
    assert str(cache) in lines[0] and "compiles its kernels" in lines[0]
    told = re.fullmatch(r"pliant compiled its kernels in ([\d.]+) s \(modules: (\d+)\)", lines[1])
    assert told and float(told[1]) > 0.0
    assert int(told[2]) == len(modules(cache))


def test_a_second_run_says_nothing(small):
    cache, _ = small
    before = modules(cache)
    assert run(cache) == []
    assert modules(cache) == before


def test_every_entry_speaks_and_other_kernels_are_told_of_too(small):
    cache, _ = small
    # Another material: not a fresh machine any more, so Warp's own message is the first sign.
    other = "body = pl.Body(mesh, pl.Linear(young=5e6, poisson=0.4)); body.fix([0, 9, 18])\n"
    lines = run(cache, call=other + "body.rest_shape((0, -9.81))")
    assert [line.split(" kernels")[0] for line in lines] == [
        "pliant compiles its",
        "pliant compiled its",
    ]
    assert run(cache, call=other + "pl.Scene([body], gravity=(0, -9.81)).equilibrium()") == []


def test_the_log_silences_it(tmp_path):
    silence = "import logging; logging.getLogger('pliant').setLevel(logging.ERROR)\n"
    assert run(tmp_path, call=silence + "body.system().assembly.value(mesh.points)") == []
    assert len(modules(tmp_path)) == 1


def test_small_bodies_compile_nothing_of_the_multigrid(small):
    cache, _ = small
    foreign = re.compile("pliant_|coarse|diagonal|close|spread|warp.utils|vector_kernels")
    assert [name for name in modules(cache) if foreign.search(name)] == []


def test_large_bodies_compile_only_what_their_cycle_uses(tmp_path):
    run(tmp_path, cells=(50, 16))  # 1700 unknowns
    names = modules(tmp_path)
    assert sum("pliant_cycle" in name for name in names) == 1
    # The projected Hessian waits for negative curvature, casts for a second precision.
    # One is the material's, one that of strain inertia.
    assert sum("cell_hessians" in name for name in names) == 2
    foreign = re.compile("spread|warp.utils|vector_kernels|inversion")
    assert [name for name in names if foreign.search(name)] == []


def test_compilations_are_counted_until_they_are_told(caplog):
    compilation = Compilation()
    with caplog.at_level(logging.WARNING, logger="pliant"):
        assert not compilation.hear(CACHED)
        compilation.over()
        assert not caplog.messages
        assert compilation.hear(COMPILED) and compilation.hear(COMPILED)
        compilation.over()
        compilation.over()
        assert compilation.hear(COMPILED)
        compilation.over()
    assert [m.split(" kernels")[0] for m in caplog.messages] == [
        "pliant compiles its",
        "pliant compiled its",
        "pliant compiled more",
    ]
    assert "1.6 s (modules: 2)" in caplog.messages[1]
