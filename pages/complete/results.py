"""What the page Complete gives away: the kernel, its files and script, trust in every item."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Final

import numpy as np
import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call, method, part, write_script
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.folds import CrossValidation
from kernex_core.learning.leakage import recorded_state
from kernex_core.learning.permutations import Permuted
from kernex_core.learning.predict import predict_unlabelled
from kernex_core.runtime.executors import one_a_turn
from kernex_core.runtime.progress import Steps, finished
from kernex_core.studies.against_chance import permuting_completion
from kernex_core.studies.completion.candidates import OTHER_JOINT, Answer, JointAccuracy, lams_of
from kernex_core.studies.completion.share_sweep import (
    BASELINES,
    MANY,
    TWO_MACHINES,
    Curve,
    Sweep,
    curves_of,
    level_curve,
    plain_mean,
)
from kernex_core.studies.completion.study import Completion, CompletionConfig, CompletionView
from pages.complete import subject as words
from pages.complete.subject import QUICK, TABS, Subject
from pages.export.downloads import Arrays, csv_button
from pages.server import workspace
from pages.server.cached import cached
from pages.server.digits import in_table, number, percent
from pages.server.messages import guard, shortened
from pages.ui import chosen
from pages.ui import shown as registry
from pages.ui.figures.bars import trust_bars
from pages.ui.figures.chart import Across, Items, Picture, Values
from pages.ui.figures.curve import Level, Line, curve
from pages.ui.figures.heatmap import common_scale, error_scale, heatmap
from pages.ui.figures.spectrum import EigenvalueLine, spectra
from pages.ui.frame import panel_title
from pages.ui.matrices import Drag, Follow, Panel, Room, Words, joint_follows
from pages.ui.panels.accuracy import numbered_classes, own_classes, with_interval, without_classes
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import arranged, draw, linked
from pages.ui.panels.source_target import conditioned_source, scattered_words
from pages.ui.panels.verdicts import NUMBER_WIDTH, Asked, asked_chance, printed_chance, say_p
from pages.ui.payload import LARGEST
from pages.ui.shown import copies_said, metric, spelt

# Pictures of the page Complete: four heatmaps, spectra, accuracy against the hidden share.

KEY = "complete.maps"


def maps(subject: Subject, shown: CompletionView, how: str, carriers: DeltaGenerator) -> Items:
    """Draw what is known, extrapolated and joint kernel and its error, linked, with λ at them."""
    made = subject.made
    items = arranged(how, made.source, subject.labels, made.known)
    follows = _follows(made, items)
    at = f"λ = {number(shown.lam, 2)}"
    settings = f"{at}, nugget {number(made.config.nugget, 3)}, {made.config.constraint} constraint, seed {made.config.seed}"
    words = Words(f"{subject.dataset.name}: {subject.target.name} from {subject.source.name}", settings)
    pick = "" if subject.labels is None else "Choose λ"
    drag = Drag(
        "lam",
        "λ",
        "λ, in the picture",
        shown.lam,
        0.0,
        1.0,
        0.01,
        follows,
        title="Weight of the source",
        pick=pick,
    )
    room = Room(carriers, 0.4, TABS)
    linked(_panels(subject, shown, follows), items, key=KEY, words=words, drag=drag, room=room)
    return items


def panels(subject: Subject, shown: CompletionView, items: Items) -> list[Panel]:
    """Return what is drawn, for the pair that is chosen in it; the truth stands first where it is known."""
    made = subject.made
    truth = [_truth(subject)] if made.hidden.any() else []
    return [*truth, *_panels(subject, shown, _follows(made, items))]


def _truth(subject: Subject) -> Panel:
    made = subject.made
    scale = common_scale([made.truth, made.extrapolation.T_hat])
    return Panel(shortened(subject.target.name, 18), "truth", made.truth, scale)


def _panels(subject: Subject, shown: CompletionView, follows: Sequence[Follow]) -> list[Panel]:
    """Known, extrapolated, joint; where something was hidden for it, the error on that too."""
    made = subject.made
    # those that compare have one scale
    scale = common_scale([made.truth, made.extrapolation.T_hat])
    extrapolated = Panel("Extrapolated", "by the source", made.extrapolation.T_hat, scale)
    joint = Panel("Joint", f"λ = {number(shown.lam, 2)}", shown.K, common_scale([shown.K]))
    counted = f"{int(made.known.sum()):,} of {made.m:,} items"
    if not made.hidden.any():
        # single pairs outside the known items were uploaded, too, though nothing is made of them
        uploaded = subject.target.values
        return [Panel("Known", counted, uploaded, common_scale([uploaded])), extrapolated, joint]
    # errors of many items stay while λ is dragged: whose they are stands beside them
    whose = "joint" if "error" in {each.kind for each in follows} else f"at λ = {number(shown.lam, 2)}"
    known = np.where(np.outer(made.known, made.known), made.truth, np.nan)
    # above LARGEST items means of blocks are sent, and a block is unknown only where all of it is
    part_of = _truth(subject) if made.m <= LARGEST else None
    error = Panel("Error", f"{whose} − truth", shown.error, error_scale([shown.error]))
    return [Panel("Known", counted, known, scale, part_of=part_of), extrapolated, joint, error]


def _follows(made: Completion, items: Items) -> tuple[Follow, ...]:
    """Joint kernel and error while λ is dragged; only what the path alone says can be followed."""
    if made.config.residual or made.config.normalize_after:
        return ()
    joint = joint_follows(made.path, 2, items.positions)
    if joint[0].kind != "factor" or not made.hidden.any():
        return joint
    hidden = {"joint": 2, "hidden": np.flatnonzero(made.hidden).tolist()}
    return (*joint, Follow(3, "error", of=(0,), note="λ = {}", more=hidden))


def joint_picture(view: CompletionView, items: Items) -> Picture:
    """Joint kernel at λ as a figure of its own, large."""
    return heatmap(view.K, items, name="the joint kernel", scale=common_scale([view.K]), height=620)


def spectrum_panel(subject: Subject, lam: float) -> None:
    """Draw the spectra of truth, extrapolated and joint kernel over each other."""
    made, name = subject.made, subject.target.name
    lines = [EigenvalueLine(name, made.spectra["target"], "target")] if "target" in made.spectra else []
    lines.append(EigenvalueLine("extrapolated", made.spectra["extrapolated"], "extrapolated"))
    lines.append(EigenvalueLine("joint", subject.spectrum(lam), "joint"))
    picture = spectra(lines, height=250)
    # how many are left out stands in the description; beside the title there is no room for it
    panel_title("Spectrum", "eigenvalue by rank" + (", zeros left out" if picture.note else ""))
    draw(picture, "complete.spectrum")


def accuracy_chart(
    sweeps: Sequence[Sweep], accuracy: JointAccuracy, measure: int, subject: Subject
) -> Picture:
    """Accuracy (%) against the hidden share: joint at λ, what has no λ, each kernel alone, and the floor.

    The first sweep is that of the share that the page shows; the other joint kernel is judged for it alone, and is a point.
    """
    sweep, order = sweeps[0], sorted(range(len(sweeps)), key=lambda i: sweeps[i].shares[0] or 0.0)
    rising = [sweeps[i] for i in order]
    x = [100.0 * (s.shares[0] or 0.0) for s in rising]
    here = 100.0 * (sweep.shares[0] or 0.0)
    field = ("multi_class", "one_vs_rest")[measure]
    names = {each.role: each.name for each in subject.contestants}
    lines = [_line(names["joint"], x, [accuracy.curves[i][measure] for i in order], "joint")]
    if accuracy.other:
        other = _line(names[OTHER_JOINT], [here], [curves_of(sweep, accuracy.other)[measure]], OTHER_JOINT)
        lines.append(replace(other, bars=True, symbol="diamond-open"))
    lines += [
        Line(names[method], x, [100.0 * plain_mean(s, method, field) for s in rising], method)
        for method in (*BASELINES, TWO_MACHINES)
    ]
    levels = [
        Level(title, 100.0 * float(np.mean([getattr(s, field) for s in sweep.levels[role]])), role)
        for title, role in ((f"{subject.target.name}, complete", "target"), (names["source"], "source"))
        if role in sweep.levels
    ]
    levels.append(Level("floor", 100.0 * (sweep.multi_floor, sweep.one_vs_rest_floor)[measure], "floor"))
    across = Across(
        "hidden share of the target kernel, %", guide=here, range=(0.0, 95.0) if len(x) > 1 else None
    )
    return curve(lines, across, Values(unit="%", bounds=(0, 100)), levels=levels, height=290)


def _line(name: str, x: Sequence[float], curves: Sequence[Curve], role: str) -> Line:
    mean = [100.0 * float(c.mean[0]) for c in curves]
    reach = [(100.0 * float(c.mean[0] - c.low[0]), 100.0 * float(c.high[0] - c.mean[0])) for c in curves]
    return Line(name, x, mean, role, error=np.array(reach).T)


# Work of the page Complete that a visitor watches: a bar with Stop beside it, and a way to go on after a stop.

SHARES = "complete.shares"
SWEEP = "complete.sweep"


@contextmanager
def stoppable(place: DeltaGenerator, key: str, settings: str) -> Iterator[DeltaGenerator]:
    """Draw Stop into an empty place, and yield that of the bar; both are gone when the work is done.

    Drawn outside of fragments: a click inside of one would wait for the end of what it should stop. What holds both stays:
    a fragment that has drawn the bar clears its place before it runs again, and without one the browser shows nothing.
    """
    with place.container(horizontal=True, vertical_alignment="center"):
        bar, stop = st.empty(), st.empty()
    stop.button(
        "Stop", icon=":material/stop:", key=f"{key}.stop", help="What is done stays.",
        on_click=workspace.remember, args=(f"{key}.stopped", settings),
    )  # fmt: skip
    yield bar
    bar.empty()
    stop.empty()


def is_stopped(key: str, settings: str) -> bool:
    """Whether a visitor has stopped this work under these settings."""
    return bool(workspace.recall(f"{key}.stopped", None) == settings)


def go_on(key: str, said: str, label: str) -> None:
    """Say what was stopped, with a button that starts it again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(said, width="content")
        if st.button(label, icon=":material/play_arrow:", key=f"{key}.run"):
            workspace.remember(f"{key}.stopped", None)
            st.rerun()


