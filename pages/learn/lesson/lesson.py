"""The page of every lesson: its address tells which."""

from pages.learn.lesson import view
from pages.server import workspace
from pages.server.navigation import lesson
from pages.ui.frame import open_page

here = lesson(workspace.tab().page)
open_page(here.title, here.asks, view.settings(here), shows_data=False)
view.show(here)
