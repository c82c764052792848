from dataclasses import replace

import numpy as np
import pytest

from kernex_core.conditioning.power import SignedPower
from kernex_core.datasets.markov_strings import markov_strings
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.sequences.subsequence import Subsequence
from kernex_core.learning.copies import copies_of
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.machine import Margin
from kernex_core.learning.protocol import Protocol
from kernex_core.studies.completion.share_sweep import joint_curve
from kernex_core.studies.completion.share_sweep import sweeping as completing
from kernex_core.studies.completion.study import CompletionConfig, prepare_source
from kernex_core.studies.diagonals.shrink import DiagonalConfig
from kernex_core.studies.diagonals.strength_sweep import choosing_strength, losses_at, sweeping
from pages.kernels.power import power as view
from pages.kernels.power.losses import rows
from pages.kernels.power.results import script
from pages.kernels.power.subject import subject_of, sweep
from pages.ui.panels.accuracy import choice_sentence
from tests.pages.conftest import switch
from tests.pages.matrices import head

PATH = "kernels/power/power.py"
pytestmark = pytest.mark.usefixtures("open_tabs", "kept_results")


@pytest.fixture(scope="module")
def strings():
    """The demo with its kernel in place, and few repetitions."""
    data = markov_strings(4)
    K = Subsequence(3, 0.25).similarities(data.samples["strings"], name="ssk")
    return replace(data, defaults=Defaults(C=1e6, folds=2, repeats=3)).with_kernel("ssk", K)


def texts(at):
    return " ".join(
        [block.value for block in at.markdown]
        + [block.value for block in at.caption]
        + [error.value for error in at.error]
    )


def pictured(at):
    """Everything that is written in figures, those of lessons apart."""
    charts = [chart.proto for chart in at.get("plotly_chart")]
    return " ".join(chart.spec for chart in charts if "diagonals.lesson" not in chart.id)


def losses(at):
    return next(
        each.value
        for each in at.table
        if "classifier" in each.value.columns and "as it is" in each.value.columns
    )


def shown_page(at):
    """What the page has noted of what it shows."""
    return at.session_state["kernex"].memory["shown.page"]


def test_cold_it_judges_every_p_and_tells_before_and_after(open_page_test, strings):
    at = open_page_test(PATH, strings)
    assert not at.error
    assert ":gray-badge[transductive]" in texts(at)
    assert "transductive: map of all points" in pictured(at)
    before, after = head(at, "diagonals.maps")["panels"]
    assert before["note"] == "dominance 83.7, large"
    assert after["note"].startswith("dominance ")
    assert [follow["kind"] for follow in head(at, "diagonals.maps")["drag"]["follows"]] == ["empirical"]
    shown = losses(at)
    assert [name.split()[0] for name in shown["classifier"]] == ["SVM", "1-NN", "SVM"]
    before, now = (
        float(shown[c].iloc[0].strip("*").split()[0].strip("*")) for c in ("as it is", "at p = 0.5")
    )
    assert now < before
    metrics = {metric.label.partition(" :gray[")[0]: metric.value for metric in at.metric}
    assert float(metrics["Diagonal ratio"]) < 10


def test_warm_a_move_of_p_keeps_the_sweep_and_moves_the_numbers(open_page_test, strings):
    at = open_page_test(PATH, strings)
    first = {metric.label: metric.value for metric in at.metric}
    at.slider(key="power").set_value(0.25).run()
    assert not at.exception
    assert "at p = 0.25" in losses(at)
    assert {metric.label: metric.value for metric in at.metric} != first


@pytest.mark.alone
@pytest.mark.parametrize("stopped", [False, True])
def test_an_interrupted_sweep_goes_on_by_itself_unless_it_was_stopped(open_page_test, strings, stopped):
    from pages.server.cache import BoundedCache

    at = open_page_test(PATH)
    args = (
        DiagonalConfig(), strings.kernels["ssk"], strings.labels,
        Protocol(CrossValidation(folds=2, repeats=3, C=1e6)),
    )  # fmt: skip
    states = sweeping(*args)
    partial = [next(states) for _ in range(4)][-1]
    space = at.session_state["kernex"]
    space.cache = space.cache or BoundedCache(100, 10**9)
    space.cache.put(sweep.key(*args), partial)
    space.memory["diagonals.stopped"] = sweep.key(*args) if stopped else None
    bring_to(at, strings)
    at.run()
    assert not at.exception
    run = [button.label for button in at.button if button.key == "diagonals.run"]
    assert ("lowest of the 3 values" if stopped else "lowest of the 10 values") in losses(at)
    assert run == (["Continue"] if stopped else [])


