"""What happens to exceptions that no page has caught: app.py gives `report` to Streamlit.

report(error) -> True     logs the traceback under an id, and shows the id in place of the traceback
"""

from __future__ import annotations

import logging
import uuid

import streamlit as st

from kernex_core.errors import KernexError
from pages.shared.messages import show_error

_log = logging.getLogger("kernex")


def report(error: Exception) -> bool:
    """Show a message in place of the traceback; errors meant for users are shown as they are."""
    if isinstance(error, KernexError):
        show_error(error)
        return True
    number = uuid.uuid4().hex[:8]
    _log.error("Error %s", number, exc_info=error)
    if isinstance(error, MemoryError):
        cause = "This computation needs more memory than is free. Select fewer items."
    else:
        cause = "Something went wrong."
    st.error(f"{cause} Your data is safe. Error id {number}.", icon=":material/report:")
    return True
