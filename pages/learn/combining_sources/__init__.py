"""Lesson: to add kernels is ridge regression, to learn their weights is a lasso."""

from pages.learn.combining_sources.view import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
