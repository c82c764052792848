import contextlib
import dataclasses
import io

import numpy as np
import pytest

from kernex_core.datasets.catalogue import DATASETS, load_dataset
from kernex_core.gram import spectrum as decomposition
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.tridiagonal import tridiagonalising
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.inspection import filling
from pages.kernels.kernels import AUTOMATIC, script, unknown_pairs

ALL_AT_ONCE = pytest.mark.usefixtures("open_tabs")


@pytest.fixture(scope="module")
def hits():
    return dataclasses.replace(load_dataset("structure_hits"), name="hits")


@ALL_AT_ONCE
def test_every_way_is_shown_and_one_can_be_kept(open_page_test, hits):
    at = open_page_test("kernels/kernels.py", hits)
    table = next(t.value for t in at.table if "Unknown pairs become" in t.value)
    assert len(table) == 4
    at.segmented_control(key="fill.method").set_value("lowest").run()
    at.button(key="fill.keep").click().run()
    assert not at.exception
    assert "structure hits, filled with lowest" in at.session_state["kernex"].entries["hits"].kernels


def test_a_large_table_opens_without_a_decomposition_of_it_and_says_what_a_click_will_ask_for(
    open_page_test, monkeypatch
):
    n, rng = AUTOMATIC + 60, np.random.default_rng(2)
    values = np.full((n, n), np.nan)
    np.fill_diagonal(values, 100.0)
    i, j = rng.integers(0, n, (2, n // 2))
    values[i, j] = values[j, i] = 30.0
    ids = tuple(f"i{k}" for k in range(n))
    labels = Labels(ids, np.where(np.arange(n) % 2, "a", "b"))
    sizes = []
    monkeypatch.setattr(
        decomposition, "tridiagonalising", lambda K: sizes.append(len(K)) or tridiagonalising(K)
    )
    at = open_page_test(
        "kernels/kernels.py", DataSet("hits", ids, labels, kernels={"hits": GramMatrix(values, ids)})
    )
    assert max(sizes) < n / 2
    assert any(
        "4 ways, each with the eigenvalues of 360 items and 10 folds × 2 classes" in c.value
        for c in at.caption
    )
    at.button(key="fill.run").click().run()
    assert max(sizes) == n
    assert any("Unknown pairs become" in t.value for t in at.table)
    assert "fill.run" not in {button.key for button in at.button}  # nothing is left to run


def test_a_data_set_without_unknown_pairs_does_not_show_it(open_page_test, small_dataset):
    whole = dataclasses.replace(small_dataset, kernels={"source": small_dataset.kernels["source"]}, target="")
    at = open_page_test("kernels/kernels.py", whole)
    assert not any("Unknown pairs become" in t.value for t in at.table)


@ALL_AT_ONCE
def test_where_most_pairs_are_unknown_they_come_first_and_nothing_is_red(open_page_test, hits):
    at = open_page_test("kernels/kernels.py", hits)
    assert not at.error
    titles = [bold(each.value) for each in at.markdown]
    assert titles.count("Unknown pairs") == 1
    # it opens on the filled kernel, so that the doctor has something to say; as reported 12 items of one class are known
    doctor = next(t.value for t in at.table if "Repair" in t.value)
    assert not any("nothing to judge" in text.value for text in at.markdown)
    assert sum("±" in cell for cell in doctor[next(c for c in doctor if c.startswith("Multi-class"))]) == 4
    items = next(m for m in at.metric if m.label == "Items known")
    assert items.value == "120"
    at.segmented_control(key="kernels.filled.hits.structure hits").set_value("left unknown").run()
    assert not at.exception
    assert next(m for m in at.metric if m.label == "Items known").value == "12"
    assert any("of one class: there is nothing to judge" in text.value for text in at.caption)


@pytest.mark.parametrize("size", [1e-300, 1e300])
@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
def test_where_the_doctor_is_refused_the_unknown_pairs_stand_once(open_page_test, open_tabs, size, share):
    n, rng = 20, np.random.default_rng(3)
    X = rng.normal(size=(n, 4))
    values = size * (X @ X.T)
    gone = rng.permutation(n)[: int(share * n)]
    values[gone] = values[:, gone] = np.nan
    ids = tuple(f"i{i}" for i in range(n))
    labels = Labels(ids, np.where(np.arange(n) % 2, "a", "b"))
    at = open_page_test(
        "kernels/kernels.py", DataSet("far", ids, labels, kernels={"far": GramMatrix(values, ids, "far")})
    )
    assert [bold(each.value) for each in at.markdown].count("Unknown pairs") == 1
    assert at.error


def test_pairs_of_two_items_are_counted_and_agree_with_the_card(hits):
    K = hits.kernels["structure hits"]
    card = next(demo.question for demo in DATASETS if demo.name == "structure_hits")
    assert unknown_pairs(K) == "6,040 of 7,140 pairs unknown (85\u00a0%)"
    assert "15 %" in card
    assert "15 %" in hits.description


def test_unknown_self_similarities_are_no_pairs():
    values = np.array([[np.nan, np.nan, 1.0], [np.nan, 2.0, 0.5], [1.0, 0.5, 2.0]])
    K = GramMatrix(values, ("a", "b", "c"))
    assert (K.unknown.unknown_pairs, K.unknown.unknown_selves, K.unknown.between) == (2, 1, 1)
    assert unknown_pairs(K) == "1 of 3 pairs unknown (33\u00a0%), and the self-similarities of 1 item"
    one = GramMatrix(np.array([[np.nan]]), ("a",))
    assert unknown_pairs(one) == "0 of 0 pairs unknown (0\u00a0%), and the self-similarities of 1 item"


def test_the_script_finds_the_accuracy_of_the_table(hits):
    K = next(K for K in hits.kernels.values() if not K.unknown.complete)
    row = list(filling(K, hits.labels, CrossValidation(repeats=2)))[-1].rows[0]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script("hits", row), {})
    last = printed.getvalue().splitlines()[-1]
    assert float(last.split()[2]) == pytest.approx(row.judgement.multi_class.mean)
    assert last.endswith(f"{row.judgement.rests_on} {row.judgement.interval()} {row.judgement.state.words}")


@ALL_AT_ONCE
def test_the_choice_of_a_fill_is_made_again_inside_the_training_folds_and_used(open_page_test, hits):
    at = open_page_test("kernels/kernels.py", hits)
    at.button(key="fill.choose").click().run()
    assert not at.exception
    assert any("each choosing among 4 by 5 folds" in each.value for each in at.caption)
    use = [each for each in at.button if each.key == "fill.choose.use"]
    if use:
        use[0].click().run()
        assert not at.exception
        assert use[0].label.endswith(at.segmented_control(key="fill.method").value + "]")


def test_the_part_of_unknown_pairs_comes_last_where_most_are_known(open_page_test, small_dataset):
    at = open_page_test("kernels/kernels.py", small_dataset)
    assert [tab.label for tab in at.tabs][-2:] == ["Unknown pairs", "Method"]
    assert at.tabs[0].label != "Unknown pairs"


def test_where_most_are_unknown_their_part_is_open(open_page_test, hits):
    at = open_page_test("kernels/kernels.py", hits)
    assert [tab.label for tab in at.tabs][:2] == ["Unknown pairs", "Repairs"]
    assert [bold(each.value) for each in at.markdown].count("Unknown pairs") == 1


def bold(text):
    """What a text in markdown has in bold first."""
    return text.split("**")[1] if text.count("**") > 1 else ""
