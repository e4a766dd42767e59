"""What the build adds to pyproject.toml: addresses of the repository in which a release is made."""

from __future__ import annotations

import os
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Addresses(MetadataHookInterface):
    """Project URLs from the environment of a GitHub workflow; elsewhere there are none to name."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the URLs to the metadata."""
        server, name = os.environ.get("GITHUB_SERVER_URL"), os.environ.get("GITHUB_REPOSITORY")
        home = f"{server}/{name}"
        metadata["urls"] = (
            {}
            if not (server and name)
            else {
                "Homepage": home,
                "Documentation": f"{home}/tree/main/docs",
                "Source": home,
                "Issues": f"{home}/issues",
                "Changelog": f"{home}/blob/main/CHANGELOG.md",
            }
        )
