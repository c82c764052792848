"""The page Data: bring files, look them over, choose the items that count."""

from pages.data import add as bring
from pages.data import carried, health, items
from pages.server import workspace
from pages.server.declared import declared, in_view, of_data
from pages.ui.frame import open_page

SETTINGS = declared(*in_view(of_data("matrix", "Matrix")))


def run() -> None:
    """Draw the page in its frame."""
    open_page("Data", "What do you have, is it sound, and which items count?", SETTINGS)
    carried.opened()
    carried.dropped()
    bring.bring()
    view, name = workspace.current(), workspace.current_name()
    if view is not None and name is not None:
        whole = workspace.get(name)
        health.show(view)
        items.heading(whole)
        items.selection(whole)
        health.report(view, whole)
        items.items(view, whole)
        items.downloads(view)
    bring.public()
    carried.show()
