"""What holds for every lesson, whatever it teaches."""

from importlib import import_module

import pytest

from pages.shared.lessons import LESSONS
from tests.pages.learn.walk import Walk

every = pytest.mark.parametrize("key", [each.key for each in LESSONS])


@every
def test_opens_on_its_question_without_data_and_hides_the_answer(key):
    walk = Walk(key)
    assert walk.offered()
    assert not walk.revealed()
    assert not walk.judged()
    assert walk.at.sidebar.selectbox(key="data").value is None
    assert walk.picture()["picture"]["panels"]


@every
@pytest.mark.parametrize("nonsense", ["1e400", "many", "-7"])
def test_nonsense_in_the_address_breaks_nothing_and_leaves_it(key, nonsense):
    shown = Walk(key, bet="-")
    names = [
        name for name in (*shown.at.query_params, *drawn(shown)) if name.startswith(shown.lesson.address)
    ]
    assert names
    walk = Walk(key, bet="-", **dict.fromkeys(names, nonsense))
    assert walk.revealed()
    walk.run()
    bare = Walk(key, bet=nonsense)
    assert bare.offered() or bare.revealed()


@every
def test_at_most_three_controls_are_in_sight(key):
    walk = Walk(key, bet="-")
    assert len([name for name in drawn(walk) if name.startswith((walk.lesson.address, f"{key}."))]) <= 3


@every
def test_every_symbol_that_is_bound_leads_to_a_control_that_is_drawn(key):
    walk = Walk(key, bet="-")
    symbols = {part["symbol"] for part in walk.picture()["formula"]} - {""}
    assert symbols <= set(drawn(walk))


@every
def test_the_lecturers_address_opens_it(key):
    state = import_module(f"pages.learn.{key}").TEACHING.state
    walk = Walk(key, **dict(part.split("=", 1) for part in state.split("&") if part))
    assert walk.revealed() == ("bet=" in state)
    for name, value in walk.at.query_params.items():  # what it asks for is what the controls take
        assert f"{name}={value}" in state or name == "data"


def drawn(walk):
    """Keys of the lesson's controls."""
    kinds = (
        "slider",
        "select_slider",
        "segmented_control",
        "selectbox",
        "toggle",
        "number_input",
        "text_input",
    )
    own = [each.key for kind in kinds for each in getattr(walk.at.main, kind) if each.key]
    return [key for key in own if key not in ("class", f"{walk.lesson.key}.bet")]
