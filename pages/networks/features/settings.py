"""What can be set on the page Features on a network."""

from __future__ import annotations

from typing import Final

from kernex_core.inputs.items.match import Matching
from kernex_core.learning.folds import CrossValidation
from pages.networks.features import lasso, view
from pages.networks.features.controls import PROTOCOL
from pages.shared.declared.settings import declared, in_view, of, of_data, of_items, setting

SETTINGS: Final = declared(
    *in_view(
        setting("features_kernel", "Kernel of the columns"), setting("tab", "Part of the page"), *view.SETTINGS,
        *lasso.SETTINGS,
    ),
    of_data("vectors", "Vectors"), of_data("network", "Network of the columns"), of_items("of", "Weights speak for"),
    setting("features_laplacian", "Laplacian"), setting("scaling", "Columns"), *of(Matching, prefix="matching_"),
    *of(CrossValidation, *PROTOCOL, prefix="cv_"),
)  # fmt: skip
