"""The page Combine."""

from pages.shared.frame import open_page

open_page("Combine", "How much should each kernel weigh in the joint one?")
