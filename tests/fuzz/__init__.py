"""A fuzzer of pliant: broken scenes, meshes, takes, checkpoints, arguments and packets.

    make fuzz SECONDS=600 SEED=7                    until the time is over
    python -m tests.fuzz --seed 7 --case takes:123  one case again

A case is made from a family, a seed and a number,
and from nothing else. It runs in a worker process
that a watcher ends when it takes too long or too much memory. `verdict.py` says what is judged.
"""
