"""What can be set on the page Power p."""

from __future__ import annotations

from typing import Final

from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import Margin
from kernex_core.learning.protocol import Components
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from pages.kernels.power import lessons
from pages.kernels.power.choice import PROTOCOL, STRENGTHS
from pages.shared.declared.settings import declared, in_view, of, of_data, setting
from pages.shared.panels import build, linked
from pages.shared.panels.arrangement import orders
from pages.shared.panels.inspection import eigenvector

TABS: Final = "diagonals.tab"
SETTINGS: Final = declared(
    *in_view(
        of_data("kernel", "Kernel"), *of(DiagonalConfig, "scheme"), *STRENGTHS, setting("tab", "Part of the page"),
        *linked.SETTINGS, *eigenvector.SETTINGS, *lessons.SETTINGS,
        setting("bare", "Keep φ of the entries without the repair"),
    ),
    *build.SETTINGS, *of(DiagonalConfig, "phi"), setting("basis", "Basis"), setting("filled_basis", "Basis"),
    *of(CrossValidation, *PROTOCOL, prefix="cv_"), *of(Margin, prefix="margin_"),
    *of(Components, prefix="components_"), *orders(),
)  # fmt: skip
