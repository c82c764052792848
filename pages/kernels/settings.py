"""What can be set on the page Kernels."""

from __future__ import annotations

from typing import Final

from pages.kernels import filling
from pages.shared.declared.settings import declared, in_view, of_data
from pages.shared.one_kernel.look import IN_FULL
from pages.shared.panels import build
from pages.shared.panels.inspection import filled
from pages.shared.panels.inspection.conditioning import conditioned_by

KERNEL: Final = of_data("kernel", "Kernel")
SETTINGS: Final = declared(
    *in_view(KERNEL, *filling.SETTINGS), *conditioned_by(in_row=True), *filled.SETTINGS, *build.SETTINGS, *IN_FULL,
)  # fmt: skip
