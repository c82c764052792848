"""The page Papers / Joint regularization: Fig. 1 measured live, and what its lemma and theorem say."""

from pages.papers.joint import view
from pages.papers.joint.view import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Joint regularization",
    "Fig. 1 of the paper: is a joint kernel on mixed attributes better than each kernel alone, their sum and their product?",
    SETTINGS,
)
dataset = need_data(demo="Structure graphs")
with guard():
    view.show(page, dataset)
