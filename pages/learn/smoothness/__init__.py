"""Lesson 4: the norm is the price of bending, and the kernel sets it."""

from pages.learn.smoothness.lesson import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
