"""Lesson 5: a table adds up exponentially many features."""
