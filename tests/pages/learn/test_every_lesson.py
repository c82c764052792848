"""What holds for every lesson, whatever it teaches."""

from functools import cache
from importlib import import_module

import pytest

from pages.server.navigation import LESSONS, lesson
from tests.pages.learn.walk import Walk, widget

every = pytest.mark.parametrize("key", [each.key for each in LESSONS])


@every
def test_opens_on_its_question_without_data_and_hides_the_answer(key):
    walk = Walk(key)
    assert walk.offered()
    assert not walk.revealed()
    assert not walk.judged()
    assert walk.at.sidebar.selectbox(key="data").value is None
    assert walk.picture()["picture"]["panels"]
    assert not walk.readings()


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


@pytest.mark.parametrize(
    ("key", "name", "asked", "got"),
    [
        ("regularisation", "lam", "0.83", 0.82),
        ("what_is_a_kernel", "sigma", "0.5", 0.51),
        ("regularisation", "lam", "1e9", 0.1),
        ("regularisation", "lam", "nan", 0.1),
    ],
)
def test_a_number_between_the_stops_of_a_slider_is_taken_to_the_nearest_one(key, name, asked, got):
    bound = f"{lesson(key).address}{name}"
    walk = Walk(key, bet="-", **{bound: asked})
    assert widget(walk.at, bound).value == got
    walk.run()
    assert widget(walk.at, bound).value == got


@every
def test_three_controls_at_most_are_in_sight_and_every_symbol_of_the_formula_leads_to_one(key):
    walk = shown(key)
    controls = [name for name in drawn(walk) if name.startswith((walk.lesson.address, f"{key}."))]
    assert len(controls) <= 3
    assert {part["symbol"] for part in walk.picture()["formula"]} - {""} <= set(controls)


@every
def test_the_lecturers_address_opens_it(key):
    state = import_module(f"pages.learn.{key}").TEACHING.state
    walk = Walk(key, **dict(part.split("=", 1) for part in state.split("&") if part))
    assert walk.revealed() == ("bet=" in state)
    for name, value in walk.at.query_params.items():  # what it asks for is what the controls take
        assert f"{name}={value}" in state or name == "data"


@every
def test_words_of_the_question_and_of_what_is_seen_are_explained_by_hover(key):
    at = shown(key).at
    hints = [each for each in at.markdown if (each.help or "").startswith("**")]
    assert [each for each in hints if each.value.startswith("**Question**")]
    assert key == "errata" or [each for each in hints if not each.value.startswith("**Question**")]


@cache
def shown(key):
    """Return the lesson with its answer, opened once for all tests that only look."""
    return Walk(key, bet="-")


def in_sight(block):
    """What is drawn in a block and all blocks in it, but for popovers, which nobody has opened."""
    for each in block.children.values():
        if not hasattr(each, "children"):
            yield each
        elif each.type != "popover":
            yield from in_sight(each)


def drawn(walk):
    """Keys of the lesson's controls in sight."""
    kinds = (
        "slider",
        "select_slider",
        "button_group",
        "selectbox",
        "toggle",
        "number_input",
        "text_input",
    )
    own = [each.key for each in in_sight(walk.at.main) if each.type in kinds and each.key]
    return [key for key in own if key not in ("class", f"{walk.lesson.key}.bet")]