def test_of_own_data_that_take_long_a_part_is_judged_without_a_click_and_then_the_rest(
    open_page_test, strings, monkeypatch
):
    from pages.kernels.power import subject as page_subject

    monkeypatch.setattr(page_subject, "MOST_AUTOMATIC", 0)
    at = open_page_test(PATH, strings)
    assert "6 of 11 kernels are done and shown." in texts(at)
    assert "lowest of the 5 values" in str(losses(at).columns)
    assert "at p = 0.5" in losses(at)  # where the page begins
    few = losses(at)["at p = 0.5"].tolist()
    at.slider(key="power").set_value(0.7).run()  # another control does not begin the rest
    assert "6 of 11 kernels are done and shown." in texts(at)
    at.button(key="diagonals.run").click().run()
    assert not at.exception
    assert "lowest of the 10 values" in str(losses(at).columns)
    at.slider(key="power").set_value(0.5).run()
    assert losses(at)["at p = 0.5"].tolist() == few


def bring_to(at, dataset):
    """Put a data set into the workspace of a running session."""
    from pages.server import workspace

    space = at.session_state["kernex"]
    space.entries[dataset.name] = workspace._Entry(dataset)
    space.chosen, space.choice_is_stale = dataset.name, True


def test_the_basis_of_training_points_is_inductive(open_page_test, strings):
    at = open_page_test(PATH, strings)
    at.segmented_control(key="basis").set_value("training points").run()
    assert not at.exception
    assert ":gray-badge[inductive]" in texts(at)
    assert "inductive: map of training points" in pictured(at)
    assert "transductive" not in pictured(at)


@pytest.mark.parametrize("scheme", ["square root", "clip"])
def test_other_schemes_and_the_logarithm(open_page_test, strings, scheme):
    at = open_page_test(PATH, strings, query={"scheme": scheme, "phi": "log"})
    assert not at.error
    assert "at scale = 100" in losses(at)


def test_a_square_root_is_never_inductive(open_page_test, strings):
    at = open_page_test(PATH, strings, query={"basis": "training points"})
    at.selectbox(key="scheme").set_value("square root").run()
    assert not at.error
    assert "transductive: map of all points" in pictured(at)


def test_the_kernel_is_kept(open_page_test, strings):
    at = open_page_test(PATH, strings)
    at.button(key="diagonals.keep").click().run()
    assert not at.exception
    assert "ssk, empirical map p = 0.5" in at.selectbox(key="kernel").options


def test_a_demo_without_kernels_builds_one(open_page_test):
    at = open_page_test(PATH, replace(markov_strings(4), defaults=Defaults(C=1e6, repeats=2)))
    assert not at.error
    assert at.metric


def test_partly_unknown_kernels_are_judged_on_what_is_known(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset)
    at.selectbox(key="kernel").set_value("target").run()
    assert not at.error
    assert "24 items, each judged 5 times, 3 classes" in texts(at)


def test_an_indefinite_similarity_is_told_and_its_square_root_refused(open_page_test, rng):
    noise = rng.normal(size=(20, 20))
    ids = tuple(f"i{k}" for k in range(20))
    K = GramMatrix(noise + noise.T + np.diag(np.full(20, 2.0)), ids, "odd")
    at = open_page_test(PATH, DataSet("odd", ids, Labels(ids, ["a", "b"] * 10), kernels={"odd": K}))
    assert not at.error
    assert "indefinite before" in texts(at)
    at.selectbox(key="scheme").set_value("square root").run()
    assert not at.exception
    assert "smallest eigenvalue" in at.error[0].value
    assert "Repair it first" in at.error[0].value
    assert "clip and standardised map take" in texts(at)


