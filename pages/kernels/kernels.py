"""The page Kernels: look at a kernel of the data set, or build one; condition it, repair it, keep it."""

from pages.kernels import view
from pages.kernels.view import SETTINGS
from pages.ui.frame import need_data, open_page

page = open_page("Kernels", "What does this kernel see, and is it a kernel at all?", SETTINGS)
view.show(page, need_data())
