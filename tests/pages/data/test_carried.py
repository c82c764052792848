"""Save workspace and Open workspace: nothing that is here is lost without a question, and hostile files change nothing."""

import dataclasses

import numpy as np
import pytest

from kernex_core import (
    DataSet,
    KernexError,
    Labels,
    OpenData,
    Selection,
    Sequences,
    Vectors,
    Workspace,
    read_workspace,
    write_workspace,
)
from pages.server.visitors import limits
from pages.server.visitors.contents import Contents, Entry
from pages.server.visitors.tab import added, carried, check_items, in_place
from tests.kernex_core.workspace import hostile
from tests.pages.conftest import switch

PAGE = "data/data.py"


def lid(at):
    at.session_state["data.workspace.lid"] = True
    return at.run()


def give(at, data, name="mine.kernex"):
    at.file_uploader[-1].upload(name, data).run()
    assert not at.exception
    return at


def text(at):
    return " ".join(each.value for each in (*at.markdown, *at.caption))


def named(at):
    return list(at.session_state["kernex"].seen.entries)


@pytest.fixture
def file(small_dataset):
    kept = small_dataset.kernels["source"].take(np.arange(6)).renamed("part")
    other = dataclasses.replace(small_dataset, name="other")
    data = (
        OpenData(
            dataclasses.replace(small_dataset, description="another"),
            {"part": kept},
            Selection(classes=("a",)),
        ),
        OpenData(other),
    )
    addresses = {"complete": {"data": "thirty", "lam": "0.5"}, "data": {"data": "thirty"}, "bad": 3}
    return write_workspace(
        Workspace(data, "thirty", {"addresses": addresses, "chosen.pair.other": ["item1", "item2"]})
    )


def test_a_file_is_added_beside_what_is_here(open_page_test, small_dataset, file):
    at = give(lid(open_page_test(PAGE, small_dataset)), file)
    assert named(at) == ["thirty"]
    assert "**other**: 30 items" in text(at)
    assert "a selection of items" in text(at)
    assert "thirty is added as thirty \\(2\\)" in text(at)
    at.button(key="data.workspace.add").click().run()
    assert not at.exception
    assert named(at) == ["thirty", "thirty (2)", "other"]
    assert at.sidebar.selectbox(key="data").value == "thirty (2)"
    state = at.session_state["kernex"]
    assert list(state.seen.entries["thirty (2)"].kernels) == ["part"]
    assert state.seen.settings == {
        "chosen.pair.other": ("item1", "item2"),
        "settings.pages": {"complete": {"lam": "0.5"}},
    }
    links = at.get("page_link")
    assert [each.proto.label for each in links if "settings" in each.proto.label] == [
        "Complete, with its settings"
    ]


def test_replacing_asks_first_and_says_what_is_closed(open_page_test, small_dataset, file):
    at = give(lid(open_page_test(PAGE, dataclasses.replace(small_dataset, name="precious"))), file)
    assert "1 data set with 0 kept kernels would be closed, in all your tabs: precious" in text(at)
    at.button(key="data.workspace.replace").click().run()
    assert named(at) == ["thirty", "other"]


@pytest.mark.parametrize("data", [b"x", hostile.GOOD[:-40], next(iter(hostile.code()))[1]])
def test_a_hostile_file_is_refused_in_a_sentence(open_page_test, small_dataset, data):
    at = give(lid(open_page_test(PAGE, small_dataset)), data)
    assert len(at.error) == 1
    assert named(at) == ["thirty"]
    assert "data.workspace.add" not in {each.key for each in at.button}


def test_an_unfitting_selection_is_refused_before_anything_is_changed(small_dataset):
    from kernex_core import InvalidInputError

    file = Workspace((OpenData(small_dataset, selection=Selection(classes=("none such",))),))
    for take in (in_place, lambda each: added(Contents(), each)):
        with pytest.raises(InvalidInputError):
            take(file)


def test_what_is_here_already_is_not_added_again_and_what_is_saved_is_opened(small_dataset):
    here = Contents(
        {"thirty": Entry(small_dataset)},
        {
            "chosen.items.thirty": ("item1",),
            "limit": 7,
            "settings.pages": {"combine": {"combine_lam": "0.3"}},
            "settings.data.thirty": {"combine": {"first": "target"}},
        },
        "thirty",
    )
    file = carried(here, "thirty")
    again = added(here, file)
    assert again.here_already == ("thirty",)
    assert list(again.contents.entries) == ["thirty"]
    opened = in_place(file)
    limit = here.settings.pop("limit")  # limits are a server's own
    assert opened.contents.settings == here.settings
    assert limit == 7
    assert opened.addresses == {"combine": {"data": "thirty", "combine_lam": "0.3", "first": "target"}}


def test_settings_are_taken_where_they_are_what_they_have_to_be(small_dataset):
    settings = {
        "chosen.items.a": [1],
        "chosen.pair.a": ["x"],
        "waiting": ["x"],
        "addresses": {"complete": {"lam": 1}},
        "settings.pages": {"complete": {"lam": ["0.5"]}},
        "settings.data.thirty": {"complete": {"target": "x" * 20_001}},
        "settings.data.other": "x",
        "chosen.items.b": ["a\ud800"],
    }
    for half in ({"lam": "\ud800"}, {"\ud800": "0.5"}):  # would be in an address that cannot be sent
        for key in ("settings.pages", "settings.data.thirty"):
            opened = in_place(Workspace((OpenData(small_dataset),), None, {key: {"complete": half}}))
            assert (opened.contents.settings, opened.addresses) == ({}, {})
    opened = in_place(Workspace((OpenData(small_dataset),), None, settings))
    assert (opened.contents.settings, opened.addresses) == ({}, {})