@pytest.mark.parametrize(
    "values",
    [
        np.diag([4.0, 0.0, 9.0, 1.0, 2.0, 0.0, 1.0, 1.0]),
        np.kron(np.eye(2), np.ones((4, 4))),
    ],
)
def test_zero_diagonals_zeros_and_contradictory_duplicates(open_page_test, values):
    ids = tuple(f"i{k}" for k in range(8))
    K = GramMatrix(values, ids, "odd")
    at = open_page_test(PATH, DataSet("odd", ids, Labels(ids, ["a", "b"] * 4), kernels={"odd": K}))
    assert not at.exception
    assert not at.error
    assert at.table


def test_a_kernel_of_zeros_is_named(open_page_test):
    ids = tuple("abcdefgh")
    K = GramMatrix(np.zeros((8, 8)), ids, "nothing")
    at = open_page_test(PATH, DataSet("odd", ids, Labels(ids, ["a", "b"] * 4), kernels={"nothing": K}))
    assert not at.exception
    assert "only zeros in 'nothing'" in at.error[0].value
    assert not at.metric


@pytest.mark.parametrize("sign", [0.0, -1.0])
def test_a_diagonal_that_is_not_above_0_is_no_unit(open_page_test, rng, sign):
    noise = rng.normal(size=(8, 8))
    values = noise + noise.T
    np.fill_diagonal(values, 3.0 * sign)
    ids = tuple("abcdefgh")
    K = GramMatrix(values, ids, "odd")
    at = open_page_test(PATH, DataSet("odd", ids, Labels(ids, ["a", "b"] * 4), kernels={"odd": K}))
    assert not at.exception
    assert "Before is divided by its largest size, for its mean diagonal is not above 0" in texts(at)
    assert "After by its mean diagonal" in texts(at)
    at.segmented_control(key="phi").set_value("log").run()
    assert not at.exception
    assert "Use the power" in at.error[0].value
    assert "without a scale" not in at.error[0].value


def test_a_value_beyond_the_numbers_leaves_the_others(open_page_test, rng):
    X = rng.normal(size=(12, 3))
    ids = tuple(f"i{k}" for k in range(12))
    K = GramMatrix(1e200 * (X @ X.T), ids, "huge")
    at = open_page_test(PATH, DataSet("odd", ids, Labels(ids, ["a", "b"] * 6), kernels={"huge": K}))
    assert not at.exception
    assert "lowest of the " in str(losses(at).columns)
    assert "1 could not be judged" in texts(at)


def test_the_square_root_says_that_it_needs_all_points(open_page_test, strings):
    at = open_page_test(PATH, strings, query={"scheme": "square root", "basis": "training points"})
    shown = at.segmented_control(key="diagonals.basis.root")
    assert shown.value == "all points"
    assert shown.disabled
    at.selectbox(key="scheme").set_value("empirical map").run()
    assert at.segmented_control(key="basis").value == "training points"


def test_a_scale_has_one_name(open_page_test, strings):
    at = open_page_test(PATH, strings, query={"phi": "log"})
    at.select_slider(key="scale").set_value(1e6).run()
    assert "at scale = 10⁶" in str(losses(at).columns)
    assert "Loss against the scale" in texts(at)


def test_without_labels_there_are_pictures_and_a_sentence(open_page_test, strings):
    at = open_page_test(PATH, strings.with_labels(None))
    assert not at.error
    assert "Losses need labels" in texts(at)


@pytest.mark.parametrize(
    "query",
    [
        {"power": "0"},
        {"power": "7"},
        {"power": "-0.5"},
        {"power": "half"},
        {"power": "nan"},
        {"phi": "log", "scale": "0"},
        {"scheme": "none", "phi": "exp", "basis": "nobody"},
        {"kernel": "not there"},
    ],
    ids=str,
)
def test_an_address_out_of_range_falls_back_and_is_no_traceback(open_page_test, strings, query):
    at = open_page_test(PATH, strings, query=query)
    assert not at.error
    assert {"at p = 0.5", "at scale = 100"} & set(losses(at))


def odd(values, y):
    ids = tuple(f"i{k}" for k in range(len(values)))
    K = GramMatrix(np.array(values, dtype=float), ids, "odd")
    return DataSet("odd", ids, None if y is None else Labels(ids, y), kernels={"odd": K})


