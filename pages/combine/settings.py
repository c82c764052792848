"""What can be set on the page Combine."""

from __future__ import annotations

from typing import Final

from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.combination import CombinationConfig
from pages.shared.declared.settings import declared, of, of_data, setting
from pages.shared.panels import linked
from pages.shared.panels.arrangement import orders
from pages.shared.panels.inspection import eigenvectors

LAM: Final = "combine_lam"
"""On Complete λ has another name: it weighs something else there."""
SETTINGS: Final = declared(
    of_data("first", "First kernel"), of_data("second", "Second kernel"),
    *of(CombinationConfig, "nugget", "repair", "normalize"), *of(CrossValidation, prefix="cv_"),
    setting(LAM, "Weight of the first kernel λ", former="lam"), *orders(), *linked.SETTINGS,
    setting("kind", "Combination"), setting("measure", "Measure"), *eigenvectors.SETTINGS,
)  # fmt: skip
