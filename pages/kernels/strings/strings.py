"""The page Strings: one string kernel, its matrix, what makes one similarity and one class, and new items."""

from pages.kernels.strings import view
from pages.kernels.strings.view import SETTINGS
from pages.ui.frame import need_data, open_page

page = open_page("Strings", "What does a string kernel see in these sequences, and why?", SETTINGS)
view.show(page, need_data())
