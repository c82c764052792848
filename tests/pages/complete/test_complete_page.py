import dataclasses
import html

import numpy as np
import pytest

from kernex_core.datasets.catalogue import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source, view
from kernex_core.studies.evaluation import EvaluationConfig, judged_form
from pages.ui.panels.accuracy import with_interval
from pages.ui.shown import unmarked
from tests.pages.matrices import blobs, head, triangle
from tests.pages.named.seen import watching

pytestmark = pytest.mark.usefixtures("kept_results")

PATH = "complete/complete.py"
WHOLE = {"way": "whole items"}
"""Where single pairs are unknown, the page completes these by itself."""


def note(at):
    """What stands beside the matrix of what is known."""
    return head(at, "complete.maps")["panels"][0]["note"]


def open_tab(at, name):
    """Open what one asks second."""
    at.session_state["complete.tab"] = name
    at.run()
    assert not at.exception


@pytest.fixture(scope="module")
def world():
    return dataclasses.replace(load_dataset("protein_world"), name="world")


def metric(at, name):
    return next(m.value for m in at.metric if m.label.partition(" :gray[")[0] == name)


def names(at):
    return [each.label.partition(" :gray[")[0] for each in at.metric]


def sentence(at):
    """The verdict."""
    (said,) = [
        each.value for each in at.markdown if each.value.startswith("**") and "told apart" in each.value
    ]
    return said.replace("\\", "").replace("**", "")


def sent(at):
    """Messages of the pictures of matrices, by the element that they draw."""
    return {each.proto.id: each.proto.SerializeToString() for each in at.get("bidi_component")}


def test_the_demo_shows_everything_and_moving_lam_moves_the_numbers(open_page_test, world):
    at = open_page_test(PATH, world)
    at.run()
    assert not at.error
    assert metric(at, "Joint").endswith("%")
    known = head(at, "complete.maps")["panels"][0]
    config = CompletionConfig()
    made = prepare(config, prepare_source(config, world.kernels["sequence"]), world.kernels["structure"])
    # what is known is drawn from the bytes of the truth, so that the error can follow
    assert known["unknown"] == np.flatnonzero(made.hidden).tolist()
    before, pictures = metric(at, "Error"), sent(at)
    at.slider(key="lam").set_value(0.9).run()
    assert not at.exception
    assert metric(at, "Error") != before
    # two matrices of 206 items and a head: neither the other two nor the code of the pictures
    new = [message for name, message in sent(at).items() if message != pictures[name]]
    assert len(new) == 3
    assert sum(map(len, new)) < 2 * 4 * 206 * 207 / 2 + 13_000


def test_hiding_more_explains_less(open_page_test, world):
    at = open_page_test(PATH, world)
    open_tab(at, "Trust")
    before = float(metric(at, "Trace kept").split()[0])
    at.select_slider(key="hidden").set_value("75 %").run()
    assert float(metric(at, "Trace kept").split()[0]) < before
    assert note(at) in ("52 of 206 items", "51 of 206 items")


def test_a_partly_known_target_is_completed_as_uploaded(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset)
    assert not at.error
    assert names(at) == ["Extrapolated", "Joint", "Explained"]
    assert [panel["title"] for panel in head(at, "complete.maps")["panels"]] == [
        "Known",
        "Extrapolated",
        "Joint",
    ]
    assert note(at) == "24 of 30 items"
    at.button(key="complete.keep").click().run()
    kept = at.session_state["kernex"].entries["thirty"].kernels
    (made,) = kept.values()
    assert isinstance(made, GramMatrix)
    assert not np.isnan(made.values).any()


