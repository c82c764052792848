"""The page Complete."""

from pages.shared.frame import open_page

open_page(
    "Complete",
    "How well can the target kernel be rebuilt where it is unknown, from a source kernel that is known everywhere?",
)
