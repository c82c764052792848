"""The page Complete: hide part of a target kernel, or take it as uploaded, and complete it from a source kernel."""

from pages.complete import view
from pages.complete.subject import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Complete",
    "How well can the target kernel be rebuilt where it is unknown, from a source kernel that is known everywhere?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
