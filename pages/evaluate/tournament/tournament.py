"""The part Tournament of Evaluate: everything that the open data allow, on the same folds, as a ladder."""

from pages.evaluate.tournament import view
from pages.evaluate.tournament.subject import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Tournament",
        "Of everything that these kernels allow, what is best, and what is simpler and as good?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        view.show(page, dataset)