@pytest.mark.parametrize(("share", "recorded"), [(0.25, True), (0.5, False), (None, True)])
@pytest.mark.no_cover
def test_the_script_computes_the_kernel_and_the_accuracy_that_the_page_shows(world, share, recorded):
    from kernex_core.learning.folds import CrossValidation
    from pages.complete.results import script
    from pages.complete.subject import Subject

    # several repetitions: each hides other items, which one repetition cannot tell from hiding the same ones
    config, validation = CompletionConfig(share=share), CrossValidation(C=1.5, repeats=5)
    source, target = world.kernels["sequence"], world.kernels["structure"]
    labels = world.labels if recorded else dataclasses.replace(world.labels, recipe=None)
    made = prepare(config, prepare_source(config, source), target)
    scope: dict = {}
    exec(script(Subject(world, source, target, labels, made, validation), 0.25), scope)
    kernel = [v for v in scope.values() if isinstance(v, GramMatrix)]
    assert any(
        np.allclose(K.values, view(made, 0.25).K, atol=1e-12) for K in kernel if not np.isnan(K.values).any()
    )
    from kernex_core.studies.completion.share_sweep import joint_curve
    from pages.complete.subject import share_sweep

    states = share_sweep.__wrapped__(config, source, target, labels, validation)
    for shown, computed in zip(joint_curve(states, 0.25), scope["accuracy"], strict=True):
        assert computed.mean[0] == shown.mean[0]
        assert computed.sd[0] == shown.sd[0]


def test_the_script_says_the_number_of_the_page(open_page_test, world):
    from kernex_core.learning.folds import CrossValidation
    from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source
    from pages.complete.results import script
    from pages.complete.subject import Subject
    from pages.server.digits import percent

    at = open_page_test(PATH, world)
    config, validation = CompletionConfig(), CrossValidation(C=1.5)
    source, target = world.kernels["sequence"], world.kernels["structure"]
    made = prepare(config, prepare_source(config, source), target)
    scope: dict = {}
    exec(script(Subject(world, source, target, world.labels, made, validation), 0.25), scope)
    assert metric(at, "Joint") == percent(float(scope["accuracy"][0].mean[0]), 1)
    at.segmented_control(key="complete.measure").set_value("one-vs-rest").run()
    assert metric(at, "Joint") == percent(float(scope["accuracy"][1].mean[0]), 1)


@pytest.mark.parametrize("kernels", [1, 0])
def test_too_few_kernels_get_a_sentence(open_page_test, small_dataset, kernels):
    few = dict(list(small_dataset.kernels.items())[:kernels])
    at = open_page_test(PATH, dataclasses.replace(small_dataset, kernels=few))
    assert not at.error
    assert any("It needs two kernels of the same items" in each.value for each in at.markdown)
    assert [each.label for each in at.button if each.key.startswith("need.")] == [
        "Protein world",
        "A gapped matrix",
        "Handwritten digits",
    ]
    assert len(at.file_uploader) == 1


def test_without_labels_pictures_stay(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset.with_labels(None))
    assert not at.error
    assert names(at) == ["Explained"]
    assert any("labels, brought on Data, judge it" in text.value for text in at.markdown)


def test_indefinite_without_repair_is_refused_in_a_sentence(open_page_test, small_dataset):
    noise = np.random.default_rng(3).normal(size=(30, 30))
    bad = GramMatrix(noise + noise.T + 2 * np.eye(30) * 3, small_dataset.ids, "bad")
    at = open_page_test(PATH, small_dataset.with_kernel("source", bad))
    assert not at.error
    at.segmented_control(key="repair").set_value("none").run()
    assert at.error
    assert not at.exception


