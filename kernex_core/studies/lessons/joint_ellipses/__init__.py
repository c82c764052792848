"""Lesson 8, joint regularization: the ellipses, and a fit under two bounds."""
