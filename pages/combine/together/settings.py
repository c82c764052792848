"""What can be set on the page Complete together."""

from __future__ import annotations

from typing import Final

from pages.shared.declared.settings import declared, in_view, of_data, setting
from pages.shared.panels import linked

TABS: Final = "together.tab"
SETTINGS: Final = declared(
    *in_view(
        of_data("kernels", "Kernels"), setting("many_way", "Complete by"),
        of_data("trust_of", "Trust of kernel"), of_data("completed", "Completed kernel"),
        setting("ways_seed", "Seed of the ways"), *linked.SETTINGS, setting("tab", "Part of the page"),
    ),
    of_data("drawn", "Kernels that are drawn"),
)  # fmt: skip
