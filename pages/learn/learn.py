"""The page Lessons: kernel methods in twelve screens."""

from pages.learn import overview
from pages.ui.frame import open_page

open_page(
    "Lessons",
    "Which idea do you want to see? Each lesson is one screen: a question, your bet, and what is true.",
    shows_data=False,
)
overview.show()
