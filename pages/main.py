"""The frame around every page: configuration, navigation, workspace, and a column of readable width."""

import streamlit as st

from pages.server import failures
from pages.server.navigation import pages
from pages.ui import projector
from pages.ui.frame import MARK, sidebar

CONTENT_WIDTH = 1180
SIDEBAR_WIDTH = 232

st.set_page_config(
    page_title="Kernex", page_icon=str(MARK), layout="wide", initial_sidebar_state=SIDEBAR_WIDTH
)
page = st.navigation(pages(), position="hidden")
with failures.recovering():
    sidebar(page.url_path)
    projector.show()
    with (
        st.container(horizontal_alignment="center"),
        st.container(width="stretch" if projector.is_on() else CONTENT_WIDTH),
    ):
        failures.tell()
        page.run()