@pytest.mark.parametrize(
    ("values", "y"),
    [
        ([[1.0]], ["a"]),
        (np.eye(2), ["a", "b"]),
        (np.eye(2), ["a", "a"]),
        (np.eye(3), None),
        (np.eye(4), [""] * 4),
    ],
)
def test_too_few_items_or_classes_leave_the_pictures_and_a_sentence(open_page_test, values, y):
    at = open_page_test(PATH, odd(values, y))
    assert not at.error
    assert "Losses need labels" in texts(at)
    assert at.metric


def test_a_matrix_with_nothing_known_is_told(open_page_test):
    at = open_page_test(PATH, odd(np.full((3, 3), np.nan), ["a", "b", "a"]))
    assert not at.exception
    assert at.error


def test_single_unknown_pairs_leave_the_largest_known_block(open_page_test, rng):
    X = rng.normal(size=(12, 4))
    K = X @ X.T
    K[3, 5] = K[5, 3] = np.nan
    at = open_page_test(PATH, odd(K, ["a", "b"] * 6))
    assert not at.error
    assert "11 items, each judged 5 times, 2 classes" in texts(at)


def test_labels_of_the_known_items_say_all_that_they_said_of_all_items(rng):
    """They were built anew from some of their fields, and lost what is a copy of what."""
    X = rng.normal(size=(12, 4))
    K = X @ X.T
    K[3, :] = K[:, 3] = np.nan
    ids = tuple(f"i{k}" for k in range(12))
    labels = Labels(
        ids, np.array(["a", "b"] * 6), np.array(["g", "h", "h"] * 4), made_from="a tree",
        copies=np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 4, 5]),
    )  # fmt: skip
    found = subject_of(GramMatrix(K, ids, "K"), labels)
    assert found.labels == labels.take(np.delete(np.arange(12), 3))
    assert found.labels.copies.tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 8, 3, 4]
    assert copies_of((found.judged,), found.labels, CrossValidation()).count == 4


def test_the_script_computes_the_losses_again(strings, capsys):

    subject = subject_of(strings.kernels["ssk"], strings.labels)
    protocol = Protocol(CrossValidation(folds=2, repeats=1, C=1e6), Margin(asymmetry=0.02))
    exec(script(subject, DiagonalConfig(), protocol), {})
    assert "(0.1, " in capsys.readouterr().out


def test_a_value_between_those_of_the_grid_is_in_the_script_the_table_and_the_chart(strings, capsys):
    subject = subject_of(strings.kernels["ssk"], strings.labels)
    protocol = Protocol(CrossValidation(folds=2, repeats=2, C=1e6), Margin())
    config = DiagonalConfig(p=0.35)
    args = (DiagonalConfig(), subject.judged, subject.labels, protocol)
    swept = list(sweeping(*args))[-1]
    here = losses_at(config, *args[1:])
    whole = swept.including(0.35, here)
    assert whole.strengths == (1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.35, 0.3, 0.2, 0.1)
    assert whole.including(0.35, here) is whole
    assert [row["balanced_loss"] for row in rows(whole) if row["value"] == 0.35] == [
        here[name].mean for name in here
    ]
    assert whole.curve("svm")[0][7] == here["svm"].mean
    rising = replace(swept, strengths=(1.0, 10.0), judged=swept.judged[:2])
    assert rising.including(3.0, here).strengths == (1.0, 3.0, 10.0)
    exec(script(subject, config, protocol), {})
    assert f"(0.35, {{'svm': {round(here['svm'].mean, 4)}" in capsys.readouterr().out


def test_components_that_cannot_tell_the_training_items_apart_are_told(open_page_test, strings):
    at = open_page_test(PATH, strings)
    at.number_input(key="diagonals.components.number").set_value(1).run()
    assert not at.exception
    text = texts(at).replace("\\", "")
    assert "On 1 component: the margin is not hard everywhere" in text
    assert "As it is, on components: The margin is not hard everywhere" in text
    assert "SVM: " in text


def test_number_and_centring_of_the_components_are_chosen(open_page_test, strings):
    at = open_page_test(PATH, strings)
    svm = losses(at).iloc[0].tolist()
    at.number_input(key="diagonals.components.number").set_value(4).run()
    at.toggle(key="diagonals.components.centred").set_value(True).run()
    assert not at.exception
    assert losses(at)["classifier"].iloc[2] == "SVM on 4 kernel principal components, centred"
    # the SVM on the kernel itself is the same; p is corrected for all that are compared, components too
    assert losses(at).iloc[0].tolist()[:-1] == svm[:-1]