def more_shares(subject: Subject, place: DeltaGenerator) -> None:
    """Compute the shares that the chart still lacks, one a step, with progress; what is done is kept at once."""
    missing = subject.missing_shares
    if not missing or is_stopped(SWEEP, subject.settings):
        return
    if is_stopped(SHARES, subject.settings):
        with place.container():
            left = counted(len(missing), "other hidden share")
            go_on(SHARES, f"Stopped: {left} to be judged.", "Go on")
        return
    done, total = 0, len(missing)
    with stoppable(place, SHARES, subject.settings) as bar:
        for sweep in one_a_turn(map(subject.sweep, missing)):
            done += sweep is not None
            bar.progress(done / total, f"Accuracy at other hidden shares: {done} of {total} done")
    st.rerun()


# Is what the page Complete judges at this λ better than chance? Labels are permuted; the completions see none.

NEWEST: Final = 32
"""Values of λ and measures that are remembered."""


def permuting_shown(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: str,
) -> Steps[Permuted]:
    """Judge everything at λ with permuted labels, for the share that is shown."""
    ready = conditioned_source(config.repair, config.normalize, source)
    return permuting_completion(
        config, ready.renamed(source.name), target, labels, validation, lam, measure=measure
    )


@cached(newest=NEWEST, public=True)
def permuted_shown(
    lam: float,
    config: CompletionConfig,
    source: GramMatrix,
    target: GramMatrix,
    labels: Labels,
    validation: CrossValidation,
    measure: str,
) -> Permuted:
    """The whole of it; kept when it is whole."""
    return finished(permuting_shown(lam, config, source, target, labels, validation, measure))


