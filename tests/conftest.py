"""Beside every test: pytest then puts the repository on the path, for `from tests.moving import`."""
