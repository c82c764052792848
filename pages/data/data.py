"""The page Data: bring files, look them over, choose the items that count."""

import streamlit as st

from pages.shared import workspace
from pages.shared.frame import open_page
from pages.shared.views import data_bring, data_health, data_items, data_selection

open_page("Data", "What do you have, is it sound, and which items count?")
data_bring.bring()
view, name = workspace.current(), workspace.current_name()
if view is not None and name is not None:
    whole = workspace.get(name)
    st.space("small")
    data_selection.heading(whole)
    data_selection.selection(whole)
    st.space("small")
    data_health.report(view, whole)
    data_items.items(view, whole)
    data_items.downloads(view)
