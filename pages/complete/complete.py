"""The page Complete: hide part of a target kernel, or take it as uploaded, and complete it from a source kernel."""

from pages.complete import view
from pages.complete.settings import SETTINGS
from pages.shared.frame import need_data, open_page
from pages.shared.messages import guard

page = open_page(
    "Complete",
    "How well can the target kernel be rebuilt where it is unknown, from a source kernel that is known everywhere?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
