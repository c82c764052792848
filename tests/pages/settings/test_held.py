"""What a setting is: a text from anywhere, within bounds or its default; in no address where it names what is data."""

import re

import numpy as np
import pytest

from kernex_core import DataSet, GramMatrix
from pages.server.declared import Setting, declared, of_items, setting
from pages.server.visitors.contents import Contents
from pages.server.visitors.tab import LONGEST_SETTING
from tests.pages.conftest import switch
from tests.pages.settings.travel import Moved, Spy, with_data

HOSTILE = (
    "nan",
    "inf",
    "1e309",
    "-1",
    "9" * 5_000,
    "<script>alert(1)</script>",
    "**x**",
    "\x00",
    "x" * 25_000,
    "",
    ",,,",
)
COMPLETE = "complete/complete.py"
NAMES = (
    "lam",
    "hidden_more",
    "nugget",
    "seed",
    "repair",
    "cv_folds",
    "cv_repeats",
    "cv_C",
    "target",
    "source",
    "measure",
    "normalize",
)


@pytest.fixture
def spy(monkeypatch):
    made = Spy()
    made.watch(monkeypatch)
    return made


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_in_an_address_or_a_file_is_the_default(spy, small_dataset, text):
    usual = Moved(spy, COMPLETE, with_data(small_dataset)).values
    names = NAMES[:1] if len(text) > 10_000 else NAMES  # Streamlit lets no longer address through
    page = Moved(spy, COMPLETE, with_data(small_dataset), query=dict.fromkeys(names, text))
    assert (page.values, page.link) == (usual, {"settings": "usual"})
    held = {"settings.pages": {"complete": dict.fromkeys(NAMES, text)}}
    page = Moved(spy, COMPLETE, Contents(with_data(small_dataset).entries, held, small_dataset.name))
    assert (page.values, page.link) == (usual, {"settings": "usual"})
    assert all(len(said) <= LONGEST_SETTING for said in page.link.values())


def test_a_link_says_all_and_not_only_what_stands_in_it(spy, small_dataset):
    held = {"settings.pages": {"complete": {"lam": "0.5", "cv_folds": "10"}}}
    contents = Contents(with_data(small_dataset).entries, held, small_dataset.name)
    own = Moved(spy, COMPLETE, contents).values
    assert (own["lam"], own["cv_folds"]) == (0.5, 10)
    assert Moved(spy, COMPLETE, contents, query={"lam": "0.3"}).values["cv_folds"] == 2
    usual = Moved(spy, COMPLETE, contents, query={"settings": "usual"})
    assert (usual.values["lam"], usual.link) == (0.25, {"settings": "usual"})
    assert usual.contents.settings["settings.pages"] == {}


def test_zero_that_a_picture_has_put_there_stays_zero(spy, small_dataset):
    page = Moved(spy, COMPLETE, with_data(small_dataset))
    page.set(lam=0.0)
    assert page.link == {"lam": "0"}
    assert Moved(spy, COMPLETE, with_data(small_dataset), query=page.link).values["lam"] == 0.0


def test_what_is_forgotten_is_as_usual_though_its_widget_is_still_drawn(spy, small_dataset):
    page = Moved(spy, COMPLETE, with_data(small_dataset))
    page.set(lam=0.5)
    page.tab.forget()
    page.at.session_state["kernex"].space.contents = with_data(small_dataset)
    page.at.session_state["kernex"].chosen = small_dataset.name
    page.run()
    assert (page.values["lam"], page.link) == (0.25, {"settings": "usual"})


def test_two_pages_have_two_settings_of_one_name(spy, small_dataset):
    source = small_dataset.kernels["source"]
    page = Moved(spy, COMPLETE, with_data(small_dataset.with_kernel("other", source.renamed("other"))))
    usual = page.values["nugget"]
    page.set(nugget=0.5)
    switch(page.at, "combine/combine.py")
    page.run()
    assert page.values["nugget"] == usual
    switch(page.at, COMPLETE)
    page.run()
    assert (page.values["nugget"], page.link) == (0.5, {"nugget": "0.5"})


def test_what_is_declared_twice_or_cannot_stand_in_an_address_is_a_mistake():
    for settings in (
        [setting("a", "A"), of_items("a", "A")],
        [Setting("data", "Data")],
        [setting("a b", "A")],
    ):
        with pytest.raises(ValueError, match="is declared twice"):
            declared(*settings)


def chips(page):
    """What stands beside the title in blue."""
    said = [each.value for each in page.at.markdown if each.value.startswith(":blue-badge[")]
    return [
        each.replace("\\", "") for text in said for each in re.findall(r":blue-badge\[(.*?)\](?= :|$)", text)
    ]


def test_what_differs_stands_beside_the_title_at_once_and_is_counted_and_taken_back(spy, small_dataset):
    page = Moved(spy, COMPLETE, with_data(small_dataset), query={"cv_folds": "5", "seed": "3", "lam": "0.6"})
    assert chips(page) == ["Seed: 3", "Folds: 5"]  # not λ: it stands in full view
    page.set(repair="flip")
    assert [said.partition(":")[0] for said in chips(page)] == [
        "Repair of negative eigenvalues",
        "Seed",
        "Folds",
    ] or len(chips(page)) == 3
    assert any("3 settings differ" in each.value for each in page.at.markdown)
    page.at.button(key="settings.usual").click()
    page.run()
    assert chips(page) == []
    assert page.link == {"lam": "0.6"}
    assert (page.values["seed"], page.values["repair"]) == (0, "clip")


def test_a_text_that_no_widget_takes_is_no_difference(spy, small_dataset):
    page = Moved(spy, COMPLETE, with_data(small_dataset), query={"cv_folds": "<b>9</b>", "seed": "3"})
    assert chips(page) == ["Seed: 3"]


def test_settings_that_belong_to_another_page_now_are_there(spy):
    parts = {}
    for v, gone in enumerate((slice(0, 3), slice(3, 6))):
        K = np.eye(12)
        K[gone], K[:, gone] = np.nan, np.nan
        parts[f"k{v}"] = GramMatrix(K, tuple("abcdefghijkl"), f"k{v}")
    data = DataSet("two", tuple("abcdefghijkl"), kernels=parts)
    held = {
        "settings.pages": {"many": {"many_way": "mean", "kind": "joint"}},
        "settings.data.two": {"many": {"completed": "k1"}},
    }
    page = Moved(spy, "combine/together/together.py", Contents(with_data(data).entries, held, "two"))
    assert (page.values["many_way"], page.values["completed"]) == ("mean", "k1")
    assert Moved(spy, "combine/many/many.py", page.contents).values["kind"] == "joint"
