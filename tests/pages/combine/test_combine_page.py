import contextlib
import dataclasses
import html
import io

import numpy as np
import pytest

from kernex_core.conditioning.repairs import conditioned
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.chance.verdict import verdict_sentence
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.relations import related
from kernex_core.studies.combination import (
    CombinationConfig,
    choosing_combination,
    combination_names,
    combination_verdict,
    combining,
    of_each_curve,
    prepare_combination,
)
from pages.combine.combine import rows, script
from pages.combine.related import related_script
from pages.combine.subject import Subject
from pages.server.digits import percent
from pages.ui.answer import led
from pages.ui.figures.theme import ROLES
from pages.ui.shown import unmarked
from tests.pages.named.seen import watching

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "combine/combine.py"


@pytest.fixture
def complete_dataset(small_dataset):
    source = small_dataset.kernels["source"]
    target = GramMatrix(source.values + np.eye(30), source.ids, "target")
    return dataclasses.replace(small_dataset.with_kernel("target", target), name="complete thirty")


def test_all_combinations_are_judged_and_shown(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset)
    assert not at.error
    assert any("corrected for 406 pairs" in caption.value for caption in at.caption)
    at.session_state["combine.tab"] = "Method"
    at.run()
    (ends,) = [caption.value for caption in at.caption if "ends at each kernel alone" in caption.value]
    first, second = complete_dataset.kernels["source"], complete_dataset.kernels["target"]
    made = prepare_combination(CombinationConfig(), first, second)
    found = list(combining(made, complete_dataset.labels, CrossValidation(), lams=(0.0, 1.0)))[-1]
    for kernel, kind, lam in ((first, "first", 1.0), (second, "second", 0.0)):
        joint, alone = (found.values(k, at, "multi_class").mean() for k, at in (("joint", lam), (kind, 0.0)))
        assert (
            f"{kernel.name} with the nugget {percent(joint, 1)}, without the nugget {percent(alone, 1)}"
            in ends
        )
    assert any("too optimistic, because" in caption.value for caption in at.caption)
    at.session_state["combine.tab"] = "Accuracy"
    at.run()
    assert any("the same folds for every kernel" in text.value for text in at.markdown)
    drawn = " ".join(chart.proto.spec for chart in at.get("plotly_chart"))
    assert ROLES["sum"].colour in drawn
    assert ROLES["extrapolated"].colour not in drawn  # nothing is extrapolated here


def test_a_kept_kernel_is_on_every_page(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset)
    at.segmented_control(key="combine.kind").set_value("product").run()
    at.button(key="combine.keep").click().run()
    assert not at.exception
    kernels = at.session_state["kernex"].entries["complete thirty"].kernels
    assert list(kernels) == ["product of source and target"]
    assert isinstance(kernels["product of source and target"], GramMatrix)


def test_a_partly_known_kernel_is_not_offered(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset)
    assert not at.error
    assert any("known for every pair, and of these one is" in text.value for text in at.markdown)
    assert not at.metric


def test_without_labels_there_are_pictures_and_a_word_on_why(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset.with_labels(None))
    assert not at.error
    assert any("needs labels of at least two classes" in text.value for text in at.markdown)
    (alike,) = at.metric
    first, second = (K.values for K in complete_dataset.kernels.values())
    H = np.eye(30) - 1 / 30
    first, second = (H @ (K / np.sqrt(np.outer(np.diag(K), np.diag(K)))) @ H for K in (first, second))
    meant = (first * second).sum() / np.linalg.norm(first) / np.linalg.norm(second)
    assert float(alike.value) == pytest.approx(meant, abs=0.005)


@pytest.mark.parametrize("kind", ["joint", "weighted sum", "product"])
def test_the_script_prints_the_accuracy_that_the_page_shows(complete_dataset, kind):
    first, second = complete_dataset.kernels["source"], complete_dataset.kernels["target"]
    labels, validation = complete_dataset.labels, CrossValidation(repeats=3, C=1.0, seed=4)
    made = prepare_combination(CombinationConfig(nugget=0.2), first, second)
    judged = list(combining(made, labels, validation, lams=(0.3,)))[-1]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(script(Subject(complete_dataset, first, second, labels, made, validation), kind, 0.3), {})
    for measure, words in (("multi_class", "multi-class accuracy"), ("one_vs_rest", "one-vs-rest accuracy")):
        shown = judged.values(kind, 0.0 if kind == "product" else 0.3, measure).mean()
        line = next(line for line in printed.getvalue().splitlines() if line.startswith(words))
        assert float(line.split()[-1]) == pytest.approx(shown)


