"""No page, with any setting in its address, makes Streamlit complain in the server's log."""

import logging

import pytest
from streamlit.elements.lib import policies

from pages.server.navigation import PAGES
from tests.pages.settings.travel import Moved, Spy, with_data

EXPECTED = "missing ScriptRunContext"  # of the testing tool


@pytest.mark.no_cover
@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.url_path)
def test_no_setting_in_the_address_makes_streamlit_complain(small_dataset, entry, caplog, monkeypatch):
    spy = Spy()
    spy.watch(monkeypatch)

    def opened(query=None):
        return Moved(spy, entry.path, with_data(small_dataset), address=entry.address or None, query=query)

    page = opened()
    page.set(**{name: each.another() for name, each in spy.drawn.items()})
    settings = page.link
    if entry.url_path in ("complete", "kernels", "diagonals"):
        assert len(settings) > 2
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)  # it is said once a process
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        opened(settings).run()
    said = [record.getMessage() for record in caplog.records if record.name.startswith("streamlit")]
    assert [message for message in said if EXPECTED not in message] == []