def test_the_baselines_stand_beside_the_joint_kernel_in_one_table(world):
    from kernex_core.learning.folds import CrossValidation
    from kernex_core.studies.completion.candidates import Answer, joint_accuracy
    from kernex_core.studies.completion.share_sweep import sweeping
    from pages.complete.complete import table
    from pages.complete.subject import Subject

    config, validation = CompletionConfig(share=0.5), CrossValidation(C=1.5, repeats=2)
    source, target = world.kernels["sequence"], world.kernels["structure"]
    ready = prepare_source(config, source)
    made = prepare(config, ready, target)
    sweep = [*sweeping(config, ready, target, world.labels, validation, shares=(0.5,))][-1].sweep
    subject = Subject(world, source, target, world.labels, made, validation)
    answer = Answer(view(made, 0.1), joint_accuracy([sweep], 0.1))
    rows = {row["kernel"]: row for row in table(subject, answer, sweep)}
    assert (
        rows["structure, complete"]["multi_class"]
        > rows["joint"]["multi_class"]
        > rows["zero-fill"]["multi_class"]
    )
    assert rows["joint"]["error"] < rows["zero-fill"]["error"]
    assert np.isnan(rows["sequence alone"]["error"])
    assert all(np.isnan(row["multi_class"]) for row in table(subject, Answer(answer.view), None))


def test_single_unknown_pairs_are_told(open_page_test, small_dataset):
    values = small_dataset.kernels["source"].values.copy()
    values[2, 5] = values[5, 2] = np.nan
    gaps = GramMatrix(values, small_dataset.ids, "gaps")
    at = open_page_test(
        PATH, dataclasses.replace(small_dataset.with_kernel("gaps", gaps), target="gaps"), WHOLE
    )
    open_tab(at, "Trust")
    assert any("1 single pairs of gaps are unknown" in caption.value for caption in at.caption)
    assert note(at) == "29 of 30 items"


def test_a_move_of_lambda_judges_each_joint_kernel_once_and_nothing_else_does(
    open_page_test, small_dataset, monkeypatch
):
    from kernex_core.studies.completion import candidates as answer
    from kernex_core.studies.completion import study
    from pages.complete import subject

    judged, seen = [], []
    once, both, look = answer.joint_scores, answer.both_joint_scores, study.view

    def counted(cell, lam):
        judged.append((cell.share, cell.repetition, lam))
        return once(cell, lam)

    def counted_both(cell, lam, **more):
        judged.append((cell.share, cell.repetition, lam))
        return both(cell, lam, **more)

    def looked(made, lam):
        seen.append(lam)
        return look(made, lam)

    monkeypatch.setattr(answer, "joint_scores", counted)
    monkeypatch.setattr(answer, "both_joint_scores", counted_both)
    monkeypatch.setattr(subject, "view", looked)
    source = small_dataset.kernels["source"]
    whole = small_dataset.with_kernel("target", GramMatrix(source.values**2, source.ids, "target"))
    at = open_page_test(PATH, whole)
    at.run()  # with the other shares there

    def new(move):
        judged.clear()
        seen.clear()
        move()
        assert not at.exception
        return sorted(judged), list(seen)

    cells, views = new(lambda: at.slider(key="lam").set_value(0.6).run())
    shares = sorted({share for share, _, _ in cells})
    assert shares == [0.05, 0.1, 0.25, 0.5, 0.75, 0.9]
    assert cells == [(share, r, 0.6) for share in shares for r in range(5)]
    assert views == [0.6]
    # the curve over λ was drawn before: another λ is none of it
    nothing = ([], [])
    assert new(lambda: at.segmented_control(key="complete.measure").set_value("one-vs-rest").run()) == nothing
    assert new(lambda: open_tab(at, "Baselines")) == nothing
    assert any("at this λ" in table.value.to_string() for table in at.table)
    assert new(lambda: at.slider(key="lam").set_value(0.25).run()) == nothing  # it was the first


def test_another_hidden_share_judges_its_own_kernels_and_draws_the_page_once(
    open_page_test, world, monkeypatch
):
    from kernex_core.studies.completion import candidates as answer
    from kernex_core.studies.completion import candidates as nested
    from pages.complete import results as pictures

    judged, drawn, chosen = [], [], []
    maps, matrix = pictures.maps, nested.joint_matrix

    def counted(function):
        return lambda cell, *given, **more: judged.append(cell.share) or function(cell, *given, **more)

    for name in ("joint_scores", "both_joint_scores"):
        monkeypatch.setattr(answer, name, counted(getattr(answer, name)))
    monkeypatch.setattr(pictures, "maps", lambda *given: drawn.append(1) or maps(*given))
    monkeypatch.setattr(nested, "joint_matrix", lambda *given: chosen.append(1) or matrix(*given))
    at = open_page_test(PATH, world)
    at.run()
    judged.clear()
    drawn.clear()
    at.select_slider(key="hidden").set_value("35 %").run()
    assert not at.exception
    # once at the λ that is set, and at seven others for the curve over λ
    assert (judged, drawn, chosen) == ([0.35] * 40, [1], [])