def asked(subject: Subject, lam: float, measure: str, sweep: Sweep | None = None) -> Asked:
    """What may be asked at λ."""
    assert subject.labels is not None  # nobody asks without
    config, validation = subject.made.config, subject.validation
    args = lam, config, subject.source, subject.target, subject.labels, validation, measure
    folds = 0 if sweep is None else sum(len(cell.how.folds) for cell in sweep.cells)
    return Asked(permuted_shown, permuting_shown, args, folds)


def known(subject: Subject, lam: float) -> dict[str, Permuted]:
    """What was found at λ, by measure; for table, files and scripts."""
    if subject.labels is None:
        return {}
    found = {measure: asked(subject, lam, measure).known for measure in COLUMNS}
    return {measure: one for measure, one in found.items() if one is not None}


def show_against_chance(subject: Subject, lam: float, measure: str, sweep: Sweep) -> None:
    """Draw the button, or p of the joint kernel at λ."""
    found = asked_chance(asked(subject, lam, measure, sweep), key="complete")
    words = measure.replace("_", "-")
    say_p(found, subject.contestants[0].name, key="complete", measure=words)


def recipes(subject: Subject, lam: float, against: Mapping[str, Permuted]) -> list[Call]:
    """How a script computes it again, a recipe a measure that was asked for."""
    made, labels = subject.made, subject.labels
    source = method("source", made.source, "renamed", subject.source.name)
    return [
        call(
            "permuted", "completion_chance", made.config, source, subject.target, labels, subject.validation, lam,
            measure=measure, permutations=found.permutations,
        )
        for measure, found in against.items()
    ]  # fmt: skip


