"""The page Many kernels: any number of kernels of the same items, weighed and made one."""

from pages.combine.many import view
from pages.combine.many.subject import SETTINGS
from pages.server.messages import guard
from pages.ui.frame import need_data, open_page

page = open_page("Many kernels", "How much should each of several kernels of the same items count?", SETTINGS)
dataset = need_data()
with guard():
    view.show(page, dataset)
