"""Haptic devices that fail; in a module, so that another process finds them."""

import ctypes
import sys
import threading
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


class Locked(Silent):
    """Its driver has one lock, so that it does not take a force either once it hangs."""

    lock = threading.Lock()

    def read(self):
        with self.lock:
            return super().read()

    def write(self, force):
        with self.lock:
            super().write(force)


class Holding(Silent):
    """Its driver holds the whole process when it hangs: no other thread of it goes on."""

    def read(self):
        if self.count == 20:
            if sys.platform == "win32":
                ctypes.PyDLL("kernel32").Sleep(60_000)
            else:
                ctypes.PyDLL(None).sleep(60)
        return super().read()
