"""What can be set on the page Graphs."""

from __future__ import annotations

from typing import Final

from pages.graphs import gallery, kernel, pair, table
from pages.shared.declared.settings import declared, in_view, of_data, setting
from pages.shared.one_kernel.look import IN_FULL
from pages.shared.panels.inspection.conditioning import conditioned_by

TAB: Final = "graphs_tab"
PREFIX: Final = "graphs."
"""Of how the matrix is conditioned, which starts otherwise than on the page Kernels."""
SETTINGS: Final = declared(
    *in_view(
        of_data("graphs", "Graphs"), setting(TAB, "Part of the page"), *gallery.SETTINGS, *pair.SETTINGS,
    ),
    *kernel.SETTINGS, *conditioned_by(PREFIX), *IN_FULL, *table.SETTINGS,
)  # fmt: skip
