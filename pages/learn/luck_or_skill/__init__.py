"""Lesson: luck looks like skill until new items come."""

from pages.learn.luck_or_skill.view import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
