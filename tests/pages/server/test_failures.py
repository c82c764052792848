import logging
import re

import pytest
from streamlit.testing.v1 import AppTest

from pages.server import failures, warmup


@pytest.fixture
def shown(monkeypatch):
    texts = []
    monkeypatch.setattr("streamlit.error", lambda body, **look: texts.append(body))
    return texts


def test_an_unexpected_error_gets_an_id_and_shows_nothing_of_itself(shown, caplog):
    with pytest.raises(ValueError, match="secret") as caught:
        raise ValueError("a secret of the data")
    with caplog.at_level(logging.ERROR, "kernex"):
        assert failures.report(caught.value) is True
    assert "secret" not in shown[0]
    assert "Your data is safe" in shown[0]
    number = re.search(r"Error id ([0-9a-f]{8})\.", shown[0]).group(1)
    assert number in caplog.text
    assert "Traceback" in caplog.text
    assert "a secret of the data" in caplog.text


def test_ids_are_distinct(shown):
    failures.report(ValueError())
    failures.report(ValueError())
    assert shown[0] != shown[1]


def test_too_little_memory_says_what_to_do(shown):
    failures.report(MemoryError())
    assert "Select fewer items" in shown[0]


def test_an_error_meant_for_users_is_shown_as_it_is():
    def app():
        from kernex_core.base.errors import InvalidInputError
        from pages.server import failures

        failures.report(InvalidInputError("A matrix is square"))

    assert AppTest.from_function(app).run().error[0].value == "A matrix is square\\."


def test_warm_up_leaves_one_blas_thread_and_imports_what_exists():
    import threadpoolctl

    warmup.start(lambda: None).join()
    blas = [library for library in threadpoolctl.threadpool_info() if library["user_api"] == "blas"]
    assert blas
    assert all(library["num_threads"] == 1 for library in blas)
