"""What can be set on the page Networks."""

from __future__ import annotations

from typing import Final

from pages.networks import asked, bring, judged, reduced, subject
from pages.shared.declared.settings import declared
from pages.shared.panels import linked
from pages.shared.panels.arrangement import orders

SETTINGS: Final = declared(
    *subject.SETTINGS, *orders("networks."), *linked.SETTINGS, *judged.SETTINGS, *asked.SETTINGS, *reduced.SETTINGS,
    *bring.SETTINGS,
)  # fmt: skip
