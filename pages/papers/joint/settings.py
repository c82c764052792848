"""What can be set on the page Joint regularization."""

from __future__ import annotations

from typing import Final

from pages.papers.joint import files, subject, theorem
from pages.shared.declared.settings import declared

SETTINGS: Final = declared(*subject.SETTINGS, *files.SETTINGS, *theorem.SETTINGS)
