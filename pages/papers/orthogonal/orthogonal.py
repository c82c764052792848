"""The page Papers / Almost orthogonal patterns: six tables measured live beside what is printed, and the toy."""

import streamlit as st

from pages.papers.orthogonal import toy, view
from pages.papers.orthogonal.subject import TABLES
from pages.papers.orthogonal.view import ERRATA_FOUND, PROTOCOLS, SETTINGS, TABS, WORDS, Places, ask
from pages.server.messages import guard
from pages.ui import widgets
from pages.ui.frame import open_page

page = open_page(
    "Almost orthogonal patterns",
    "The paper's tables: does a smaller *p* help where items are like nothing but themselves, as published?",
    SETTINGS,
)
page.badge(
    "transductive and inductive",
    help="The map with all items as its basis, and with the training items of each fold.",
)
chosen, config = ask()
# a place for each: that of the table seen before is emptied at once, not when the new one has been measured
tops = {
    number: st.container(key=f"answer{number}") if number == chosen.number else st.empty()
    for number in TABLES
}
table, more, toys, protocols, words, errata = widgets.tabs(
    "tab", ["Table", "Beside it", "The toy", "Protocols", "Words", "Errata"], key=TABS
)
for tab, text in ((protocols, PROTOCOLS), (words, WORDS), (errata, ERRATA_FOUND)):
    if tab.open:
        with tab:
            st.markdown(text)
if toys.open:
    with toys, guard():
        toy.show()
places = Places(table if table.open else None, more if more.open else None, st.container())
with tops[chosen.number], guard():
    view.show(page, chosen, config, places)
