"""The page Edges of new nodes: which edges has a node that the network has never seen?"""

from pages.networks.edges import view
from pages.networks.edges.view import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Edges of new nodes",
    "A network, and kernels of its nodes: which edges has a node that the network has never seen, and how sure is that?",
    SETTINGS,
)
dataset = need_data(demo="Interacting genes")
with guard():
    view.show(page, dataset)
