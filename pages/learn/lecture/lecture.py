"""The page For the lecturer: the course, its questions, and a class that bets together."""

from pages.learn.lecture import view
from pages.ui.frame import open_page

open_page(
    "For the lecturer",
    "What to show, in which order, what to ask, and what a class is likely to get wrong?",
    shows_data=False,
)
view.show()