def test_the_settings_of_a_page_are_known_when_it_is_left(open_page_test, small_dataset):
    at = open_page_test("complete/complete.py", small_dataset, query={"lam": "0.5"})
    assert at.session_state["kernex"].space.contents.settings == {
        "settings.pages": {"complete": {"lam": "0.5"}}
    }


def test_what_no_page_could_show_is_refused_with_a_sentence(small_dataset):
    data, K, half = small_dataset, small_dataset.kernels["source"], "a\ud800"
    classes = Labels(("a", "b"), np.array(["x", half]))
    groups = Labels(("a", "b"), np.array(["x", "y"]), np.array(["x", half]))
    table = Vectors(("a", "b"), np.eye(2), (half, "y"))
    strings = Sequences(("a", "b"), ("x", half), "text")
    for held, said in (
        (
            OpenData(dataclasses.replace(data, name="x" * 2_000)),
            "at most 1,000 characters here. Found: 2,000",
        ),
        (OpenData(data, {"x" * 2_000: K}), "at most 1,000 characters here. Found: 2,000"),
        (OpenData(dataclasses.replace(data, name=half)), r"'a\ud800', which cannot be shown"),
        (OpenData(data, {half: K}), r"'a\ud800', which cannot be shown"),
        (OpenData(DataSet("x", ("a", half))), r"'a\ud800', which cannot be shown"),
        (OpenData(DataSet("x", ("a", "b"), labels=classes)), r"'a\ud800', which cannot be shown"),
        (OpenData(DataSet("x", ("a", "b"), labels=groups)), r"'a\ud800', which cannot be shown"),
        (OpenData(DataSet("x", ("a", "b"), description=half)), r"'a\ud800', which cannot be shown"),
        (OpenData(data, selection=Selection(label_pattern=half)), r"'a\ud800', which cannot be shown"),
        (OpenData(DataSet("x", ("a", "b"), samples={"table": table})), r"'a\ud800', which cannot be shown"),
        (OpenData(DataSet("x", ("a", "b"), samples={"s": strings})), r"'a\ud800', which cannot be shown"),
    ):
        with pytest.raises(KernexError) as refused:
            check_items(read_workspace(write_workspace(Workspace((held,)))), 5_000)
        assert said in str(refused.value)
    check_items(Workspace((OpenData(data),)), 5_000)


def test_what_another_tab_adds_while_a_file_is_opened_stays(open_page_test, small_dataset, file, monkeypatch):
    from pages.data import carried as page

    at = give(lid(open_page_test(PAGE, small_dataset)), file)
    space, check = at.session_state["kernex"].space, page.check_items

    def meanwhile(*given):
        space.contents, _ = space.contents.with_new(
            dataclasses.replace(small_dataset, name="of the other tab")
        )
        return check(*given)

    monkeypatch.setattr(page, "check_items", meanwhile)
    at.button(key="data.workspace.add").click().run()
    assert not at.exception
    assert "of the other tab" in named(at)
    assert "other" in named(at)


def test_a_data_set_that_a_script_wrote_without_a_name_has_one_here(small_dataset):
    from pages.server.visitors.tab import named as with_names

    held = [OpenData(dataclasses.replace(small_dataset, name=name)) for name in ("", "unnamed", " ")]
    file = with_names(Workspace(tuple(held), ""))
    assert [each.dataset.name for each in file.data] == ["unnamed (2)", "unnamed", "unnamed (3)"]
    assert file.chosen == "unnamed (2)"


def test_a_file_is_opened_up_to_what_the_server_keeps(open_page_test, small_dataset, monkeypatch):
    file = write_workspace(Workspace((OpenData(small_dataset),)))
    monkeypatch.setattr(limits, "workspace_bytes", lambda: 10_000)
    at = give(lid(open_page_test(PAGE)), file)
    assert "kB in 5 parts" in at.error[0].value
    assert not [each for each in at.button if each.key == "data.workspace.add"]


def test_a_workspace_that_is_dropped_on_the_first_page_is_looked_at_and_opened(open_page_test, file):
    at = open_page_test("start/start.py")
    at.file_uploader[0].upload("mine.kernex", file).run()
    assert not at.exception
    assert [each.value for each in at.title] == ["Data"]
    switch(at, PAGE).run()  # where the visitor is now, which a test does not know by itself
    assert "a saved workspace" in text(at)
    assert "**other**: 30 items" in text(at)
    at.button(key="data.workspace.add").click().run()
    assert not at.exception
    assert named(at) == ["thirty", "other"]
    assert "a saved workspace" not in text(at)


def test_a_file_holds_what_is_one_s_own_and_what_is_open(small_dataset):
    from pages.ui.frame import demo

    entries = {title: Entry(demo(title, title)) for title in ("Protein world", "Karate club")}
    contents = Contents({**entries, small_dataset.name: Entry(small_dataset)}, last="Karate club")
    for chosen, held in (("Karate club", ["Karate club", "thirty"]), ("thirty", ["thirty"])):
        assert [each.dataset.name for each in carried(contents, chosen).data] == held
