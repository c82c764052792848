"""The page Papers: kernel extrapolation."""

from pages.shared.frame import open_page

open_page(
    "Kernel extrapolation",
    "Does accuracy fall with the missing fraction and with $\\lambda$, as published?",
)
