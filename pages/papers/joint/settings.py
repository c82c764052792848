"""What can be set on the page Joint regularization."""

from __future__ import annotations

from typing import Final

from pages.papers.joint import files, subject, theorem
from pages.shared.declared.settings import declared, in_view, setting

TABS: Final = "joint.tab"
SETTINGS: Final = declared(
    *in_view(*subject.IN_VIEW, *files.SETTINGS, *theorem.SETTINGS, setting("tab", "Part of the page")),
    *subject.SETTINGS,
)
