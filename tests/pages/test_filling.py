import contextlib
import dataclasses
import io

import pytest

from kernex_core.datasets.catalogue import load_dataset
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.filling import filling
from pages.shared.views.filling import script


@pytest.fixture(scope="module")
def hits():
    return dataclasses.replace(load_dataset("structure_hits"), name="hits")


def test_every_way_is_shown_and_one_can_be_kept(open_page_test, hits):
    at = open_page_test("kernels/kernels.py", hits)
    table = next(t.value for t in at.table if "Unknown pairs become" in t.value)
    assert len(table) == 4
    at.segmented_control(key="fill.method").set_value("lowest").run()
    at.button(key="fill.keep").click().run()
    assert not at.exception
    assert "structure hits, filled with lowest" in at.session_state["kernex"].entries["hits"].kernels


def test_a_data_set_without_unknown_pairs_does_not_show_it(open_page_test, small_dataset):
    whole = dataclasses.replace(small_dataset, kernels={"source": small_dataset.kernels["source"]}, target="")
    at = open_page_test("kernels/kernels.py", whole)
    assert not any("Unknown pairs become" in t.value for t in at.table)


def test_where_most_pairs_are_unknown_they_come_first_and_nothing_is_red(open_page_test, hits):
    at = open_page_test("kernels/kernels.py", hits)
    assert not at.error
    assert [h.value for h in at.header] + [h.value for h in at.subheader] == ["Unknown pairs", "PSD doctor"]
    assert any("of one class: there is nothing to judge" in text.value for text in at.markdown)


def test_the_script_finds_the_accuracy_of_the_table(hits):
    K = next(K for K in hits.kernels.values() if not K.unknown.complete)
    row = next(iter(filling(K, hits.labels, CrossValidation(repeats=2))))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script("hits", row), {})
    assert float(printed.getvalue().split()[-1]) == pytest.approx(row.judgement.multi_class.mean)
