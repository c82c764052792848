"""Lesson: luck looks like skill until new items come."""

from pages.learn.luck_or_skill.view import QUESTION, TEACHING, show

__all__ = ["QUESTION", "TEACHING", "show"]