def test_the_choice_is_made_inside_the_folds_and_used(open_page_test, complete_dataset):
    at = open_page_test(PATH, complete_dataset)
    at.session_state["kernex"].memory["combine.maps.picking"] = (
        True  # as the button in the bar of the pictures does
    )
    at.run()
    assert not at.exception
    made = prepare_combination(CombinationConfig(), *complete_dataset.kernels.values())
    *_, found = choosing_combination(made, complete_dataset.labels, CrossValidation())
    picked, times = found.picks[0]
    (said,) = [text.value for text in at.markdown if "was chosen most" in text.value]
    said = said.replace("\\", "")
    assert f"**{picked}**" in said
    assert f"**{percent(found.mean, 1)}**" in said
    assert f"in {times} of {found.picked.size}" in said
    assert any("choosing among 27" in caption.value for caption in at.caption)
    at.button(key="combine.choose.use").click().run()
    assert not at.exception
    scores = list(combining(made, complete_dataset.labels, CrossValidation()))[-1]
    named = {name: key for key, name in combination_names(scores, "source", "target").items()}
    kind, lam = named[picked]
    assert at.segmented_control(key="combine.kind").value == kind
    assert at.slider(key="combine_lam").value == (0.5 if kind == "product" else lam)


@pytest.fixture
def judged(complete_dataset):
    """All combinations of both kernels, and the page's subject."""
    first, second = complete_dataset.kernels["source"], complete_dataset.kernels["target"]
    labels, validation = complete_dataset.labels, CrossValidation()
    made = prepare_combination(CombinationConfig(), first, second)
    *_, found = combining(made, labels, validation)
    return Subject(complete_dataset, first, second, labels, made, validation), found


@pytest.mark.parametrize("measure", ["multi_class", "one_vs_rest"])
def test_the_verdict_is_on_all_that_is_on_the_chart(open_page_test, complete_dataset, judged, measure):
    _, found = judged
    whole = combination_verdict(found, first="source", second="target", measure=measure)
    assert len(whole.candidates) == 2 * len(found.lams) + 3
    for (kind, lam), name in combination_names(found, "source", "target").items():
        assert whole.of(name).value == pytest.approx(found.values(kind, lam, measure).mean())
        assert whole.of(name).plain is (kind in ("first", "second"))
    shown = of_each_curve(whole, found, "source", "target")
    # one of each curve, the best of it, with the p that it has among all
    kinds = [each.name.partition(" (λ")[0] for each in shown.candidates]
    assert sorted(kinds) == ["joint", "product", "source alone", "target alone", "weighted sum"]
    for each in shown.candidates:
        assert each == whole.of(each.name)
    for kind in ("joint", "weighted sum"):
        (one,) = [each for each in shown.candidates if each.name.startswith(kind)]
        assert one.value == pytest.approx(max(found.values(kind, lam, measure).mean() for lam in found.lams))
    at = open_page_test(PATH, complete_dataset)
    at.segmented_control(key="combine.measure").set_value(measure.replace("_", "-")).run()
    said = verdict_sentence(shown, gain="combining gains nothing", typed=["source alone", "target alone"])
    assert any(text.value.replace("\\", "") == led(said) for text in at.markdown)


def test_a_kernel_alone_that_does_as_well_is_said_first(judged):
    """On the proteins 16 of 27 combinations reached 100 %, and the page did not say that the structure alone does."""
    _, found = judged
    right = [
        dataclasses.replace(one, by_item=np.ones_like(one.by_item)) for one in found.scores["second", 0.0]
    ]
    scores = {**found.scores, ("second", 0.0): tuple(right), ("joint", 0.3): tuple(right)}
    better = dataclasses.replace(found, scores=scores)
    made = of_each_curve(
        combination_verdict(better, first="source", second="target"), better, "source", "target"
    )
    said = verdict_sentence(made, gain="combining gains nothing", typed=["target alone"])
    assert said.startswith("The kernel target alone does best here (100.0")
    assert said.endswith("combining gains nothing.")


