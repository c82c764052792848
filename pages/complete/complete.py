"""The page Complete on one screen: what it is about, the verdict, the matrices with λ at them, then what one asks second.

A move of λ runs `_moving` alone: of the matrices it sends two, and what the open tab shows. A move of another setting runs
the body of the page where there are few items, and the whole page where there are many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.parameters import parameters
from kernex_core.completion.complete import Complete
from kernex_core.gram.seen import ITEMS, seen_of
from kernex_core.inputs.dataset import DataSet
from kernex_core.learning.cells import COLUMNS
from kernex_core.learning.chance.interval import judged_times
from kernex_core.learning.chance.verdict import Verdict
from kernex_core.learning.leakage import State, state_of
from kernex_core.studies.completion.candidates import OTHER_JOINT, Answer, Contestant, scores_by_role
from kernex_core.studies.completion.share_sweep import TWO_MACHINES, Curve, Sweep, level_curve
from kernex_core.studies.completion.study import Completion, CompletionView, other_joint_error
from pages.complete import results
from pages.complete import results as against_chance
from pages.complete import subject as words
from pages.complete.pairs import view as single_pairs
from pages.complete.pairs.subject import is_pairs
from pages.complete.results import over_lam
from pages.complete.subject import QUICK, SETTINGS, TABS, Subject, choice
from pages.export.downloads import csv_button
from pages.server.digits import number, p_value, percent
from pages.server.messages import guard, plain
from pages.ui import shown as drawn
from pages.ui import shown as registry
from pages.ui.answer import Choosing, VerdictPlace, choose, draw_parts, first_row, is_asked
from pages.ui.figures.chart import Items
from pages.ui.frame import PageFrame, formula_text, need_data, open_page
from pages.ui.panels.accuracy import state_badge, without_classes
from pages.ui.panels.inspection import eigenvectors
from pages.ui.panels.item_map import Why, chosen_row
from pages.ui.panels.source_target import AT_ONCE, choose_target, complete_in_pieces
from pages.ui.panels.verdicts import RULE, chance_columns, p_against_chance
from pages.ui.widget import widget

# The joint kernel beside every plain alternative: accuracy and error in one table, on the page Complete.

WHOLE = "nothing hidden; no ceiling: completed kernels can beat it"
"""What the complete target is: it knows what is hidden, so it is beside the others and not among them."""


def show_baselines(subject: Subject, answer: Answer, sweep: Sweep | None, verdict: Verdict | None) -> None:
    """Draw the table."""
    rows = table(subject, answer, sweep, verdict)
    drawn.table(
        "complete.baselines",
        {
            "kernel": [
                f"**{plain(str(row['kernel']))}**" if place == 0 else plain(str(row["kernel"]))
                for place, row in enumerate(rows)
            ],
            "meaning": [f":gray[{plain(str(row['meaning']))}]" for row in rows],
            "multi-class": [_accuracy(row, "multi_class") for row in rows],
            "one-vs-rest": [_accuracy(row, "one_vs_rest") for row in rows],
            "beside the best": [_told(row) for row in rows],
            **_chances(subject, answer.lam, [str(row["kernel"]) for row in rows]),
            "error on hidden pairs": [_error(row) for row in rows],
        },
        title="Beside the baselines",
    )
    st.caption(
        "Accuracy: mean [95\u00a0%] ± sd over repetitions, each with its own hidden items and "
        "folds. Error: root "
        "mean square on the pairs with a hidden item that the heatmaps show; every kernel is scaled by least squares "
        "first. Kernels are judged as they are kept: nothing is added to one and not to another. Beside the best: by "
        "the measure of the chart, p corrected for all pairs (Holm)."
    )
    csv_button("Table as CSV", lambda: rows, "baselines", key="complete.baselines.csv")


def table(
    subject: Subject, answer: Answer, sweep: Sweep | None, verdict: Verdict | None = None
) -> list[dict[str, object]]:
    """Return one row a contestant, and one of the complete target; NaN where nothing can be said.

    `p` is that of the verdict, beside the best and after correction.
    """
    made, errors = subject.made, {}
    if made.hidden.any():
        errors = {
            "joint": answer.view.hidden_error,
            **made.errors,
            OTHER_JOINT: other_joint_error(made, answer.lam),
        }
    rows: list[dict[str, object]] = []
    known = against_chance.known(subject, answer.lam)
    whole = Contestant("target", f"{subject.target.name}, complete", WHOLE)
    for each in (*subject.contestants, whole):
        row: dict[str, object] = {
            "kernel": each.name,
            "meaning": each.meaning,
            "error": errors.get(each.role, np.nan),
            "mode": _seen(subject, each.role).words,
        }
        for field, values in _values(each.role, answer, sweep).items():
            row[field], row[f"{field}_sd"], row[f"{field}_from"], row[f"{field}_to"] = values
        row |= _beside_the_best(each, verdict)
        row |= chance_columns(known, each.name)
        rows.append(row)
    return rows


def _seen(subject: Subject, role: str) -> State:
    """What a kernel of the table has seen of tested items."""
    source, target = subject.made.source, subject.made.known_target
    alone = {"source": (source,), "target": (target,), TWO_MACHINES: (source, target)}
    return state_of(seen_of(*alone[role]) if role in alone else seen_of(source, target) | ITEMS)


def _values(role: str, answer: Answer, sweep: Sweep | None) -> dict[str, tuple[float, ...]]:
    found: dict[str, tuple[float, ...]] = dict.fromkeys(COLUMNS, (np.nan,) * 4)
    if sweep is None or answer.accuracy is None:
        return found
    judged = scores_by_role(sweep, answer.accuracy.scores, answer.accuracy.other)
    judged["target"] = sweep.levels.get("target", ())
    scores = judged.get(role, ())
    if not scores:
        return found
    curves = level_curve(scores)
    return {field: _numbers(curve) for field, curve in zip(COLUMNS, curves, strict=True)}


def _beside_the_best(each: Contestant, verdict: Verdict | None) -> dict[str, float | str]:
    found = [] if verdict is None else [one for one in verdict.candidates if one.name == each.name]
    if not found or verdict is None:
        return {"beside_the_best": "", "p": np.nan}
    (one,) = found
    if one is verdict.best:
        return {"beside_the_best": "best", "p": np.nan}
    return {"beside_the_best": "worse" if one.told_apart else "not told apart", "p": one.p}


def _chances(subject: Subject, lam: float, names: list[str]) -> dict[str, list[str]]:
    """Columns of p against chance, a measure each; none before it was asked for."""
    return {
        f"{measure.replace('_', '-')} against chance": [
            p_against_chance(found, name) or "—" for name in names
        ]
        for measure, found in against_chance.known(subject, lam).items()
    }


def _told(row: dict[str, object]) -> str:
    told, p = str(row["beside_the_best"]), _float(row["p"])
    if not told:
        return "—"
    return f"**{told}**" if np.isnan(p) else f"{told} :gray[p\u00a0{p_value(p)}]"


def _numbers(curve: Curve) -> tuple[float, ...]:
    return tuple(float(part[0]) for part in (curve.mean, curve.sd, curve.low, curve.high))


def _float(value: object) -> float:
    assert isinstance(value, float)
    return value


def _accuracy(row: dict[str, object], field: str) -> str:
    mean, sd, low, high = (_float(row[f"{field}{end}"]) for end in ("", "_sd", "_from", "_to"))
    if np.isnan(mean):
        return "—"
    shown = f"{percent(mean, 1)} :gray[[{100 * low:.1f}, {100 * high:.1f}]]"
    return shown if np.isnan(sd) else f"{shown} :gray[± {100 * sd:.1f}]"


def _error(row: dict[str, object]) -> str:
    value = _float(row["error"])
    return "—" if np.isnan(value) else number(value, 3)


# Choose λ: opened by the button in the bar of the pictures.


def dialog_if_asked(subject: Subject, answer: Answer, sweep: Sweep | None) -> None:
    """Open the dialog where the button was pressed."""
    if sweep is None or not is_asked(results.KEY):
        return
    # without the floor: from 28 to 100 nobody sees what happens between 95 and 98
    curve = (
        (lambda: over_lam(subject, sweep, answer.lam, 240, floor=False)) if subject.made.m <= QUICK else None
    )
    choose(
        Choosing(
            "λ", subject.choosing_lam(), "complete", lambda name: ("lam", float(name.partition("=")[2])),
            now=f"λ = {answer.lam:g}", picture=curve,
        )
    )  # fmt: skip


# How the page Complete works, in formulas and sentences.

FORMULAS: Final = (
    r"A = K'_{SS},\quad W = A^{-1} K'_{S\cdot},\quad \hat T = W^\top T\, W",
    r"K_{\mathrm{joint}}(\lambda) = W^\top \left(\lambda A^{-1} + (1-\lambda)\, T'^{-1}\right)^{-1} W",
    r"K' = K + \rho I,\qquad T' = T + \rho I",
)
ASSUMPTIONS: Final = (
    "*S* are the items whose target similarities are known. On them the extrapolated kernel equals the target.",
    "*λ* weights the source: at 0 only the target counts where it is known, at 1 only the source.",
    "Kernels are repaired on what is known, then normalised, then the nugget *ρ* is added to both.",
    "Hidden items are drawn from the known ones by the seed; a larger share hides these and more.",
    "Accuracy is transductive: the kernel is built on all items, the classifier sees the labels of its training "
    "fold only. Every repetition draws other hidden items and other folds, from the seed and its number; a "
    "kept kernel has one "
    "set of hidden items, so the page Evaluate gives another number for it.",
    r"The certificate is the shear constraint of Lemma 1, $\lambda_{\min}(K' - K_Q) \ge 0$ up to rounding.",
    "Vishwanathan, Borgwardt, Guttman, Smola, Kernel extrapolation, Neurocomputing 2006, sections 2, 3 and 5.3.",
)


# The verdict of the page Complete: one sentence and three numbers.

EXTRAPOLATED, JOINT, ERROR, EXPLAINED = "Extrapolated", "Joint", "Error", "Explained"
ERROR_HELP = (
    "Root mean square of the joint kernel minus the truth, on pairs with a hidden item; every kernel is scaled by least "
    "squares first."
)


def names(subject: Subject) -> tuple[str, ...]:
    """Return what the numbers are of."""
    last = ERROR if subject.made.hidden.any() else EXPLAINED
    return (EXTRAPOLATED, JOINT, last) if subject.labels is not None else (last,)


def fill(
    place: VerdictPlace, subject: Subject, answer: Answer, sweep: Sweep | None, found: Verdict | None
) -> None:
    """Write it; without a verdict nothing was judged."""
    made = subject.made
    hidden = bool(made.hidden.any())
    if sweep is None or answer.accuracy is None or found is None:
        place.say(_not_judged(subject, answer, hidden))
        for at in range(len(place.names) - 1):
            place.number(at, place.names[at], "—")
    else:
        measure = subject.measure.replace("_", "-")
        place.say(words.verdict(subject, found, answer.lam), f"{measure} accuracy")
        floor = (sweep.multi_floor, sweep.one_vs_rest_floor)[subject.column]
        extrapolated = level_curve([cell.plain["extrapolated"] for cell in sweep.cells])
        for at, name, curves in ((0, EXTRAPOLATED, extrapolated), (1, JOINT, answer.accuracy.here)):
            curve = curves[subject.column]
            place.number(
                at, name, percent(float(curve.mean[0]), 1), _ends(curve), _rests(curve, sweep, floor)
            )
    at = len(place.names) - 1
    if hidden:
        fill_error = number(made.errors["mean-fill"], 3)
        place.number(
            at, ERROR, number(answer.view.hidden_error, 3), f"mean-fill {fill_error}", _error_help(subject)
        )
    else:
        explained = made.explained_median
        said = "—" if explained is None else percent(explained)
        place.number(
            at, EXPLAINED, said, "median", "Of the unknown items, by the known ones; each item: Trust."
        )


def _not_judged(subject: Subject, answer: Answer, hidden: bool) -> str:
    made = subject.made
    if subject.labels is not None and results.is_stopped(results.SWEEP, subject.settings):
        return "Not judged: it was stopped. Judge under Accuracy goes on."
    if hidden:
        plain = made.errors["mean-fill"]
        ratio = f"{percent(answer.view.hidden_error / plain)} of " if plain else "no less than "
        return (
            f"The hidden pairs are rebuilt with {ratio}the error of mean-fill. "
            f"{without_classes(subject.dataset.labels)}"
        )
    unknown = int((~made.known).sum())
    return f"{unknown:,} unknown items are completed. Hide a share to see how well; labels, brought on Data, judge it."


def _ends(curve: Curve) -> str:
    return f"{number(100.0 * float(curve.low[0]), 0)}–{number(100.0 * float(curve.high[0]), 0)}\u00a0%"


def _rests(curve: Curve, sweep: Sweep, floor: float) -> str:
    low, high = (number(100.0 * float(end[0]), 1) for end in (curve.low, curve.high))
    return (
        f"Accuracy; {judged_times(sweep.n_items, sweep.repeats)}, with other hidden items each time. In grey 95\u00a0%, "
        f"other data sets: {low} to {high}\u00a0%. The floor, the largest class alone, is {percent(floor, 1)}. Who is told "
        "apart is said by the sentence, not by intervals. sd over repetitions, which judge the same items again: "
        f"{percent(float(curve.sd[0]), 1)}."
    )


def _error_help(subject: Subject) -> str:
    errors = subject.made.errors
    names = {
        "extrapolated": "extrapolated",
        "zero-fill": "zero-fill",
        "mean-fill": "mean-fill",
        "nystroem": "Nyström",
    }
    said = ", ".join(f"{name} {number(errors[key], 3)}" for key, name in names.items())
    return f"{ERROR_HELP} Others: {said}."


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    draw_body = _body_alone if dataset.n <= QUICK else _body
    go_on = draw_body(page, dataset, [True])
    if go_on is not None:
        go_on()


def _body(page: PageFrame, dataset: DataSet, first: list[bool]) -> Callable[[], None] | None:
    """Draw the first row and all that follows from it; return what goes on after it, outside of a fragment.

    None where it was stopped, or refused.
    """
    is_page = bool(first) and first.pop()
    if not is_page:
        registry.again()
    with guard():
        with first_row():
            places = [st.container(width=200), st.container(width=200)]
            places += [st.container(width="stretch"), st.container(width="content")]
        with places[0]:
            target = choose_target(dataset)
        # in a run of its own a fragment draws all badges anew
        frame = page if is_page else PageFrame(page.slot)
        if is_pairs(dataset, target):
            return single_pairs.body(frame, dataset, target, places[1:], is_page)
        chosen = choice(dataset, target, places[1:])
        if (known := int(chosen.target.known.sum())) < FEWEST_KNOWN:
            st.markdown(
                f"Whole items are completed from at least two that are known with each other and with themselves; of "
                f"{plain(target.name)} {'one is' if known else 'none is'}. Single pairs can be completed all the same: "
                "Settings, *What is completed*."
            )
            return None
        wait = st.container(gap=None, key="wait").empty()
        made = complete_in_pieces(chosen.config, chosen.source, chosen.target)
        if made is None:
            return None
        labels = dataset.judgeable
        subject = Subject(
            dataset, chosen.source, chosen.target, labels, made, chosen.validation, chosen.measure
        )
        if not is_page and subject.missing_shares:
            st.rerun()  # they come one after the other, with a Stop that no fragment may hold back
        _badges(PageFrame(page.slot), made)
        _waited_for(subject, wait, chosen.order)
        return lambda: results.more_shares(subject, wait)
    return None


FEWEST_KNOWN: Final = 2
"""Items that a source carries on to all others."""
_body_alone = st.fragment(_body)
"""The same by itself: of few items everything is an answer to a move, and the page around it stays."""


def _waited_for(subject: Subject, wait: DeltaGenerator, order: str) -> None:
    """Draw what λ changes; where many items have to be judged first, with a bar and Stop."""
    asked = subject.made.m > QUICK and subject.waits
    if not asked or results.is_stopped(results.SWEEP, subject.settings):
        _moving(subject, order, [])
        return
    with results.stoppable(wait, results.SWEEP, subject.settings) as bar:
        if subject.made.m > AT_ONCE:  # until the first repetition is told of
            bar.progress(0.0, f"Matrices of {subject.made.m:,} items")
        _moving(subject, order, [bar])


@st.fragment
def _moving(subject: Subject, order: str, bars: list[DeltaGenerator]) -> None:
    """Draw what λ changes; a bar stands beside Stop in the first run alone, which is the page's.

    The verdict's places are its own: a fragment inside of one that runs again may write into nothing else.
    """
    place = VerdictPlace(*names(subject))
    with st.container(key="hidden_slider.lam"):
        # it keeps the setting; the one that is seen is in the pictures
        lam = widget(parameters(Complete)["lam"], 0.25, name="lam")
    with guard():
        shown = subject.view(lam)
        pictures_place, lower, carriers = (
            st.container(gap="xsmall", key="maps"),
            st.container(),
            st.container(),
        )
        with pictures_place:
            items = results.maps(subject, shown, order, carriers)
        answer, sweeps = _judged(subject, shown, bars)
        sweep = sweeps[0] if sweeps else None
        made = None if sweep is None else subject.verdict(answer, sweep)
        fill(place, subject, answer, sweep, made)
        with lower:
            _tabs(subject, answer, sweeps, made, items)
            results.results(subject, shown, items)
        dialog_if_asked(subject, answer, sweep)


def _judged(
    subject: Subject, shown: CompletionView, bars: list[DeltaGenerator]
) -> tuple[Answer, tuple[Sweep, ...]]:
    """Accuracy at λ, and the sweeps that it is of, that of the share that is shown first; none without classes or stopped.

    Those of other shares come and go while others compute them, or need the room: a run looks for them once.
    """
    if subject.labels is None:
        return Answer(shown), ()
    if subject.waits and results.is_stopped(results.SWEEP, subject.settings):
        return Answer(shown), ()
    bar = bars.pop() if bars else st.empty()
    sweep = subject.watched_sweep(bar) if subject.waits else subject.sweep(subject.made.config.share)
    sweeps = (sweep, *subject.other_sweeps)
    return subject.answer(shown, sweeps), sweeps


def _tabs(
    subject: Subject, answer: Answer, sweeps: tuple[Sweep, ...], found: Verdict | None, items: Items
) -> None:
    """Draw what one asks second: the part that is open."""
    made, shown = subject.made, answer.view
    sweep = sweeps[0] if sweeps else None
    parts: dict[str, Callable[[], None]] = {
        "Accuracy": lambda: results.show(subject, answer, sweeps, found),
        "Spectrum": lambda: _spectrum(subject, shown, items),
        **({} if made.known.all() else {"Trust": lambda: results.show_trust(subject)}),
        "Baselines": lambda: show_baselines(subject, answer, sweep, found),
        "Pair": lambda: chosen_row(
            results.panels(subject, shown, items), items, results.KEY,
            Why(more={f"{subject.source.name}, conditioned": made.source.values}),
        ),
        **({"Predicted": lambda: results.unlabelled(subject, shown)} if results.are_unlabelled(subject) else {}),
        "Method": lambda: _method(subject, shown),
    }  # fmt: skip
    formula_text(FORMULAS, ASSUMPTIONS)
    draw_parts(parts, key=TABS)


def _spectrum(subject: Subject, shown: CompletionView, items: Items) -> None:
    left, right = st.columns(2, gap="medium")
    with left:
        results.spectrum_panel(subject, shown.lam)
    with right:
        eigenvectors(results.kernels(subject, shown), items, key="complete.eigenvector")


def _method(subject: Subject, shown: CompletionView) -> None:
    st.caption(f"{words.what_is_seen(subject, shown)} {RULE}.")
    st.markdown(formula_text(FORMULAS, ASSUMPTIONS))


def _badges(page: PageFrame, made: Completion) -> None:
    state_badge(state_of(seen_of(made.source, made.known_target) | ITEMS), page.slot)
    proof = made.extrapolation
    number_text = f"λ_min(K − K_Q) = {number(proof.shear_eigenvalue)}, tolerance {number(-1.1 * proof.delta)}"
    if proof.certificate_holds:
        page.badge(
            "certificate holds",
            "green",
            ":material/check:",
            f"The rebuilt source never exceeds the source: {number_text}.",
        )
    else:
        page.badge(
            "certificate fails",
            "red",
            ":material/close:",
            f"The rebuilt source exceeds the source: {number_text}. Under the free constraint that is expected.",
        )


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Complete",
        "How well can the target kernel be rebuilt where it is unknown, from a source kernel that is known everywhere?",
        SETTINGS,
    )
    dataset = need_data()
    with guard():
        show(page, dataset)
