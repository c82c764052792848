"""The page Glossary: what do the words mean?"""

from pages.learn.glossary import view
from pages.shared.frame import open_page
from pages.shared.messages import guard

open_page("Glossary", "What do the words mean?", shows_data=False)
with guard():
    view.show()
