"""Differences between measured and published numbers as they are written: in points of a percentage."""

from __future__ import annotations

from kernex_core.studies.papers.paper_table import Difference


def points(share: float) -> str:
    """Return "+9.2" for .092: a signed difference in points, without a sign where it is 0."""
    text = f"{100.0 * share:+.1f}".replace("-", "−")
    return text[1:] if text[1:] == "0.0" else text


def marked(difference: Difference) -> str:
    """Return "+9.2 outside": a difference in points, and whether it is above two standard errors."""
    text = points(difference.gap)
    return f"{text} :orange[outside]" if difference.outside else text
