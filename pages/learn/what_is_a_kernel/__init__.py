"""Lesson 1: a kernel machine is a weighted sum of similarities to few items."""

from pages.learn.what_is_a_kernel.lesson import QUESTION, SETTINGS, TEACHING, show

__all__ = ["QUESTION", "SETTINGS", "TEACHING", "show"]
