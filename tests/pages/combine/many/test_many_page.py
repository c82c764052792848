"""The page Many kernels: its numbers are the core's, known similarities stay, weights keep their sum."""

import contextlib
import io
from dataclasses import replace

import numpy as np
import pytest
from sklearn.svm import SVC

from kernex_core import CrossValidation, DataSet, GramMatrix, Labels, judge, load_dataset, mkl
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.items.align import align
from kernex_core.studies.combination import weight_path
from kernex_core.studies.many_kernels import (
    ManyConfig,
    alignments_between,
    choosing_together,
    decision_parts,
    judging_together,
    normalised_kernel,
    on_items,
)
from pages.combine.many import judged
from pages.combine.many.weights import given_way
from pages.combine.several import picture, subject_of, words
from pages.server import workspace
from pages.ui.panels.accuracy import choice_sentence
from tests.pages.combine.lacking import kept, lacking, text
from tests.pages.conftest import switch

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "combine/many/many.py"


def test_of_several_kernels_the_one_that_has_no_cosine_is_named():
    with pytest.raises(
        InvalidInputError, match=r"-2 on the diagonal, item 1 of 'odd'\. Repair it on the page Kernels"
    ):
        normalised_kernel(GramMatrix(-2.0 * np.eye(3), ("a", "b", "c"), "odd"), "cosine")


def tab(at, name):
    """Open what one asks second."""
    at.session_state["many.tab"] = name
    at.run()
    assert not at.exception


def test_weights_that_were_learned_are_those_of_the_core_and_what_is_kept_with_them_leaks(open_page_test):
    data = load_dataset("three_sources")
    at = open_page_test(PATH, data)
    at.selectbox(key="weigh").set_value("MKL").run()
    assert not at.exception
    scaled = {v: GramMatrix(K.values).then(CosineNormalize()) for v, K in data.kernels.items()}
    wanted = mkl(scaled, data.labels.y, C=0.1)
    shown = next(table.value for table in at.table if "weight η" in table.value)
    assert [f"{w:.3f}" for w in wanted.weights] == shown.iloc[:, 1].tolist()
    assert "honest numbers are under Accuracy" in text(at)
    at.button(key="many.keep").click().run()
    K = next(K for name, K in kept(at, data.name).items() if name.startswith("weighted sum, MKL"))
    summed = sum(w * each.values for w, each in zip(wanted.weights, scaled.values(), strict=True))
    np.testing.assert_allclose(K.values, summed, atol=1e-12)
    # labels of tested items made the weights, whatever is fitted inside the folds
    for inductive in (False, True):
        judged = judge(K, data.labels, CrossValidation(repeats=1, inductive=inductive))
        assert judged.mode == "leak"


def test_where_no_item_is_in_all_kernels_it_is_said_which_two_share_fewest(open_page_test):
    # each item is in one or two of three kernels: "a" and "c" have one in common
    has = {"a": range(8), "b": (*range(7), *range(12, 15)), "c": (7, *range(12, 20))}
    kernels = {name: GramMatrix(np.eye(len(at)), tuple(f"i{k}" for k in at)) for name, at in has.items()}
    data = align(kernels, name="nowhere", how="union").data
    at = open_page_test(PATH, data)
    assert not at.exception
    assert not at.error
    (said,) = at.info
    assert said.value.startswith("No item is in all 3 kernels; a and c share fewest (1 item).")
    assert "a and c: 1 item." in text(at)
    assert any(link.proto.page == "together" for link in at.get("page_link"))
    assert any("0 are in all of them" in each.value for each in at.caption)
    assert len(at.get("plotly_chart")) == 1


@pytest.mark.parametrize("kind", ["weighted sum", "joint", "product"])
def test_the_script_of_a_combination_makes_it_again(open_page_test, rng, kind):
    at = open_page_test(PATH, lacking(rng), query={"kind": kind, "weigh": "alignment"})
    at.button(key="many.keep").click().run()
    assert not at.exception
    (K,) = kept(at, "lacking").values()
    from pages.combine.many.many import script

    printed, made = io.StringIO(), {}
    with contextlib.redirect_stdout(printed):
        exec(script(K), made)
    same = [value for value in made.values() if isinstance(value, GramMatrix) and value.digest == K.digest]
    assert same or any(
        np.array_equal(value.values, K.values) for value in made.values() if isinstance(value, GramMatrix)
    )


