"""The page Evaluate: cross-validated accuracy of kernels on the same folds."""

from pages.evaluate import view
from pages.evaluate.settings import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Evaluate",
    "How well do these kernels predict classes or numbers, and is one of them really better?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
