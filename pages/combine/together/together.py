"""The page Complete together: kernels of which each lacks items, completed from each other."""

from pages.combine.together import view
from pages.combine.together.results import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Complete together",
    "Several kernels of the same items, each of which lacks some: can they complete each other, and how far is that to be "
    "trusted?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
