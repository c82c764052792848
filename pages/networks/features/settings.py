"""What can be set on the page Features on a network."""

from __future__ import annotations

from typing import Final

from pages.networks.features import controls, lasso, view
from pages.shared.declared.settings import declared

SETTINGS: Final = declared(*controls.SETTINGS, *view.SETTINGS, *lasso.SETTINGS)