def test_the_file_has_the_names_of_the_chart_and_the_p_of_the_verdict(judged):
    subject, found = judged
    made = combination_verdict(found, first="source", second="target", measure="one_vs_rest")
    written = rows(subject, found)
    assert {row["combination"] for row in written} == {each.name for each in made.candidates}
    for row in written:
        each = made.of(row["combination"])
        assert row["one_vs_rest_p_beside_the_best"] == ("" if each is made.best else each.p)
    values = [row["one_vs_rest"] for row in written if row["combination"] == made.best.name]
    assert np.mean(values) == pytest.approx(made.best.value)
    assert not any("p_beside" in key for key in rows(subject, dataclasses.replace(found, done=3))[0])


def test_the_script_says_the_verdict_of_the_page(judged, capsys):
    subject, found = judged
    exec(script(subject, "joint", 0.3), {})
    made = of_each_curve(
        combination_verdict(found, first="source", second="target"), found, "source", "target"
    )
    printed = capsys.readouterr().out
    typed = ["source alone", "target alone"]
    assert verdict_sentence(made, gain="combining gains nothing", typed=typed) in printed
    assert all(f"('{each.name}', {each.value!r}" in printed for each in made.candidates)


@pytest.mark.parametrize(("asked", "shown"), [("0.3", 0.3), ("7", 0.5), ("much", 0.5)])
def test_an_address_from_when_lam_was_called_as_on_complete_shows_it_still(
    open_page_test, complete_dataset, asked, shown
):
    at = open_page_test(PATH, complete_dataset, {"lam": asked})
    assert at.slider(key="combine_lam").value == shown
    assert "lam" not in at.query_params
    at.slider(key="combine_lam").set_value(0.8).run()
    assert at.slider(key="combine_lam").value == 0.8


@pytest.mark.parametrize("measure", ["multi-class", "one-vs-rest"])
def test_the_report_has_the_verdict_of_the_page(open_page_test, complete_dataset, measure):
    with watching(complete_dataset) as seen:
        at = open_page_test(PATH, complete_dataset)
        at.segmented_control(key="combine.measure").set_value(measure).run()
        (said,) = [text.value.replace("**", "") for text in at.markdown if "told apart" in text.value]
    written = html.unescape(seen.files["Report"]().decode())
    assert f"{unmarked(said)} ({measure} accuracy)" in written


def test_both_kernels_are_related_and_a_third_one_is_held_fixed(open_page_test, complete_dataset, rng):
    noise = rng.normal(size=(30, 4))
    data = complete_dataset.with_kernel("noise", GramMatrix(noise @ noise.T, complete_dataset.ids, "noise"))
    data = dataclasses.replace(data, name="three of thirty")
    at = open_page_test(PATH, data, query={"tab": "Related"})
    assert not at.error
    (shown,) = [each.value for each in at.table if "by chance" in each.value]
    assert len(shown) == 2
    assert any("source and target find the same items alike" in each.value for each in at.markdown)
    at.selectbox(key=f"combine.given.{data.name}").set_value("noise").run()
    (shown,) = [each.value for each in at.table if "by chance" in each.value]
    made = prepare_combination(CombinationConfig(), data.kernels["source"], data.kernels["target"])
    held = conditioned(CombinationConfig(), data.kernels["noise"])
    found = related(made.first, made.second, statistic="mantel", given=held, groups=data.labels_with_copies)
    assert shown["value"].iloc[2] == f"{found.value:.3f}"
    assert any("With noise held fixed they tell more than it" in each.value for each in at.markdown)
    first, second = (data.kernels[name] for name in ("source", "target"))
    subject = Subject(data, first, second, data.labels, made, CrossValidation())
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(related_script(subject, held, {"alignment": found, "partial": found}), {})
    assert f"partial {found.value} {found.by_chance} {found.p}" in printed.getvalue()