def test_only_what_all_kernels_have_and_what_is_left_out_is_named(open_page_test, rng):
    data = lacking(rng)
    subject = subject_of(data, ("k0", "k1", "k2"), True)
    assert subject.covered.complete
    assert set(subject.dropped) == {f"i{k:02d}" for k in range(15)}
    assert "Left out: 15 items" in words(subject)
    at = open_page_test(PATH, data)
    assert "Of 8 items that all have; 15 items left out." in text(at)
    assert "Complete together" in [link.proto.label for link in at.get("page_link")]
    tab(at, "Coverage")
    assert "Left out: 15 items" in text(at)


def test_kernels_of_other_open_data_come_by_id_and_what_they_have_besides_is_named(open_page_test, rng):
    data = lacking(rng, n=15, gone=3)
    two = replace(data, kernels={name: data.kernels[name] for name in ("k0", "k1")})
    third = data.kernels["k2"]
    at_home = np.flatnonzero(third.known)
    ids = tuple(f"new{k}" if k in at_home[:2] else name for k, name in enumerate(third.ids))
    there = DataSet("there", ids, kernels={"k2": GramMatrix(third.values, ids, "k2")})
    away = DataSet("away", ("x", "y", "z"), kernels={"far": GramMatrix(np.eye(3), ("x", "y", "z"), "far")})
    entries = {each.name: workspace._Entry(each) for each in (two, there, away)}
    at = open_page_test("start/start.py")
    at.session_state["kernex"] = workspace._State(entries, two.name, choice_is_stale=True)
    switch(at, PATH).run()
    assert not at.exception
    box = at.multiselect(key="many.kernels.lacking")
    assert (box.value, box.options) == (["k0", "k1"], ["k0", "k1", "k2 (there)"])
    box.set_value(["k0", "k1", "k2 (there)"]).run()
    assert not at.exception
    assert not at.error
    tab(at, "Coverage")
    assert rf"k2 \(there\) has {at_home.size - 2}" in text(at)
    assert "2 items left out, which these data do not have: new0, new1" in text(at)
    scaled = on_items(there.kernels["k2"], data.ids)
    np.testing.assert_array_equal(np.flatnonzero(scaled.known), at_home[2:])
    block = np.ix_(at_home[2:], at_home[2:])
    np.testing.assert_array_equal(scaled.values[block], third.values[block])
    with pytest.raises(InvalidInputError, match="in common"):
        on_items(away.kernels["far"], data.ids)


def test_a_weight_that_is_moved_moves_the_others(open_page_test):
    at = open_page_test(PATH, load_dataset("three_sources"))
    key = "many.hand.Three sources.3"
    at.slider(key=f"{key}.0").set_value(0.8).run()
    assert not at.exception
    assert [at.slider(key=f"{key}.{k}").value for k in range(3)] == [0.8, 0.1, 0.1]
    at.slider(key=f"{key}.1").set_value(0.0).run()
    values = [at.slider(key=f"{key}.{k}").value for k in range(3)]
    assert values[1] == 0.0
    assert sum(values) == pytest.approx(1.0, abs=0.011)