@pytest.mark.parametrize("basis", ["all points", "training points"])
def test_standardised_features_are_a_scheme(open_page_test, strings, basis):
    at = open_page_test(PATH, strings, query={"scheme": "standardised map", "basis": basis})
    assert not at.exception
    assert not at.error
    assert "lowest of the 10 values" in losses(at)


def test_the_strings_of_the_paper_are_a_click_away(open_page_test):
    at = open_page_test(PATH)
    at.button(key="need.almost_orthogonal_strings").click().run()
    assert not at.exception
    assert not at.error
    assert at.sidebar.selectbox(key="data").value == "Almost orthogonal strings"
    assert at.selectbox(key="kernel").options[0] == "subsequences"


def test_entries_alone_are_kept_for_the_page_that_repairs_after_hiding(open_page_test, strings):
    at = open_page_test(PATH, strings, query={"scheme": "clip", "power": "0.3"})
    at.toggle(key="diagonals.bare").set_value(True).run()
    at.button(key="diagonals.keep").click().run()
    assert not at.exception
    kept = at.session_state["kernex"].entries[strings.name].kernels["ssk, entries p = 0.3"]
    K = strings.kernels["ssk"].values
    np.testing.assert_allclose(kept.values, np.sign(K) * np.abs(K) ** 0.3)
    assert [step.name for step in kept.steps] == ["signed power"]


def test_an_asymmetric_margin_and_raw_scale_are_choices(open_page_test, strings):
    at = open_page_test(PATH, strings)
    before = losses(at)["at p = 0.5"].iloc[0]
    at.number_input(key="diagonals.margin.asymmetry").set_value(0.5).run()
    assert not at.exception
    assert "asymmetric c = 0.5" in texts(at)
    assert losses(at)["at p = 0.5"].iloc[0] != before
    at.toggle(key="diagonals.margin.scaled").set_value(False).run()
    assert not at.exception
    assert not at.error


def test_choosing_p_ends_in_a_choice(open_page_test, strings):
    at = open_page_test(PATH, strings)
    assert head(at, "diagonals.maps")["drag"]["pick"] == "Choose p"
    at.session_state["kernex"].memory["diagonals.maps.picking"] = True  # as its button does
    at.run()
    assert not at.exception
    protocol = Protocol(CrossValidation(folds=2, repeats=3, C=1e6))
    K, labels = strings.kernels["ssk"], strings.labels
    *_, chosen = choosing_strength(DiagonalConfig(), K, labels, protocol, DiagonalConfig().grid)
    assert choice_sentence(chosen) in [each.value for each in at.markdown]
    picked, _ = chosen.picks[0]
    assert f"{100.0 * (1.0 - chosen.mean):.1f}\u00a0%" in choice_sentence(chosen)
    if picked != "p = 0.5":
        at.button(key="diagonals.choose.use").click().run()
        assert not at.exception
        assert at.slider(key="power").value == float(picked.partition("=")[2])


def test_p_is_at_the_pictures_and_what_is_let_go_there_is_set(open_page_test, strings):
    """Nothing follows where a frame would cost a decomposition: the slider is there all the same."""
    at = open_page_test(PATH, strings, query={"phi": "log"})
    drag = head(at, "diagonals.maps")["drag"]
    assert drag["follows"] == []
    assert drag["texts"][round(drag["value"])] == "100"


@pytest.mark.parametrize("lesson", ["handwritten digits", "strings", "entries or eigenvalues"])
def test_the_lessons_open(open_page_test, strings, lesson):
    at = open_page_test(PATH, strings)
    at.session_state["diagonals.lesson"] = lesson
    at.run()
    assert not at.exception
    assert not at.error
    assert any(key.startswith("diagonals.lesson.") for key in shown_page(at).pictures)


