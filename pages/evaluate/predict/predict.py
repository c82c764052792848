"""The part Predict of Evaluate: a saved model and new items."""

from pages.evaluate.predict import view
from pages.server.messages import guard
from pages.ui.frame import open_page

open_page("Predict", "What does a saved model say of items that it has never seen?", shows_data=False)
with guard():
    view.show()
