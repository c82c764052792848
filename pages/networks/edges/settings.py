"""What can be set on the page Edges of new nodes."""

from __future__ import annotations

from typing import Final

from pages.networks.edges import controls, judged, missing, predictions
from pages.shared.declared.settings import declared

SETTINGS: Final = declared(*controls.SETTINGS, *judged.SETTINGS, *missing.SETTINGS, *predictions.SETTINGS)
