import dataclasses

import pytest

from kernex_core.datasets.catalogue import load_dataset


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
