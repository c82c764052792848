"""Lesson 9: τ decides how far similarity travels, and walks are not paths."""
