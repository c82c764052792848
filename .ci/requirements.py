"""What the wheel requires: the lines of requirements.txt, read when it is built."""

from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Requirements(MetadataHookInterface):
    """Found by Hatchling, as the only class of its kind in this file."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add them."""
        lines = Path(self.root, "requirements.txt").read_text("utf-8").splitlines()
        metadata["dependencies"] = [line for line in lines if line and not line.startswith("#")]
