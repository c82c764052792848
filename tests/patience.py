"""How long tests wait, in one place: no processor is slow enough, and none busy enough, to make one of them fail.

Time is no property of the code. What is waited for comes as soon as it can; only a test that fails meets these ends.
"""

import time

PATIENCE = 600.0
"""Seconds after which nothing comes any more: a page's run, a thread, a server, something in the browser."""
MILLISECONDS = 1000.0 * PATIENCE
"""The same for Playwright."""
ASKED_AGAIN = 30.0
"""Seconds after which a click that may have met a chart just being drawn is made once more."""
IN_VAIN = 1.0
"""Seconds that a test waits for what must not come."""


def until(is_so, pause=0.005):
    """Wait until something is so."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, f"it is not so after {PATIENCE:g} s"
        time.sleep(pause)
