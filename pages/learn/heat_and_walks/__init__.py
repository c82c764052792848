"""Lesson: heat and walks."""

from pages.learn.heat_and_walks.view import QUESTION, TEACHING, show

__all__ = ["QUESTION", "TEACHING", "show"]
