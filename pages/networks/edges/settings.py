"""What can be set on the page Edges of new nodes."""

from __future__ import annotations

from typing import Final

from kernex_core.studies.networks.edges.sources import EdgeConfig
from pages.networks.edges import judged, missing
from pages.networks.edges.controls import CONFIGURED, Listing
from pages.networks.edges.subject import KINDS
from pages.shared.declared.settings import declared, in_view, of, of_data, of_each, setting

SETTINGS: Final = declared(
    *in_view(
        setting("edge_new", "New nodes"), of_data("edge_source", "From"), setting("edge_method", "Method"),
        setting("tab", "Part of the page"), *judged.SETTINGS, *missing.SETTINGS,
    ),
    of_data("network", "Network"), of_data("edge_kernels", "Kernels of the nodes"), setting("edge_repair", "Repair"),
    *of(EdgeConfig, *CONFIGURED, "copies", prefix="edge_"), setting("edge_measure", "Measure"),
    *of(Listing, prefix="edge_"), *of_each(KINDS.values()),
)  # fmt: skip
