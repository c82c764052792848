"""Matrices of which single pairs are unknown: completed, with intervals, and what to measure next."""
