"""The page Graphs: how similar are whole graphs, and what of them makes them so?"""

from pages.graphs import bring, view
from pages.graphs.settings import SETTINGS
from pages.shared.frame import need_data, open_page
from pages.shared.messages import guard

page = open_page(
    "Graphs",
    "Which graphs resemble each other, and which walks, paths or trees that they share say so?",
    SETTINGS,
)
dataset = need_data(demo=bring.demo(), more=bring.public)
with guard():
    view.show(page, dataset)