def test_a_link_reproduces_the_page(open_page_test):
    data = load_dataset("three_sources")
    query = {"kernels": "noise,clear", "weights": "0.3,0.9", "mkl_cost": "1", "protocol": "5,2,0.1,0,3"}
    at = open_page_test(PATH, data, query=query)
    assert at.multiselect(key="many.kernels.Three sources").value == ["noise", "clear"]
    assert [at.slider(key=f"many.hand.Three sources.2.{k}").value for k in range(2)] == [0.25, 0.75]
    assert at.query_params["kernels"] in ("noise,clear", ["noise,clear"])
    assert any("120 items, each judged twice, 5 folds, seed 3, C = 0.1" in c.value for c in at.caption)
    # what a visitor does from there on stands in the address, and is not undone by it
    at.number_input(key="many.cv.Three sources.seed").set_value(4).run()
    assert "protocol" not in at.query_params
    assert [at.query_params[f"cv_{field}"] for field in ("folds", "repeats", "C", "seed")] == [
        "5",
        "2",
        "0.1",
        "4",
    ]
    assert any("5 folds, seed 4" in c.value for c in at.caption)
    at.slider(key="many.hand.Three sources.2.0").set_value(0.4).run()
    assert at.query_params["weights"] in ("0.4,0.6", ["0.4,0.6"])
    at.selectbox(key="weigh").set_value("MKL").run()
    assert not at.exception
    assert at.select_slider(key="mkl_cost").value == 1.0
    at.multiselect(key="many.kernels.Three sources").set_value(["clear", "blurred", "noise"]).run()
    assert "kernels" not in at.query_params


@pytest.mark.parametrize(
    "nonsense",
    ["nan,1,0", "1,2", "-1,1,1", "a,b,c", ",,", "1e400,0,0", "clear,gone", "7,2,1,0,0", "5,0,nan,2,-1"],
)
def test_nonsense_in_the_address_is_taken_out_and_equal_weights_hold(open_page_test, rng, nonsense):
    at = open_page_test(
        PATH,
        lacking(rng, n=12, gone=2),
        query={"weights": nonsense, "kernels": nonsense, "protocol": nonsense},
    )
    assert not at.exception
    assert not at.error
    assert not {"weights", "kernels", "protocol"} & set(at.query_params)
    assert at.multiselect(key="many.kernels.lacking").value == ["k0", "k1", "k2"]


@pytest.mark.parametrize("weights", [(0.2, 0.3, 0.5), (1.0, 0.0, 0.0), (0.0, 1.0), (1.0,)])
@pytest.mark.parametrize("value", [0.0, 0.4, 1.0])
def test_weights_stay_on_the_simplex(weights, value):
    new = given_way(weights, 0, value)
    assert sum(new) == pytest.approx(1.0)
    assert min(new) >= 0.0
    if len(weights) > 1:
        assert new[0] == pytest.approx(value)


def test_without_classes_nothing_is_learned_and_one_kernel_is_too_few(open_page_test, rng):
    data = lacking(rng)
    at = open_page_test(PATH, data.with_labels(None))
    assert at.selectbox(key="weigh").options == ["by hand", "equal"]
    one = replace(data, kernels={"k0": data.kernels["k0"]})
    at = open_page_test(PATH, one)
    assert "It needs two kernels of the same items; these data have 1 kernel" in text(at)
    assert any(button.label == "Digits in five views" for button in at.button)


def test_hostile_names_are_drawn_as_text(open_page_test, rng):
    data = lacking(rng)
    names = dict(zip(["<b>x</b>", "$a$", "[l](http://x)"], data.kernels.values(), strict=True))
    hostile = DataSet("hostile", data.ids, data.labels, kernels={n: K.renamed(n) for n, K in names.items()})
    at = open_page_test(PATH, hostile)
    assert not at.exception
    made = picture(subject_of(hostile, tuple(names), False).covered, None)
    assert "<b>x" not in str(made.figure.to_dict())