HIDDEN_ONCE = (
    "Keeps the kernel of the heatmaps, with this one set of hidden items. The accuracy above hides other items in every "
    "repetition, so the page Evaluate will show another number for the kept kernel; it can be read below."
)
FOR_OTHERS = "It can then be inspected, combined and judged elsewhere."
THEN = "it can be inspected, combined and judged on the other pages."


def results(subject: Subject, shown: CompletionView, items: Items) -> None:
    """Keep, download, report, script."""
    made = subject.made
    against = known(subject, shown.lam)
    result = Result(
        f"joint λ={shown.lam:g} of {subject.target.name}",
        kernel=lambda: made.kernel(shown.lam),
        arrays=Offer(
            lambda: _arrays(subject, shown),
            help="Joint, extrapolated, truth, known mask and ids as a NumPy archive.",
        ),
        figure=Drawing(
            lambda: joint_picture(shown, items),
            title=f"Joint kernel of {subject.target.name} and {subject.source.name}",
            settings={"λ": shown.lam, **spelt(made.config)},
        ),
        script=Offer(
            lambda: script(subject, shown.lam, against),
            help="Python that computes this kernel and its accuracy again with kernex_core alone.",
        ),
    )
    keep_row(
        result, key="complete", keep=Keep(help=HIDDEN_ONCE if made.hidden.any() else FOR_OTHERS, then=THEN)
    )


def kernels(subject: Subject, shown: CompletionView) -> dict[str, Callable[[], FloatArray]]:
    """Those that are known everywhere, by name."""
    made, whole = subject.made, {}
    if not np.isnan(made.truth).any():
        whole[f"{subject.target.name}, complete"] = lambda: made.truth
    return {
        "joint": lambda: shown.K, "extrapolated": lambda: made.extrapolation.T_hat,
        f"{subject.source.name}, conditioned": lambda: made.source.values, **whole,
    }  # fmt: skip


def exactly(subject: Subject, shown: CompletionView) -> None:
    """Judge the one kernel that is kept, as the page Evaluate does; each move of λ costs as much only while it is open."""
    if subject.labels is None or not subject.made.hidden.any():
        return
    panel = st.expander(
        "Accuracy of exactly this kernel, with its one set of hidden items",
        on_change="rerun",
        key="complete.one",
    )
    if not panel.open:
        return
    with panel, guard():
        found = subject.judged(shown.lam)
        st.markdown(
            f"Multi-class **{with_interval(found.multi_class.mean, found.interval())}\u00a0%**, one-vs-rest "
            f"**{with_interval(found.one_vs_rest.mean, found.interval('one_vs_rest'))}\u00a0%**"
        )
        st.caption(
            f"{found.rests_on}, the interval in brackets: 95\u00a0%, other data sets. The page Evaluate shows these "
            "numbers for the kept kernel under the "
            "same settings of the cross-validation."
        )


ENDS = "'95 %, other data sets', $1[{0}].low[0], $1[{0}].high[0]"


