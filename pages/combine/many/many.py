"""The page Many kernels: any number of kernels of the same items, weighed and made one."""

from pages.combine.many import view
from pages.combine.many.settings import SETTINGS
from pages.shared.frame import need_data, open_page
from pages.shared.messages import guard

page = open_page("Many kernels", "How much should each of several kernels of the same items count?", SETTINGS)
dataset = need_data()
with guard():
    view.show(page, dataset)
