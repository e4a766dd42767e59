"""One process that is ready to run commands, for all tests that end them by force."""

import pytest

from .nursery import Nursery


@pytest.fixture(scope="session")
def nursery():
    with Nursery() as made:
        yield made
