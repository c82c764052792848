"""Lesson 2: λ trades variance for bias, and does not shrink every coefficient."""

from pages.learn.regularisation.lesson import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