@pytest.mark.no_cover
def test_tim_barrels_with_a_power_of_0_3_are_completed_as_the_core_does(open_page_test, shared):
    """Keep |x|^0.3 of both kernels here, complete them on the page Complete; `make science` holds what the core finds."""
    from tests.kernex_core.studies.completion.test_study import tim_barrels

    some = np.arange(0, 296, 5)
    source, target, labels = (each.take(some) for each in tim_barrels(shared, None))
    kernels = {"sequence": source.renamed("sequence"), "structure": target.renamed("structure")}
    data = DataSet("barrels", source.ids, labels, kernels=kernels, defaults=Defaults(C=10.0, repeats=1))
    at = open_page_test(PATH, data)
    at.selectbox(key="scheme").set_value("clip")
    at.slider(key="power").set_value(0.3)
    for name in kernels:
        at.selectbox(key="kernel").set_value(name).run()
        at.toggle(key="diagonals.bare").set_value(True).run()
        at.button(key="diagonals.keep").click().run()
        assert not at.exception
    switch(at, "complete/complete.py").run()
    at.selectbox(key="complete.target.barrels").set_value("structure, entries p = 0.3").run()
    at.selectbox(key="complete.source.barrels.structure, entries p = 0.3").set_value(
        "sequence, entries p = 0.3"
    )
    step, protocol = SignedPower(0.3), CrossValidation(C=10.0)
    for share, lam in ((0.5, 0.9),):
        at.slider(key="lam").set_value(lam)
        at.select_slider(key="hidden").set_value(f"{100 * share:.0f} %").run()
        assert not at.exception
        shown = {}
        for measure in ("one-vs-rest", "multi-class"):
            at.segmented_control(key="complete.measure").set_value(measure).run()
            shown[measure] = next(each.value for each in at.metric if each.label.startswith("Joint"))
        config = CompletionConfig()
        *_, found = completing(
            config,
            prepare_source(config, source.then(step)),
            target.then(step),
            labels,
            protocol,
            shares=(share,),
        )
        multi, single = joint_curve(found.sweep, lam)
        assert float(shown["one-vs-rest"].split()[0]) == pytest.approx(100.0 * single.mean[0], abs=0.051)
        assert float(shown["multi-class"].split()[0]) == pytest.approx(100.0 * multi.mean[0], abs=0.051)


@pytest.mark.parametrize("bare", [False, True], ids=["repaired", "entries alone"])
def test_what_is_kept_here_is_combined_and_judged_elsewhere(open_page_test, small_dataset, bare):
    data = replace(small_dataset, name="composed", defaults=Defaults(repeats=1))
    at = open_page_test(PATH, data, query={"scheme": "clip", "power": "0.3"})
    at.toggle(key="diagonals.bare").set_value(bare).run()
    at.button(key="diagonals.keep").click().run()
    name = f"source, {'entries' if bare else 'clip'} p = 0.3"
    switch(at, "combine/combine.py").run()
    at.selectbox(key="combine.first.composed").set_value(name).run()
    at.selectbox(key=f"combine.second.composed.{name}").set_value("source").run()
    assert not at.exception
    assert not at.error
    assert any("the same folds for every kernel" in text.value for text in at.markdown)


@pytest.mark.parametrize("phi", ["power", "log"])
@pytest.mark.parametrize(
    "scheme", ["empirical map", "square root", "clip", "eigenvalues", "standardised map", "entries alone"]
)
def test_the_script_of_a_kept_kernel_makes_it_again(strings, scheme, phi):
    from kernex_core.studies.diagonals.shrink import DiagonalConfig, shrunk_kernel
    from pages.kernels.power.results import kernel_script

    bare = scheme == "entries alone"
    config, K = DiagonalConfig(scheme="clip" if bare else scheme, phi=phi), strings.kernels["ssk"]
    scope: dict = {}
    exec(kernel_script(K, config, bare), scope)
    made = K.then(config.element_map) if bare else shrunk_kernel(config, K)
    again = [value for value in scope.values() if isinstance(value, GramMatrix)][-1]
    np.testing.assert_allclose(again.values, made.values, atol=1e-12)


def test_a_large_kernel_is_judged_between_the_grid_when_asked(strings, open_page_test, monkeypatch):
    at = open_page_test(PATH, strings)
    monkeypatch.setattr(view, "AUTOMATIC", 10)
    at.slider(key="power").set_value(0.35).run()
    assert "at p = 0.35" not in losses(at)
    at.button(key="diagonals.here").click().run()
    assert not at.exception
    assert "at p = 0.35" in losses(at)
    at.run()
    assert "at p = 0.35" in losses(at)  # kept: nothing is asked twice
