"""The page Glossary: what do the words mean?"""

from pages.learn.glossary import view
from pages.server.messages import guard
from pages.ui.frame import open_page

open_page("Glossary", "What do the words mean?", shows_data=False)
with guard():
    view.show()
