"""The page Features on a network: does it help to know which columns of the vectors are joined?"""

from pages.networks.features import view
from pages.networks.features.view import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Features on a network",
    "Profiles of genes, and a network of these genes: does it help to know which are joined, and which edges matter?",
    SETTINGS,
)
dataset = need_data(demo="Expression on a network")
with guard():
    view.show(page, dataset)
