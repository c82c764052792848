"""What is done once when the server starts."""

import gc
import sys
import tomllib

from pages.shared import warmup
from tests.conftest import REPOSITORY


def test_what_stays_is_not_looked_through_after_every_run_of_a_script():
    before = gc.get_freeze_count()
    kept = [[k] for k in range(1000)]
    warmup.set_apart()
    try:
        assert gc.get_freeze_count() >= before + len(kept)
    finally:
        gc.unfreeze()
    settings = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text())
    assert settings["runner"]["postScriptGC"] is False


def test_the_views_of_pages_are_imported_before_the_first_visit():
    warmup.import_slowly()
    assert {"pages.complete.view", "pages.papers.orthogonal.view"} <= set(sys.modules)
