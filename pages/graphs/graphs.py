"""The page Graphs: how similar are whole graphs, and what of them makes them so?"""

from pages.graphs import view
from pages.graphs.view import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Graphs",
    "Which graphs resemble each other, and which walks, paths or trees that they share say so?",
    SETTINGS,
)
dataset = need_data(demo=view.demo(), more=view.public)
with guard():
    view.show(page, dataset)
