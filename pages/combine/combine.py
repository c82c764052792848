"""The page Combine: the joint kernel of two kernels for every λ, beside sum and product on the same folds."""

from pages.combine import view
from pages.combine.subject import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page(
    "Combine",
    "Do two kernels of the same items know more together than either alone, and at which weight?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
