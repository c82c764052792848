"""Lesson 5: a table adds up exponentially many features."""

from pages.learn.dynamic_programming.lesson import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
