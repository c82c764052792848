"""Errata: statements in print, each with the computation that shows whether it holds."""
