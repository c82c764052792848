"""The page What if: accuracy along one parameter or two, at one sight."""

from pages.server.messages import guard
from pages.ui.frame import need_data, open_page
from pages.whatif import view
from pages.whatif.subject import SETTINGS


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "What if",
        "How does accuracy change along a parameter, and along another with it?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        view.show(page, dataset)
