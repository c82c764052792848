"""Lesson 3, positive definiteness: similarities must fit together."""
