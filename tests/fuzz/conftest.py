"""One process that is ready to run commands, for all tests that end them by force."""

import sys

import pytest

from .nursery import Nursery

if sys.platform != "linux":  # limits, forks and /proc
    collect_ignore = ["test_fuzz.py", "test_harness.py", "test_kills.py", "test_troubles.py"]


@pytest.fixture(scope="session")
def nursery():
    with Nursery() as made:
        yield made
