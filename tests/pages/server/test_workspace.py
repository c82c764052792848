from dataclasses import replace

import numpy as np
import pytest
import streamlit as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from pages.server import workspace


@pytest.fixture(autouse=True)
def session(monkeypatch):
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    return state


class First:
    """Selection of the first items."""

    def __init__(self, n):
        self.n = n

    def items(self, dataset):
        return np.arange(dataset.n) < self.n


def test_an_empty_workspace():
    assert workspace.current() is None
    assert workspace.current_name() is None
    assert workspace.datasets() == ()
    assert workspace.selection() is None
    with pytest.raises(InvalidInputError, match="open"):
        workspace.keep_kernel("x", GramMatrix(np.eye(2)))


def test_added_data_are_chosen_unless_asked_otherwise(small_dataset):
    assert workspace.add(small_dataset) == "thirty"
    assert workspace.current() is small_dataset
    workspace.add(replace(small_dataset, name="other"), select=False)
    assert workspace.current_name() == "thirty"
    workspace.switch("other")
    assert workspace.current().name == "other"


def test_taken_names_are_numbered(small_dataset):
    names = [workspace.add(small_dataset) for _ in range(3)]
    assert names == ["thirty", "thirty (2)", "thirty (3)"]
    assert [workspace.get(name).name for name in names] == names


def test_switching_to_what_is_not_open_is_refused(small_dataset):
    workspace.add(small_dataset)
    with pytest.raises(InvalidInputError):
        workspace.switch("absent")
    assert workspace.current_name() == "thirty"


def test_rename_keeps_place_kernels_and_selection(small_dataset):
    workspace.add(small_dataset)
    workspace.add(replace(small_dataset, name="second"), select=False)
    workspace.keep_kernel("joint", small_dataset.kernels["source"])
    workspace.set_selection(First(12))
    assert workspace.rename("thirty", "barrels") == "barrels"
    assert workspace.datasets() == ("barrels", "second")
    assert workspace.current().name == "barrels"
    assert workspace.current().n == 12
    assert "joint" in workspace.current().kernels
    assert workspace.rename("barrels", "second") == "second (2)"
    assert workspace.rename("second (2)", "second (2)") == "second (2)"


def test_removing_the_chosen_one_chooses_the_last_of_the_rest(small_dataset):
    workspace.add(small_dataset)
    workspace.add(replace(small_dataset, name="second"))
    workspace.remove("second")
    assert workspace.current_name() == "thirty"
    workspace.remove("thirty")
    assert workspace.current() is None
    workspace.remove("thirty")


def test_a_kept_kernel_is_attached_under_a_free_name(small_dataset):
    workspace.add(small_dataset)
    K = small_dataset.kernels["source"]
    assert workspace.keep_kernel("source", K) == "source (2)"
    assert workspace.keep_kernel("source", K) == "source (3)"
    attached = workspace.current().kernels["source (2)"]
    assert attached.name == "source (2)"
    np.testing.assert_array_equal(attached.values, K.values)
    workspace.forget_kernel("source (2)")
    assert list(workspace.current().kernels) == ["source", "target", "source (3)"]


def test_a_kernel_on_other_items_is_refused(small_dataset):
    workspace.add(small_dataset)
    with pytest.raises(InvalidInputError, match="'7'"):
        workspace.keep_kernel("strange", GramMatrix(np.eye(1), ("7",)))


def test_selection_holds_for_samples_kernels_and_kept_kernels(small_dataset):
    workspace.add(small_dataset)
    workspace.keep_kernel("mine", small_dataset.kernels["source"])
    workspace.set_selection(First(12))
    chosen = workspace.current()
    assert (chosen.n, len(chosen.labels.y), chosen.kernels["mine"].n) == (12, 12, 12)
    np.testing.assert_array_equal(
        chosen.kernels["mine"].values, small_dataset.kernels["source"].values[:12, :12]
    )
    workspace.set_selection(None)
    assert workspace.current().n == 30


def test_a_kernel_kept_on_a_selection_comes_back_only_where_it_covers_the_items(small_dataset):
    workspace.add(small_dataset)
    workspace.set_selection(First(12))
    K = workspace.current().kernels["source"]
    reversed_order = GramMatrix(K.values[::-1, ::-1].copy(), K.ids[::-1])
    workspace.keep_kernel("mine", reversed_order)
    # joined by id, whatever the order
    np.testing.assert_array_equal(workspace.current().kernels["mine"].values, K.values)
    workspace.set_selection(None)
    assert "mine" not in workspace.current().kernels
    assert list(workspace.kept()) == ["mine"]
    workspace.set_selection(First(5))
    assert workspace.current().kernels["mine"].n == 5


def test_a_selection_of_nothing_is_refused_and_the_old_one_stays(small_dataset):
    workspace.add(small_dataset)
    workspace.set_selection(First(12))
    with pytest.raises(InvalidInputError):
        workspace.set_selection(First(0))
    assert workspace.current().n == 12
    assert workspace.selection().n == 12


def test_current_is_made_once(small_dataset):
    workspace.add(small_dataset)
    workspace.set_selection(First(12))
    assert workspace.current() is workspace.current()


def test_new_labels(small_dataset):
    workspace.add(small_dataset)
    workspace.set_labels(None)
    assert workspace.current().labels is None


def test_replacing_content_that_does_not_fit_the_selection_changes_nothing(small_dataset):
    workspace.add(small_dataset)
    workspace.set_selection(First(12))

    class Beyond:
        def items(self, dataset):
            return [29]

    workspace.set_selection(Beyond())
    with pytest.raises(InvalidInputError):
        workspace.replace(small_dataset.select(range(10)))
    assert workspace.current().ids == ("item29",)


def test_page_state(session):
    assert workspace.recall("x", 3) == 3
    workspace.remember("x", None)
    assert workspace.recall("x", 3) is None
    session.clear()
    assert workspace.recall("x", 3) == 3


def test_the_session_cache_is_made_once_a_session(session):
    first = workspace.session_cache(object)
    assert workspace.session_cache(object) is first
    session.clear()
    assert workspace.session_cache(object) is not first


def test_the_select_box_follows_choices_made_elsewhere(small_dataset, session):
    workspace.add(small_dataset)
    workspace.follow_choice()
    assert session[workspace.CHOICE_KEY] == "thirty"
    session[workspace.CHOICE_KEY] = "chosen by the visitor"
    workspace.follow_choice()
    assert session[workspace.CHOICE_KEY] == "chosen by the visitor"
