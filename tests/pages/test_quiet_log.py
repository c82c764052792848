"""No page, with any setting in its address, makes Streamlit complain in the server's log."""

import logging

import pytest
from streamlit.elements.lib import policies

from pages.shared.navigation import PAGES

EXPECTED = "missing ScriptRunContext"  # of the testing tool


def bound(at):
    """Names in the address that widgets of a page have, each with a value that is not the one shown."""
    waiting, found = [at._tree], {}
    while waiting:
        node = waiting.pop()
        waiting += (getattr(node, "children", None) or {}).values()
        proto = getattr(node, "proto", None)
        if name := getattr(proto, "query_param_key", ""):
            found[name] = other(node, proto)
    return {name: value for name, value in found.items() if value is not None and name != "data"}


def other(node, proto):
    options = [getattr(option, "content", option) for option in getattr(proto, "options", ())]
    if options:
        shown = getattr(node, "value", None)
        return str(options[-1] if str(options[-1]) != str(shown) else options[0])
    if hasattr(proto, "min") and hasattr(proto, "step") and node.type in ("slider", "number_input"):
        return f"{(node.value or 0) + (proto.step or 1):g}"
    return None


@pytest.mark.no_cover
@pytest.mark.parametrize("entry", PAGES, ids=lambda entry: entry.url_path)
def test_no_setting_in_the_address_makes_streamlit_complain(
    open_page_test, small_dataset, entry, caplog, monkeypatch
):
    settings = bound(open_page_test(entry.path, small_dataset))
    if entry.url_path in ("complete", "kernels", "diagonals"):
        assert settings
    monkeypatch.setattr(policies, "_shown_default_value_warning", False)  # it is said once a process
    caplog.clear()
    with caplog.at_level(logging.WARNING):
        open_page_test(entry.path, small_dataset, settings).run()
    said = [record.getMessage() for record in caplog.records if record.name.startswith("streamlit")]
    assert [message for message in said if EXPECTED not in message] == []
