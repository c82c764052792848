"""The page Networks: how similar are nodes, when similarity spreads over edges?"""

from pages.networks import view
from pages.networks.view import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Networks",
    "Nodes are similar where much leads from one to the other: how far should that reach to tell their classes?",
    SETTINGS,
)
dataset = need_data(demo="Blocks")
with guard():
    view.show(page, dataset)
