"""Lesson 2: λ trades variance for bias, and does not shrink every coefficient."""

from pages.learn.regularisation.lesson import QUESTION, TEACHING, show

__all__ = ["QUESTION", "TEACHING", "show"]
