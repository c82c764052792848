"""The page of every lesson: its address tells which."""

from pages.learn.lesson import view
from pages.shared import workspace
from pages.shared.frame import open_page
from pages.shared.lessons import lesson

here = lesson(workspace.tab().page)
open_page(here.title, here.asks, view.settings(here), shows_data=False)
view.show(here)
