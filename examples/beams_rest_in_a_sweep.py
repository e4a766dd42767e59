"""Nine beams, one scene: three stiffnesses, each at rest after 0.3, 0.6 and 0.9 s, as a filmstrip.

`pl.Sweep` runs all variants of a scene file. Takes stay in the folder `out/beams.sweep`: run this twice,
and the second time nothing is computed. `pliant sweep beam.toml --set ...` does the same in a shell.
"""

from pathlib import Path

import pliant as pl

OUT = Path("out")
SCENE = """
[run]
seconds = 1.0
fps = 20
gravity = [0, -9.81, 0]

[body.beam]
mesh = { box = { size = [4, 1, 1], cells = [8, 2, 2] } }
material = { young = 2e6, poisson = 0.35 }
fix = "x < 0.01"
settle = { rest_in = 1.0 }
"""

OUT.mkdir(exist_ok=True)
(OUT / "beam.toml").write_text(SCENE, encoding="utf-8")
sweep = pl.Sweep(
    OUT / "beam.toml",
    {"body.settle.rest_in": [0.3, 0.6, 0.9], "body.material.young": [1e6, 2e6, 5e6]},
    folder=OUT / "beams.sweep",
)
for result in sweep.run(workers=0):  # in this process; without it on all cores
    print(f"{result.variant.name}: at rest after {result.outcome.measured['rest']:.3f} s")
sweep.draw([OUT / "beams_rest_in_a_sweep.png"])