def test_accuracies_are_those_of_the_core_with_weights_made_inside_the_folds(open_page_test, open_panels):
    data = load_dataset("three_sources")
    at = open_page_test(PATH, data)
    protocol = CrossValidation(C=data.defaults.C)
    config = ManyConfig(nugget=data.defaults.nugget)
    *_, found = judging_together(data.kernels, data.labels, protocol, config)
    assert list(found.judged) == [
        "clear alone", "blurred alone", "noise alone", "sum", "alignment", "MKL", "joint", "product",
    ]  # fmt: skip
    # one kernel alone has the treatment of the sums: cosine, the same folds and C
    alone = judge(data.kernels["clear"].then(CosineNormalize()), data.labels, protocol)
    assert found.judged["clear alone"].multi_class.mean == alone.multi_class.mean
    for weights in found.weights.values():
        np.testing.assert_allclose(weights.by_fold.sum(axis=1), 1.0)
        assert len(weights.by_fold) == protocol.folds * protocol.repeats
    assert judged.words(found) in text(at)
    said = text(at).replace("**", "")
    # each kernel alone and their equal sum learn nothing: where one of them does as well, that is said first
    assert {each.name for each in found.verdict.candidates} == set(found.judged)
    assert {each.name for each in found.verdict.candidates if each.plain} == {
        "clear alone", "blurred alone", "noise alone", "sum",
    }  # fmt: skip
    assert found.verdict.plain_does
    assert "is not told apart from the best" in said or f"{found.verdict.best.name} does best" in said
    assert {row["kernel"] for row in judged.rows(found)} == set(found.judged)
    tab(at, "Pairs")
    pairs = next(table.value for table in at.table if "kernels" in table.value)
    assert len(pairs) == 8 * 7 / 2
    at.button(key="many.choose").click().run()
    *_, choice = choosing_together(data.kernels, data.labels, protocol, config)
    assert choice_sentence(choice) in text(at)
    at.button(key="many.choose.use").click().run()
    assert not at.exception
    used = judged.use(choice.picks[0][0], list(data.kernels))
    if not callable(used):
        assert {name: at.selectbox(key=name).value for name in used} == used
    # what is chosen among is what the table shows
    for name, alone in zip(choice.names, choice.alone, strict=True):
        assert alone.mean() == pytest.approx(found.judged[name].multi_class.mean, abs=1e-12), name
    assert len(judged.weight_rows(found)) == 2 * 3 * protocol.folds * protocol.repeats


@pytest.mark.parametrize(("repeats", "near"), [(1, 0.15), pytest.param(3, 0.12, marks=pytest.mark.science)])
def test_labels_of_tested_items_say_nothing(rng, repeats, near):
    data = load_dataset("three_sources")
    drawn = Labels(data.ids, rng.permutation(data.labels.y))
    config = ManyConfig(kind="joint", weigh="MKL")
    protocol = CrossValidation(C=1.0, choose_C=True, repeats=repeats)
    *_, found = judging_together(data.kernels, drawn, protocol, config)
    assert "joint, MKL" in found.judged
    for name, made in found.judged.items():
        assert abs(made.multi_class.mean - 0.5) < near, name
    *_, choice = choosing_together(data.kernels, drawn, protocol, config)
    assert choice.names == tuple(found.judged)
    assert abs(choice.mean - 0.5) < near


def test_a_noise_kernel_is_added_by_a_click_and_gets_little_weight(open_page_test):
    at = open_page_test(PATH, load_dataset("three_sources"), query={"weigh": "MKL"})
    at.button(key="many.noise").click().run()
    assert not at.exception
    assert at.multiselect(key="many.kernels.Three sources").value == [
        "clear",
        "blurred",
        "noise",
        "noise, seed 0",
    ]
    weights = next(table.value for table in at.table if "weight η" in table.value)
    assert float(weights.iloc[3, 1]) < 0.2


