import pytest

from pages.learn import luck_or_skill as judged


@pytest.fixture(scope="session", autouse=True)
def _few_stops_are_judged_ahead():
    """Every seed and every cost is judged in its turn only: all of them take ten seconds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judged, "STOPS", {look: stops[:2] for look, stops in judged.STOPS.items()})
        yield
