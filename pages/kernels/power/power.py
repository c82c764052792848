"""The page Power p: shrink what makes items look orthogonal, and see what it does to every classifier."""

from pages.kernels.power import view
from pages.kernels.power.results import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Power p",
    "Every item is like itself and nothing else: does a smaller power of the similarities help a classifier?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