def test_the_decision_on_an_item_is_the_sum_of_its_parts(open_page_test, open_panels):
    data = load_dataset("three_sources")
    at = open_page_test(PATH, data)
    kernels = [K.then(CosineNormalize()) for K in data.kernels.values()]
    found = decision_parts(kernels, data.labels, ManyConfig(), 0)
    rest = np.arange(1, data.n)
    summed = sum(w * K.values for w, K in zip(found.weights, kernels, strict=True))
    machine = SVC(kernel="precomputed", C=0.1, tol=1e-8).fit(summed[np.ix_(rest, rest)], data.labels.y[rest])
    wanted = machine.decision_function(summed[:1, 1:])[0]
    assert found.parts.sum() + found.bias[0] == pytest.approx(wanted, abs=1e-3)
    tab(at, "Alike")
    assert f"for {found.classes[0]}, the sum of these bars" in text(at)
    *_, along = weight_path(kernels, data.labels)
    again = mkl([K.values for K in kernels], data.labels.y, C=10.0)
    assert along.costs[-1] == 10.0
    # two runs to a gap of 0.1 %, from different starts
    np.testing.assert_allclose(along.weights[-1], again.weights, atol=0.05)
    tab(at, "Learned weights")
    assert "Learned on all labelled items, hinge loss" in text(at)
    cosines = alignments_between(kernels)
    centred = [K.values - K.values.mean(0) - K.values.mean(1)[:, None] + K.values.mean() for K in kernels[:2]]
    assert cosines[0, 1] == pytest.approx(
        (centred[0] * centred[1]).sum() / np.linalg.norm(centred[0]) / np.linalg.norm(centred[1])
    )


def test_view_files_with_empty_rows_and_one_of_several_label_columns_are_brought_and_completed(
    open_page_test, rng
):
    """Square files without ids, unknown rows and columns "nan", as text and as NumPy writes them."""
    views = list(lacking(rng, n=15, gone=3).kernels.values())
    values = [np.array(K.values[:14, :14]) for K in views]  # the last item is in none of them
    rows = [",".join(map(repr, row)) for row in values[0].tolist()]
    binary = io.BytesIO()
    np.save(binary, values[1])
    lines = [f"{k + 1},{'ab'[k % 2]},{'xyz'[k % 3]},{1.5 + 0.37 * k}" for k in range(14)]
    labels = "\n".join(["id,kind,shape,temperature", *lines])
    at = open_page_test("data/data.py")
    files = [
        ("one.csv", "\n".join(rows).encode()),
        ("two.npy", binary.getvalue()),
        ("l.csv", labels.encode()),
    ]
    at.file_uploader[0].set_value([(name, data, "text/plain") for name, data in files]).run()
    box = next(each for each in at.get("button_group") if each.key.endswith("label_column"))
    box.set_value("temperature").run()
    at.button(key="data.add").click().run()
    assert not at.error
    state = at.session_state["kernex"]
    data = state.entries[state.chosen].dataset
    assert [int(K.known.sum()) for K in data.kernels.values()] == [11, 11]
    switch(at, "combine/together/together.py").run()
    assert not at.error
    assert any("certificate holds" in block.value for block in at.markdown)
    at.button(key="many.completed.keep").click().run()
    switch(at, "evaluate/evaluate.py").run()
    assert not at.exception
    assert at.segmented_control(key="target").value == "numbers"


def test_where_nothing_can_be_judged_it_is_said_why(open_page_test, rng):
    """With too few items a class the panel stood empty."""
    data = lacking(rng, n=12, count=2, gone=0)
    y = np.array([f"c{k // 2}" for k in range(11)])
    at = open_page_test(
        PATH, replace(data, labels=Labels(next(iter(data.kernels.values())).ids[:11], y)), {"cv_folds": "5"}
    )
    assert not at.exception
    said = text(at)
    assert "k0 alone, k1 alone, sum and 4 more could not be judged." in said
    assert said.count("2 in the largest") == 1


def test_a_weight_is_said_once(open_page_test):
    """By its slider, or where none is drawn by the table."""
    at = open_page_test(PATH, load_dataset("three_sources"))
    assert not any("weight η" in table.value for table in at.table)
    at.selectbox(key="weigh").set_value("equal").run()
    said = next(table.value for table in at.table if "weight η" in table.value)
    assert said.iloc[:, 1].tolist() == ["0.333"] * 3
    assert not [slider for slider in at.slider if "hand" in (slider.key or "")]


def test_what_one_asks_second_is_no_primary_button(open_page_test):
    at = open_page_test(PATH, load_dataset("three_sources"))
    kinds = {button.key: button.proto.type for button in at.button}
    assert kinds["many.chance.run"] == kinds["many.keep"] == kinds["many.choose"] == "secondary"