def script(subject: Subject, lam: float, against: Mapping[str, Permuted] = MappingProxyType({})) -> str:
    """Script of the joint kernel at λ, and of the page's accuracy where there are labels.

    The accuracy is that of the sweep behind the page: every repetition hides other items and has its own folds.
    Judging the one kernel that is shown would give another number.
    """
    K = subject.made.kernel(lam)
    results, prints = [K.recipe], ["$0.values"]
    if subject.labels is not None:
        results += [*_judged(subject, subject.labels, lam), recorded_state(K)]
        results += recipes(subject, lam, against)
        prints += [
            f"'multi-class accuracy', $1[0].mean[0], {ENDS.format(0)}, 'sd over repetitions', $1[0].sd[0]",
            f"'one-vs-rest accuracy', $1[1].mean[0], {ENDS.format(1)}, 'sd over repetitions', $1[1].sd[0]",
            "$2",
            "*((each.name, each.value, each.interval.low, each.interval.high, each.p) for each in $3.candidates), sep='\\n'",
            "$4.words",
            *(f"{measure!r}, {printed_chance(5 + k)}" for k, measure in enumerate(against)),
        ]
    heading = (
        f"Kernex: {subject.target.name} completed from {subject.source.name}, λ = {lam:g}\n"
        "The matrix is the one that the page shows"
        + ("; in the accuracy every repetition hides other items." if subject.made.hidden.any() else ".")
    )
    return write_script(results, heading=heading, prints=prints)


def _judged(subject: Subject, labels: Labels, lam: float) -> list[Call]:
    """Accuracy of the joint kernel, and the verdict on everything that is judged beside it, from one sweep."""
    made = subject.made
    states = call(
        "states", "sweeping_shares", made.config, made.source, subject.target, labels, subject.validation,
        shares=(made.config.share,),
    )  # fmt: skip
    sweep = part(call("found", "last_state", states), "sweep")
    verdict = call(
        "verdict", "verdict_at", sweep, lam, source=subject.source.name,
    )  # fmt: skip
    said = call(
        "said",
        "verdict_sentence",
        verdict,
        gain="completing gains nothing",
        typed=(f"{subject.source.name} alone",),
    )
    return [call("accuracy", "joint_curve", sweep, lam), said, verdict]


def _arrays(subject: Subject, shown: CompletionView) -> Arrays:
    made = subject.made
    return {
        "joint": shown.K, "extrapolated": made.extrapolation.T_hat, "truth": made.truth, "known": made.known,
        "hidden": made.hidden, "unexplained": made.extrapolation.unexplained, "ids": np.array(made.source.ids),
        "lam": np.array(shown.lam),
    }  # fmt: skip


def are_unlabelled(subject: Subject) -> bool:
    """Whether there are items without a class, which can be predicted."""
    return subject.labels is not None and not subject.labels.labelled.all()


def unlabelled(subject: Subject, shown: CompletionView) -> None:
    """Predict the classes of items without one."""
    labels = subject.labels
    assert labels is not None  # there are some
    K = GramMatrix(shown.K, subject.made.source.ids, "joint")
    made = predict_unlabelled(K, labels, C=subject.validation.C)
    table = pd.DataFrame({"id": made.ids, "predicted class": made.labels, "margin": made.margin})
    registry.list_rows("complete.unlabelled", table, "Unlabelled items")
    st.markdown(f"**{counted(len(made.ids), 'item')} without a class**")
    st.dataframe(in_table(chosen.first(table)), hide_index=True, width="stretch")
    st.caption("Margin: largest decision value minus the runner-up; near 0 = undecided.")
    csv_button("Predictions as CSV", lambda: table, "predictions", key="complete.predict.csv")


# Accuracy on the page Complete: over the hidden share and over λ, side by side on one scale, and what both rest on.

HEIGHT = 260


