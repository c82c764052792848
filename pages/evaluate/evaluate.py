"""The page Evaluate."""

from pages.shared.frame import open_page

open_page(
    "Evaluate",
    "How well does a kernel tell the classes apart on items that it has not seen?",
)
