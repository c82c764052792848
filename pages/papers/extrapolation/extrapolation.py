"""The page Papers / Kernel extrapolation: its tables measured live, beside what is printed."""

from pages.papers.extrapolation import view
from pages.papers.extrapolation.view import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Kernel extrapolation",
    "Tables 1 and 2 and Fig. 1 of the paper: does accuracy fall with the missing fraction and with *λ*, as published?",
    SETTINGS,
)
dataset = need_data("Protein world")
with guard():
    view.show(page, dataset)
