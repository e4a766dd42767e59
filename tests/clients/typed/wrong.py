"""Mistakes that a type checker must find: one in each line that ends in a comment."""

import pliant as pl

mesh = pl.meshes.box(size=(4, 1, 1), cells="many")  # arg-type
damping = pl.Settle(rest_in="soon")  # arg-type
body = pl.Body(mesh, 5e6)  # arg-type
take = pl.Scene([body]).run(seconds=2.0, steps=4)  # call-arg
name: int = take.rest_time()  # assignment
pl.Solid(mesh)  # attr-defined
