"""What the pages make ready before the first visit; `pages.shared.server.warmup` runs it, and knows no page."""

from __future__ import annotations

import importlib
import importlib.util

from pages.shared.navigation import PAGES


def prepare() -> None:
    """Make the pictures of the demos, and import what each page shows."""
    from pages.start import demos  # slow: a server that starts does not wait for it

    list(demos.pictures())
    for entry in PAGES:
        if importlib.util.find_spec(f"{entry.folder}.view") is not None:
            importlib.import_module(f"{entry.folder}.view")
