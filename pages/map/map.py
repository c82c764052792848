"""The page Map: items laid flat, and where new ones belong."""

from pages.map import view
from pages.map.subject import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Map", "What do the items look like laid flat, and where does a new one belong?", SETTINGS
    )
    dataset = need_data()
    with guard():
        view.show(page, dataset)
