"""What holds for all unit tests."""

import pytest


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory, monkeypatch):
    """One cache for the whole session, so that a surface is filled once; never the user's."""
    monkeypatch.setenv("PLIANT_CACHE", str(tmp_path_factory.getbasetemp() / "kept meshes"))
