"""The page Complete together: its numbers are the core's, known similarities stay, what is completed is kept and weighed."""

import numpy as np
import pytest

from kernex_core import GramMatrix, complete_views
from kernex_core.completion.views.methods import VIEW_COMPLETIONS, comparing_ways, view_completion
from kernex_core.inputs.items.align import align
from pages.combine.together import together as reported
from tests.pages.combine.lacking import kept, lacking, text
from tests.pages.conftest import switch

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "combine/together/together.py"


def truth_of(data):
    """Kernels as fast completes them, on the items that some kernel has."""
    some = np.any([K.known for K in data.kernels.values()], axis=0)
    return np.array(
        list(complete_views({name: K.take(some) for name, K in data.kernels.items()}).kernels.values())
    )


def tab(at, name):
    """Open what one asks second."""
    at.session_state["together.tab"] = name
    at.run()
    assert not at.exception


def test_kernels_that_lack_items_are_covered_completed_and_kept(open_page_test, rng, monkeypatch):
    data = lacking(rng)
    # as if these were the data whose errors are reported, and what fast makes of them the truth
    monkeypatch.setattr(reported, "VIEWS", len(data.kernels))
    monkeypatch.setattr(reported, "truth", lambda: truth_of(data))
    at = open_page_test(PATH, data)
    assert "3 of 3 kernels lack 5 of 23 items" in text(at).replace("**", "")
    assert "k0 has 18; k1 has 18; k2 has 18" in text(at)
    tab(at, "Known results")
    assert "Beside what is known of these data" in text(at)
    assert "In hindsight" in text(at)
    found = complete_views(data.kernels)
    at.button(key="many.completed.keep").click().run()
    (name,) = kept(at, data.name)
    assert name == "k0, completed"
    np.testing.assert_array_equal(kept(at, data.name)[name].values, found.kernels["k0"])


def test_what_was_completed_is_kept_and_weighed_on_many(open_page_test, rng):
    data = lacking(rng)
    at = open_page_test(PATH, data)
    at.button(key="many.completed.all").click().run()
    assert not at.exception
    found = complete_views(data.kernels)
    names = [f"k{v}, completed" for v in range(3)]
    assert sorted(kept(at, data.name)) == names
    for v, name in enumerate(names):
        np.testing.assert_array_equal(kept(at, data.name)[name].values, found.kernels[f"k{v}"])
    switch(at, "combine/many/many.py").run()
    assert not at.exception
    assert at.multiselect(key="many.kernels.lacking").value == names
    assert len([slider for slider in at.slider if slider.label.startswith("Weight of")]) == 3


def test_where_nothing_lacks_there_is_nothing_to_complete(open_page_test, rng):
    at = open_page_test(PATH, lacking(rng, gone=0).select(range(23)))
    assert not at.error
    assert "there is nothing to complete" in text(at)


def test_the_tuned_way_says_the_error_to_expect_as_a_number(open_page_test, rng):
    data = lacking(rng, n=15, gone=3)
    at = open_page_test(PATH, data)
    tab(at, "Trust")
    assert "Error to expect" not in {each.label for each in at.metric}
    at.selectbox(key="many_way").set_value("tuned").run()
    assert not at.exception
    assert not at.error
    found = complete_views(data.kernels, mode="tuned")
    wanted = 100 * np.nanmedian(found.expected_error[0][~found.known[0]])
    shown = {each.label: each.value for each in at.metric}
    assert float(shown["Error to expect"].split()[0]) == pytest.approx(wanted, abs=0.51)


def test_kernels_that_cannot_reach_each_other_are_refused_by_name(open_page_test):
    halves = {
        "left": GramMatrix(np.eye(6), tuple("abcdef")), "right": GramMatrix(np.eye(6), tuple("ghijkl")),
    }  # fmt: skip
    data = align(halves, name="halves", how="union").data
    at = open_page_test(PATH, data)
    assert any("right" in error.value and "leave it out" in error.value for error in at.error)


def test_other_ways_are_compared_on_items_that_were_hidden_and_never_read(open_page_test, rng):
    data = lacking(rng)
    at = open_page_test(PATH, data)
    tab(at, "Other ways")
    at.button(key="many.ways.run").click().run()
    assert not at.exception
    *_, found = comparing_ways(data.kernels, tuple(way.name for way in VIEW_COMPLETIONS))
    assert set(found.errors) == {way.name for way in VIEW_COMPLETIONS}
    assert found.hidden.tolist() == [2, 2, 2]
    assert (
        f"Nearest here: {view_completion(min(found.errors, key=lambda w: found.mean(w).relative_error)).title}"
        in text(at)
    )
    # zero-fill by hand: every similarity of a hidden item to the others is missed
    assert found.mean("zero").relative_error > found.mean("fast").relative_error
    first = found.errors["zero"][0]
    assert 0.5 < first.relative_error <= 1.0