def test_the_matrices_are_those_of_the_study_and_the_drag_has_the_path(open_page_test, small_dataset):
    at = open_page_test(PATH, small_dataset, query={"lam": "0.6"})
    config = CompletionConfig(share=None)
    source, target = small_dataset.kernels["source"], small_dataset.kernels["target"]
    made = prepare(config, prepare_source(config, source), target)
    shown = view(made, 0.6)
    low = np.tril_indices(30)
    for panel, values in enumerate((target.values, made.extrapolation.T_hat, shown.K)):
        np.testing.assert_allclose(triangle(at, "complete.maps", panel), values[low], rtol=2e-6, atol=1e-6)
    drag = head(at, "complete.maps")["drag"]
    assert (drag["value"], [follow["kind"] for follow in drag["follows"]]) == (0.6, ["factor"])
    said, numbers = blobs(at)[drag["follows"][0]["digest"]]
    s = said["s"]
    path = made.path
    np.testing.assert_allclose(numbers[:s], path.a, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(numbers[2 * s :].reshape(30, s), path.F, rtol=1e-5, atol=1e-6)


def test_the_page_says_who_is_ahead_and_what_the_best_lam_is_worth(open_page_test, world):
    from kernex_core.learning.chance.verdict import verdict_sentence
    from kernex_core.learning.folds import CrossValidation
    from kernex_core.studies.completion.candidates import choosing_lam, verdict_at
    from kernex_core.studies.completion.share_sweep import sweeping
    from kernex_core.studies.completion.study import CompletionConfig, prepare_source
    from pages.server.digits import percent

    at = open_page_test(PATH, world)
    at.run()
    config, source, target = CompletionConfig(), world.kernels["sequence"], world.kernels["structure"]
    protocol = CrossValidation(C=1.5)
    *_, last = sweeping(
        config, prepare_source(config, source), target, world.labels, protocol, shares=(0.25,)
    )
    *_, chosen = choosing_lam(last.sweep)
    made = verdict_at(last.sweep, 0.25, source="sequence")
    said = verdict_sentence(made, gain="completing gains nothing", typed=["sequence alone"])
    assert sentence(at) == said
    for each in (made.best, *made.as_good[:3]):
        assert f"{each.name} {percent(each.value, 1)}".lower() in said.lower()
    (rests,) = [caption.value for caption in at.caption if "corrected for" in caption.value]
    assert "206 items, each judged 5 times" in rests
    assert f"corrected for {len(made.candidates) * (len(made.candidates) - 1) // 2} pairs" in rests
    at.session_state["kernex"].memory["complete.maps.picking"] = True  # the button in the bar of the pictures
    at.run()
    (choice,) = [each.value for each in at.markdown if "was chosen most often" in each.value]
    choice, (name, times) = choice.replace("\\", ""), chosen.picks[0]
    assert choice.startswith(
        f"**{name}** was chosen most often, in {times} of {chosen.picked.size} training folds"
    )
    assert f"worth **{percent(chosen.mean, 1)}**" in choice
    assert f"reads {percent(chosen.best[1], 1)}" in choice
    at.button(key="complete.choose.use").click().run()
    assert at.slider(key="lam").value == float(name.partition("=")[2])


def test_what_was_uploaded_is_shown_where_single_pairs_are_unknown(open_page_test, small_dataset, rng):
    values = small_dataset.kernels["source"].values.copy()
    at_random = np.triu(rng.random((30, 30)) < 0.5, 1)
    values[at_random | at_random.T] = np.nan
    target = GramMatrix(values, small_dataset.ids, "target")
    data = dataclasses.replace(small_dataset, kernels={**small_dataset.kernels, "target": target})
    at = open_page_test(PATH, data, WHOLE)
    low = np.tril_indices(30)
    np.testing.assert_allclose(triangle(at, "complete.maps", 0), values[low], rtol=2e-6, atol=1e-6)
    assert [follow["kind"] for follow in head(at, "complete.maps")["drag"]["follows"]] == ["factor"]
    open_tab(at, "Trust")
    block = int(target.known.sum())
    pairs = (~np.isnan(values[np.triu_indices(30, 1)])).sum() - block * (block - 1) // 2
    assert any(
        f"{pairs:,} known pairs with one of them are not used by it" in each.value for each in at.caption
    )


def test_the_number_of_exactly_the_kept_kernel_is_that_of_evaluate(open_page_test, small_dataset):
    source = small_dataset.kernels["source"]
    other = GramMatrix(source.values + np.eye(30), source.ids, "target")
    data = dataclasses.replace(small_dataset, kernels={"source": source, "target": other})
    at = open_page_test(PATH, data, query={"lam": "0.3"})
    assert any("its own number stands below" in each.value for each in at.caption)
    at.session_state["complete.one"] = True
    at.run()
    config = CompletionConfig()
    K = prepare(config, prepare_source(config, source), other).kernel(0.3)
    made = judge(judged_form(EvaluationConfig(), K), data.labels, CrossValidation(C=data.defaults.C))
    wanted = with_interval(made.multi_class.mean, made.interval())
    assert any(f"Multi-class **{wanted}\u00a0%**" in each.value for each in at.markdown)


def test_a_stop_of_the_first_accuracies_leaves_the_page_and_a_way_to_judge(
    open_page_test, small_dataset, monkeypatch
):
    from pages.complete import results as waiting

    is_stopped = waiting.is_stopped
    monkeypatch.setattr(
        waiting, "is_stopped", lambda key, settings: key == waiting.SWEEP or is_stopped(key, settings)
    )
    at = open_page_test("complete/complete.py", small_dataset)
    assert not at.exception
    said = [c.value for c in at.caption]
    assert "Stopped before every repetition was judged." in said
    assert metric(at, "Joint") == "—"
    assert any("Not judged" in each.value for each in at.markdown)
    monkeypatch.undo()
    at.button(key="complete.sweep.run").click().run()
    assert not at.exception
    assert metric(at, "Joint").endswith("%")
    assert not [b for b in at.button if b.label == "Stop"]


def judged(world, config, lam, repeats=2):
    """Subject, answer, sweep and verdict as the page has them, without the page."""
    from kernex_core.studies.completion.candidates import Answer, joint_accuracy, of_all, other_joint
    from kernex_core.studies.completion.share_sweep import sweeping
    from pages.complete.subject import Subject

    validation = CrossValidation(C=1.5, repeats=repeats)
    source, target = world.kernels["sequence"], world.kernels["structure"]
    ready = prepare_source(config, source)
    made = prepare(config, ready, target)
    sweep = [*sweeping(config, ready, target, world.labels, validation, shares=(config.share,))][-1].sweep
    subject = Subject(world, source, target, world.labels, made, validation)
    answer = Answer(view(made, lam), of_all([joint_accuracy([sweep], lam)], other_joint(sweep, lam)))
    return subject, answer, sweep, subject.verdict(answer, sweep)


@pytest.mark.parametrize("residual", [False, True])
def test_table_file_picture_and_verdict_have_the_same_names_and_numbers(world, residual):
    from pages.complete.complete import table
    from pages.complete.results import accuracy_chart
    from pages.server.digits import number

    subject, answer, sweep, verdict = judged(world, CompletionConfig(share=0.5, residual=residual), 0.4)
    rows = {row["kernel"]: row for row in table(subject, answer, sweep, verdict)}
    whole = rows.pop("structure, complete")
    assert whole["beside_the_best"] == ""
    assert (
        set(rows) == {each.name for each in verdict.candidates} == {each.name for each in subject.contestants}
    )
    for each in verdict.candidates:
        row = rows[each.name]
        assert row["multi_class"] == pytest.approx(each.value)
        assert (row["multi_class_from"], row["multi_class_to"]) == pytest.approx(
            (each.interval.low, each.interval.high)
        )
        told = "best" if each is verdict.best else "worse" if each.told_apart else "not told apart"
        assert row["beside_the_best"] == told
        assert each is verdict.best or row["p"] == pytest.approx(each.p)
    drawn = accuracy_chart((sweep,), answer.accuracy, 0, subject)
    lines = {trace.name: trace.y for trace in drawn.figure.data if trace.name}
    assert set(lines) == set(rows) - {"sequence alone"}  # that is a level
    for name, y in lines.items():
        assert y == pytest.approx([100.0 * rows[name]["multi_class"]]), name
    assert f"sequence alone {number(100.0 * rows['sequence alone']['multi_class'], 1)}" in drawn.alt


def test_the_joint_kernel_of_the_page_is_spoken_of_where_it_is_worse(world):
    from pages.complete.subject import verdict as words

    subject, _, _, made = judged(world, CompletionConfig(share=0.5), 0.99)
    joint = made.of("joint")
    said = words(subject, made, 0.99)
    assert joint.told_apart
    assert f"The joint kernel at λ = 0.99 has {100.0 * joint.value:.1f}" in said
    kept = judged(world, CompletionConfig(share=0.5), 0.1)
    assert not kept[3].of("joint").told_apart
    assert "The joint kernel at" not in words(subject, kept[3], 0.1)


@pytest.mark.no_cover
def test_the_script_says_the_verdict_of_the_page(world, capsys):
    from kernex_core.learning.chance.verdict import verdict_sentence
    from pages.complete.results import script

    subject, _, _, made = judged(world, CompletionConfig(share=0.5), 0.4)
    exec(script(subject, 0.4), {})
    printed = capsys.readouterr().out
    assert verdict_sentence(made, gain="completing gains nothing", typed=["sequence alone"]) in printed
    for each in made.candidates:
        assert f"('{each.name}', {each.value!r}" in printed


def test_single_unknown_pairs_verdict_names_the_best_of_all_and_mean_fill_is_that_of_kernels(
    open_page_test, world, rng
):
    from kernex_core.studies.inspection import filling
    from pages.server.digits import percent

    values = world.kernels["structure"].values.copy()
    at_random = np.triu(rng.random(values.shape) < 0.1, 1)
    values[at_random | at_random.T] = np.nan
    gaps = GramMatrix(values, world.ids, "structure")
    data = dataclasses.replace(world, name="gaps", kernels={**world.kernels, "structure": gaps})
    at = open_page_test(PATH, data, WHOLE)
    assert not at.exception
    rows = {
        row.method: row.judgement for row in [*filling(gaps, data.labels, CrossValidation(C=1.5))][-1].rows
    }
    mean = percent(rows["mean"].multi_class.mean, 1)
    assert sentence(at).startswith(f"Mean-fill does best here ({mean})")
    assert "completing gains nothing" in sentence(at)
    open_tab(at, "Method")
    assert any("rest on every known pair" in caption.value for caption in at.caption)


@pytest.mark.parametrize("measure", ["multi-class", "one-vs-rest"])
def test_the_report_has_the_verdict_of_the_page(open_page_test, world, measure):
    with watching(world) as seen:
        at = open_page_test(PATH, world)
        at.segmented_control(key="complete.measure").set_value(measure).run()
        said = sentence(at)
    written = html.unescape(seen.files["Report"]().decode())
    assert f"{unmarked(said)} ({measure} accuracy)" in written
