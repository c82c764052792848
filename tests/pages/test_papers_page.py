import dataclasses

import pytest

from kernex_core.datasets.catalogue import load_dataset

PATH = "papers/extrapolation.py"


@pytest.fixture(scope="module")
def world():
    return dataclasses.replace(load_dataset("protein_world"), name="world")


def test_the_demo_is_measured_at_once_and_shown_beside_what_is_printed(open_page_test, world):
    at = open_page_test(PATH, world)
    at.run()
    assert not at.error
    cells = str([table.value.to_dict() for table in at.table])
    assert "98.5 ± 1.3" in cells
    assert "**98.4**" in cells
    assert any("1,030 decisions" in caption.value for caption in at.caption)
    assert any("Repetitions decide on the same items again" in caption.value for caption in at.caption)


def test_another_seed_moves_the_measured_numbers_only(open_page_test, world):
    at = open_page_test(PATH, world)
    before = at.table[0].value.to_dict("list")
    at.number_input(key="papers.world.seed").set_value(3).run()
    after = at.table[0].value.to_dict("list")
    assert before != after
    published = [i for i, kind in enumerate(before[" "]) if kind == "published"]
    for column in before:
        assert [before[column][i] for i in published] == [after[column][i] for i in published]


def test_multi_class_shows_nothing_printed_since_the_paper_has_none(open_page_test, world):
    at = open_page_test(PATH, world)
    at.segmented_control(key="papers.measure").set_value("multi-class").run()
    assert "published" not in at.table[0].value.to_dict("list")[" "]


def test_a_target_that_is_partly_unknown_is_refused_with_the_remedy(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset)
    assert "known for all items" in at.error[0].value or "known for all items" in str(at.error[0].proto)


def test_without_labels_it_says_what_is_missing(open_page_test, world):
    at = open_page_test(PATH, world.with_labels(None))
    assert at.error
    assert not at.table