def show(subject: Subject, answer: Answer, sweeps: Sequence[Sweep], found: Verdict | None) -> None:
    """Draw both curves; what has not been judged says so. The answer is of these sweeps, and of no others."""
    if subject.labels is None:
        panel_title("Accuracy", "not judged")
        st.markdown(
            f":gray[{without_classes(subject.dataset.labels)} The spectrum and the errors do not need any.]"
        )
        return
    if not sweeps or answer.accuracy is None or found is None:
        go_on(SWEEP, "Stopped before every repetition was judged.", "Judge")
        return
    sweep, measure = sweeps[0], subject.measure.replace("_", "-")
    left, right = st.columns(2, gap="medium") if subject.made.m <= QUICK else (st.container(), None)
    with left:
        panel_title(
            "Accuracy over the hidden share", f"%, {measure}; band: 95\u00a0%, other data sets",
            ("Multi-class", "One-vs-rest", "Floor", "Baseline", "Extrapolation"),
        )  # fmt: skip
        draw(accuracy_chart(sweeps, answer.accuracy, subject.column, subject), "complete.accuracy")
    if right is not None:
        with right:
            share = subject.made.config.share
            hidden = "as uploaded" if share is None else f"{100 * share:g}\u00a0% hidden"
            panel_title("Accuracy over λ", f"%, {measure}, {hidden}")
            draw(over_lam(subject, sweep, answer.lam), "complete.over_lam")
    own_classes(subject.labels)
    numbered_classes(subject.labels)
    copies_said("complete", sweep.cells[0].how.copies)
    st.caption(words.rests_on(answer, sweep, found))
    if sweep.repeats < subject.validation.repeats and subject.validation.folds:
        st.caption(
            f"{sweep.repeats} instead of {subject.validation.repeats} repetitions, because above {MANY} items each takes "
            "long. To judge with more, keep the kernel and go to the page Evaluate."
        )
    show_against_chance(subject, answer.lam, subject.measure, sweep)
    exactly(subject, answer.view)


def over_lam(subject: Subject, sweep: Sweep, lam: float, height: int = HEIGHT, floor: bool = True) -> Picture:
    """Accuracy (%) of the joint kernel against λ, with what has no λ as levels."""
    names = {each.role: each.name for each in subject.contestants}
    lams, column = lams_of(sweep), subject.column
    found = [subject.accuracy(each).here[column] for each in lams]
    mean = [100.0 * float(each.mean[0]) for each in found]
    ends = [(float(each.mean[0] - each.low[0]), float(each.high[0] - each.mean[0])) for each in found]
    extrapolated = level_curve([cell.plain["extrapolated"] for cell in sweep.cells])[column]
    levels = [Level(names["extrapolated"], 100.0 * float(extrapolated.mean[0]), "extrapolated")]
    if "source" in sweep.levels:
        alone = level_curve(sweep.levels["source"])[column]
        levels.append(Level(names["source"], 100.0 * float(alone.mean[0]), "source"))
    if floor:
        levels.append(Level("floor", 100.0 * (sweep.multi_floor, sweep.one_vs_rest_floor)[column], "floor"))
    line = Line("joint", list(lams), mean, "joint", error=100.0 * np.array(ends).T, markers=True)
    across = Across("λ, weight of the source", guide=lam, range=(0.0, 1.0))
    return curve([line], across, Values(unit="%", bounds=(0, 100)), levels=levels, height=height)


# How much of each unknown item the known ones explain, and what the completion keeps of the target.


def show_trust(subject: Subject) -> None:
    """Draw a bar for each unknown item, and two numbers."""
    made = subject.made
    at = np.flatnonzero(~made.known)
    explained = 1.0 - made.extrapolation.unexplained[at]
    ids = [made.source.ids[i] for i in at]
    left, right = st.columns([5, 1], gap="medium")
    with left:
        panel_title("Trust", "how much of each unknown item the known ones explain")
        draw(trust_bars(explained, ids=ids, marked=chosen.chosen_ids()), "complete.trust.bars")
    with right, st.container(width=NUMBER_WIDTH):
        median = made.explained_median
        metric(
            "Explained, unknown items", "—" if median is None else percent(median), note="median", beside=True
        )
        rank = f"rank {made.extrapolation.known.size:,} of {made.m:,}"
        metric("Trace kept", percent(made.extrapolation.trace_share), note=rank, beside=True)
    st.caption(
        "1 − (k′(x,x) − Φₓᵀ A⁻¹ Φₓ) / k′(x,x), in the source kernel with its nugget. An item near 0\u00a0% resembles no "
        "known item: what is filled in for it rests on nothing."
    )
    if said := scattered_words(subject.target):
        st.caption(said)
    labels = subject.labels
    table = pd.DataFrame({"id": ids, "class": labels.y[at] if labels else "", "explained": explained})
    csv_button("Trust as CSV", lambda: table.sort_values("explained"), "trust", key="complete.trust.csv")
