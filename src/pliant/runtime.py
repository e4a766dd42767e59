"""`pliant.backend.runtime` under its old name."""

from pliant.backend import check_device, cores, one_thread, start

__all__ = ["check_device", "cores", "one_thread", "start"]
