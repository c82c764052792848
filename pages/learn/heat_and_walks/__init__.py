"""Lesson: heat and walks."""

from pages.learn.heat_and_walks.view import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
