"""The page See what your similarities know."""

from pages.shared.frame import open_page

open_page(
    "See what your similarities know",
    "Kernex completes similarity matrices that are partly unknown, combines them, "
    "and tells how far the result can be trusted.",
)
