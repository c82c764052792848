"""What can be set on the page Kernels."""

from __future__ import annotations

from typing import Final

from pages.kernels import filling
from pages.shared.declared.settings import declared
from pages.shared.panels.inspection.look import LOOKED_AT

SETTINGS: Final = declared(*LOOKED_AT, *filling.SETTINGS)
