"""A haptic device that fails; in a module, so that another process finds it."""

import time

import numpy as np


class Silent:
    """A device that stops answering, and writes what it is told into a file."""

    def __init__(self, file):
        self.file, self.count = file, 0

    def read(self):
        self.count += 1
        if self.count > 20:
            time.sleep(60.0)
        return np.array([10.0 / 3.0, 0.95, 0.5])

    def write(self, force):
        with open(self.file, "a") as out:
            out.write(f"{force[1]}\n")
