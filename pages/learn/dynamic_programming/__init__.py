"""Lesson 5: a table adds up exponentially many features."""

from pages.learn.dynamic_programming.lesson import QUESTION, TEACHING, show

__all__ = ["QUESTION", "TEACHING", "show"]
