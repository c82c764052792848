"""The page Data."""

from pages.shared.frame import open_page

open_page("Data", "What do you have, and is it sound?")
