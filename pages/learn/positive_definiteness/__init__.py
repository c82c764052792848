"""Lesson 3: similarities must fit together; what fits is an interval, then a body."""

from pages.learn.positive_definiteness.lesson import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
