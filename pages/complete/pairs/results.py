"""What the page Complete draws and gives away where single pairs are unknown."""

from __future__ import annotations

from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.completion.scattered.hits import CompletedHits
from kernex_core.completion.scattered.pairs import FEWEST_PAIRS
from kernex_core.completion.scattered.step import CompletePairs
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call, write_script
from kernex_core.gram.step import Applied
from kernex_core.inputs.names import counted
from kernex_core.learning.leakage import recorded_state
from kernex_core.studies.completion.candidates import FEWEST, Measured, can_measure
from kernex_core.studies.completion.pairs import OWN, CompletedScores, ready
from pages.complete.pairs.subject import PairsSubject, known_pairs, missed_table, next_pairs, next_table
from pages.export.downloads import Arrays, csv_button
from pages.server.digits import number, percent
from pages.server.messages import plain
from pages.ui import chosen, widgets
from pages.ui import shown as registry
from pages.ui.figures.chart import Across, Items, Picture, Values
from pages.ui.figures.curve import Line, curve
from pages.ui.figures.heatmap import common_scale, error_scale, heatmap
from pages.ui.figures.published import predicted_measured
from pages.ui.frame import panel_title
from pages.ui.matrices import Panel, Room, Words
from pages.ui.panels.accuracy import numbered_classes
from pages.ui.panels.item_map import Why, chosen_row
from pages.ui.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.ui.panels.linked import arranged, draw, linked
from pages.ui.panels.staged import Part, Staged, run_study
from pages.ui.panels.verdicts import beside
from pages.ui.shown import spelt

KEY: Final = "complete.pairs.maps"
TABS: Final = "complete.tab"
KNOWN: Final = "This value is known."
TOO_FEW: Final = f"Fewer than {FEWEST_PAIRS} pairs are known beside the hidden ones: nothing says how sure predictions are."
RESTS_ON: Final = 5
"""Known pairs that are named of a prediction."""


def maps(subject: PairsSubject, made: CompletedScores, carriers: DeltaGenerator) -> Items:
    """Draw what is known, completed, how sure, and what is off, linked."""
    basis = subject.chosen.source or made.gram
    items = arranged(subject.chosen.order, basis, subject.labels)
    source = "" if subject.chosen.source is None else f" beside {subject.chosen.source.name}"
    words = Words(f"{subject.dataset.name}: {subject.chosen.target.name}{source}", settings_of(subject, made))
    linked(panels(made), items, key=KEY, words=words, room=Room(carriers, 0.4, TABS))
    return items


def settings_of(subject: PairsSubject, made: CompletedScores) -> str:
    """What made them, in words."""
    found = made.completed
    rho = "" if np.isinf(found.rho) else f", rho {number(found.rho)}"
    fit = f"strength {number(found.strength)}{rho}, {found.rank} factors"
    # with hits this is the fit that says scores, and known values are always kept
    return f"{fit}, finish {subject.chosen.config.finish}" if made.hits is None else f"if reported: {fit}"


def panels(made: CompletedScores) -> list[Panel]:
    """Known, completed, uncertainty; where pairs were hidden, the error on them too."""
    seen, completed = made.seen.values, made.completed
    scale = common_scale([made.target.values, made.gram.values])
    known = int(np.triu(~np.isnan(seen), 1).sum())
    total = made.target.n * (made.target.n - 1) // 2
    found = [Panel("Known", f"{percent(known / max(total, 1))} of pairs", seen, scale)]
    if made.hits is None:
        # of known pairs it is 0, and drawn as such: what is hatched is unknown in every picture
        sd, guessed = completed.sd, np.where(completed.sd > 0.0, completed.sd, np.nan)
        found += [
            Panel("Completed", f"{completed.rank} factors", made.gram.values, scale),
            Panel("Uncertainty", _sd_words(made), sd, common_scale([guessed])),
        ]
    else:
        score = np.where(np.isnan(seen), completed.model, seen)
        found += [
            Panel("Completed", "absence is low", made.gram.values, scale),
            Panel("If reported", "score", score, scale),
        ]
    if made.pairs.size:
        found.append(Panel("Error", "hidden pairs", made.error, error_scale([made.error])))
    return found


def _sd_words(made: CompletedScores) -> str:
    if made.unsaid:
        return "too few known pairs"
    return "sd" if made.scores else "being computed"


def what_is_done(subject: PairsSubject, made: CompletedScores) -> str:
    """Say what is completed from what, and why so."""
    unseen, source = made.completed.unseen, subject.chosen.source
    said = (
        "Single pairs of items that have other known pairs are unknown. They are completed from every known pair, by few "
        "factors"
        if made.unknown
        else "Single pairs are hidden and completed, by few factors"
    )
    said += " alone." if source is None else f" beside {subject.source_name}."
    if made.hits is not None:
        said += (
            " Unreported pairs are fitted to a floor below the lowest reported value, all of them with the weight of all "
            "reported ones; which ones were missed is ranked by that fit, their scores are said by one that ignores "
            "absence. Without an audit (pairs drawn at random and measured) there is no interval of the first."
        )
    if unseen:
        places = (
            "the source alone places them, in the same fit"
            if source is not None
            else "without a source nothing places them, and all of their similarities are the same constant"
        )
        said += (
            f" Of {counted(len(unseen), 'item')} no pair is known: {places}; their intervals come from whole items that "
            "were held back."
        )
    said += _of_selves(subject, made)
    if made.moved:
        said += (
            f" Known values were moved by {number(made.moved)} (root mean square), so that it is a kernel."
        )
    if not subject.has_way_back:
        return said
    return f"{said} Settings, What is completed, takes it back."


def _of_selves(subject: PairsSubject, made: CompletedScores) -> str:
    """Say what stands for self-similarities that are unknown or below 0, and that nothing is normalised by these."""
    own = np.diag(made.target.values)
    unknown, low = int(np.isnan(own).sum()), int((own <= 0.0).sum())
    said = ""
    if unknown:
        instead = "the mean of the others" if unknown < own.size else "the largest size of a known similarity"
        said += f" Of {counted(unknown, 'item')} the self-similarity is unknown: {instead} stands in place."
    if low:
        said += (
            f" Of {counted(low, 'item')} the self-similarity is not above 0, as no kernel has it: where negative "
            "eigenvalues are clipped, what they leave stands in place."
        )
    if subject.chosen.config.normalize and (unknown or low):
        said += " Cosine normalisation needs them all, above 0, and is left out."
    return said


def show_predicted(made: CompletedScores) -> None:
    """Draw predictions of hidden pairs against their truth."""
    if not made.pairs.size:
        st.markdown(
            ":gray[Hide a share of the known pairs: they are drawn here against what was predicted of them.]"
        )
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        panel_title("Predicted against measured", "hidden pairs; bars: 90\u00a0% intervals, crosses: outside")
        draw(predicted_picture(made), "complete.pairs.predicted")
    with right:
        at = tuple(made.pairs.T)
        half, off = made.completed.half_width[at], np.abs(made.error[at])
        if np.isnan(half).all():
            st.caption(TOO_FEW if made.unsaid else "Intervals are being computed.")
            return
        order = np.array_split(np.argsort(half, kind="stable"), 3)
        panel_title("Are the intervals right?", "90\u00a0% is meant")
        registry.table(
            "complete.pairs.coverage",
            {
                "pairs": ["surest third", "middle third", "least sure third"],
                "half width": [number(float(np.median(half[part]))) if part.size else "—" for part in order],
                "error": [number(float(np.sqrt(np.mean(off[part] ** 2)))) if part.size else "—" for part in order],
                "within": [percent(float(np.mean(off[part] <= half[part]))) if part.size else "—" for part in order],
            },
        )  # fmt: skip


def predicted_picture(made: CompletedScores) -> Picture:
    """Predicted against measured."""
    at = tuple(made.pairs.T)
    ids = made.target.ids
    names = [f"{ids[i]}, {ids[j]}" for i, j in made.pairs.tolist()]
    return predicted_measured(
        made.completed.model[at], made.target.values[at], made.completed.half_width[at], names, height=280
    )


def scores_table(made: CompletedScores) -> list[dict[str, object]]:
    """One row a way: error, rank correlation, accuracy with its interval, p beside the best."""
    rows: list[dict[str, object]] = []
    for each in made.scores:
        row: dict[str, object] = {
            "way": each.name,
            "error": each.error,
            "rank_correlation": each.rank,
            "auc": each.auc,
        }
        if each.judgement is not None:
            ends = each.judgement.interval()
            row |= {
                "multi_class": each.judgement.multi_class.mean,
                "multi_class_from": np.nan if ends is None else ends.low,
                "multi_class_to": np.nan if ends is None else ends.high,
            }
        if made.verdict is not None:
            row["p"] = made.verdict.of(each.name).p
        rows.append(row)
    return rows


def show_scores(subject: PairsSubject, made: CompletedScores) -> None:
    """Draw what every way has on the hidden pairs, and as a kernel."""
    if not made.scores:
        st.markdown(":gray[Being computed, when all settings have been tried.]")
        return
    found = {"found (AUC)": [_cell(each.auc) for each in made.scores]} if made.hits is not None else {}
    table: dict[str, list[str]] = {
        "way": [f"**{each.name}**" if each.name == OWN else each.name for each in made.scores],
        "error": [_cell(each.error) for each in made.scores],
        "rank correlation": [_cell(each.rank) for each in made.scores],
        **found,
    }
    if made.verdict is not None:
        table["multi-class"] = [
            "—" if each.judgement is None else percent(each.judgement.multi_class.mean, 1)
            for each in made.scores
        ]
        table["beside the best"] = [beside(made.verdict, each.name) for each in made.scores]
    registry.table("complete.pairs.scores", table, title="Beside plain ways", hide_index=True)
    numbered_classes(subject.labels)
    st.caption(
        "Error: root mean square on the hidden pairs; rank correlation over the same. Accuracy is of the kernel with known "
        "values kept, predictions beside them and negative eigenvalues clipped, for every way alike; it is transductive."
    )
    csv_button("Table as CSV", lambda: scores_table(made), "plain ways", key="complete.pairs.scores.csv")


def _cell(value: float) -> str:
    return "—" if np.isnan(value) else number(value)


def show_next(subject: PairsSubject, made: CompletedScores) -> None:
    """Draw the ten pairs to measure next, with the reason; of unreported ones those that are most likely missed."""
    if made.hits is not None:
        _show_missed(made.hits)
        return
    purpose = widgets.pick(
        "purpose",
        ["learn the matrix", "find hits"],
        key="complete.pairs.purpose",
        label_visibility="collapsed",
    )
    left, right = st.columns([3, 2], gap="medium")
    with right:
        _curve(subject, made)
    with left:
        _next_pairs(made, purpose == "find hits")


def _curve(subject: PairsSubject, made: CompletedScores) -> None:
    """As if hidden pairs were measured: the error of pairs that never are, by active and by random choice."""
    if not made.scores or not can_measure(made.hidden):
        st.caption(
            f"With at least {FEWEST} hidden pairs, what this choice gains over a random one can be tried on them."
        )
        return
    panel_title("As if it had been measured", "error of pairs that never are")
    work = subject.measured
    study: Staged[Part[Measured]] = Staged(work, work.parts, work.args)  # type: ignore[arg-type]
    part = run_study(
        study, key="complete.pairs.curve", what="% of batches", automatic=False, label="Compare with random choice",
        cost="Half of the hidden pairs, in ten batches.",
    )  # fmt: skip
    found = None if part is None else part.result
    if found is None:
        return
    draw(measured_picture(found), "complete.pairs.measured")
    if not found.tells:
        st.caption(
            "So few measurements hardly change the error, whoever chooses them: hide more pairs to see a difference."
        )
    elif np.isnan(found.saved):
        st.caption("Here choosing does not reach the error that random choice ends with.")
    else:
        st.caption(
            f"Choosing reaches random choice's last error after {percent(found.saved)} of its measurements."
        )


def measured_picture(found: Measured) -> Picture:
    """Errors against the number of measured pairs."""
    lines = [
        Line("at random", found.counts, found.random, "mean-fill", markers=True),
        Line("chosen", found.counts, found.active, "joint", markers=True),
    ]
    return curve(lines, Across("pairs measured"), Values("error"), height=240)


def _next_pairs(made: CompletedScores, hits: bool) -> None:
    pairs = next_pairs(made.completed, "hits" if hits else "learn")
    if not pairs:
        st.markdown(":gray[Every pair is known.]")
        return
    known = known_pairs(made.completed)
    most = pairs[0].gain
    why = (
        {"gain, % of the first": [number(100.0 * each.gain / most, 0) for each in pairs]}
        if most > 0.0 and not hits
        else {}
    )
    registry.table(
        "complete.pairs.next",
        {
            "first": [plain(each.first) for each in pairs],
            "second": [plain(each.second) for each in pairs],
            "prediction": [number(each.value) for each in pairs],
            "± sd": [_cell(each.sd) for each in pairs],
            **why,
            "known pairs of both": [f"{known[each.first]}, {known[each.second]}" for each in pairs],
        },
        title="To measure next", note="one after the other",
    )  # fmt: skip
    st.caption(
        "Find hits: the highest predictions. Learn the matrix: what all other pairs of both items would gain, each chosen "
        "as if those above it had been measured. On proteins it took 60 to 90 % of the "
        "measurements that random choice takes, on digits and generated data 90 %. Hidden pairs count as unknown."
    )
    csv_button(
        "Pairs as CSV", lambda: next_table(pairs, known), "pairs to measure", key="complete.pairs.next.csv"
    )


def _show_missed(made: CompletedHits) -> None:
    pairs = made.missed(10)
    panel_title("Most likely missed", "unreported pairs, the likeliest first")
    registry.table(
        "complete.pairs.missed",
        {
            "first": [plain(each.first) for each in pairs],
            "second": [plain(each.second) for each in pairs],
            "likely": [number(each.likely) for each in pairs],
            "score if reported": [number(each.score) for each in pairs],
        },
    )
    st.caption(
        "Likely: prediction of the fit that takes absence for low; it ranks. Score: of the fit that ignores absence, what "
        "the pair would have had if it had been reported."
    )
    csv_button("Pairs as CSV", lambda: missed_table(pairs), "missed pairs", key="complete.pairs.missed.csv")


def show_pair(subject: PairsSubject, made: CompletedScores, items: Items) -> None:
    """Write what is predicted of the chosen pair, and the known pairs it rests on."""
    source = subject.chosen.source
    more = {} if source is None else {plain(source.name): source.values}
    chosen_row(panels(made), items, KEY, Why(more=more))
    pair = chosen.pair(items.ids)
    if pair is None:
        return
    i, j = pair
    completed = made.completed
    if i == j:
        own = made.target.values[i, i]
        instead = (
            f"Unknown; {number(float(made.gram.values[i, i]))} stands in place: no self-similarity is fitted."
        )
        st.caption(instead if np.isnan(own) else KNOWN)
        return
    if completed.sd[i, j] == 0.0:
        st.caption(KNOWN)
        return
    half = completed.half_width[i, j]
    width = "" if np.isnan(half) else f" ± {number(float(half))} (90\u00a0%)"
    said = f"Predicted **{number(float(completed.model[i, j]))}**{width}"
    if made.hits is not None:
        said += f" if it had been reported; taking absence for low, {number(float(made.hits.likely[i, j]))}"
    st.markdown(said)
    rows = rests_on(made, i, j)
    if rows:
        registry.table(
            "complete.pairs.rests", rows, title="It rests on", note="known pairs of its items that count most"
        )


def rests_on(made: CompletedScores, i: int, j: int) -> list[dict[str, str]]:
    """Known pairs of both items whose value moves the prediction most: by u_j' C_i u_k for each known k of i."""
    completed, ids = made.completed, made.target.ids
    found: list[tuple[float, int, int, float]] = []
    for a, b in ((i, j), (j, i)):
        pull = completed.pull(a, b)
        most = np.argsort(-np.abs(pull), kind="stable")[:RESTS_ON].tolist()
        found += [(abs(pull[k]), a, k, float(pull[k])) for k in most if pull[k] != 0.0]
    found.sort(reverse=True)
    return [
        {
            "known pair": f"{plain(ids[a])}, {plain(ids[k])}",
            "value": number(float(made.seen.values[a, k])),
            "moves the prediction by": f"{number(moved)} a unit",
        }
        for _, a, k, moved in found[:RESTS_ON]
    ]


def give(subject: PairsSubject, made: CompletedScores, items: Items) -> None:
    """Keep, download, report, script."""
    gram = made.gram
    result = Result(
        f"{subject.chosen.target.name} completed",
        kernel=lambda: kept(subject, made),
        arrays=Offer(lambda: _arrays(made), help="Completed, model, sd, interval, known mask and ids as a NumPy archive."),
        figure=Drawing(
            lambda: heatmap(gram.values, items, name="the completed kernel", scale=common_scale([gram.values]), height=620),
            title=f"{subject.chosen.target.name}, completed",
            settings=dict(spelt(subject.chosen.config)),
        ),
        script=Offer(
            lambda: script(subject, made), help="Python that computes this kernel again with kernex_core alone."
        ),
    )  # fmt: skip
    said = (
        "Completed without the hidden pairs: as uploaded, every known pair counts."
        if made.pairs.size
        else None
    )
    keep_row(result, key="complete", keep=Keep(help=said))


def kept(subject: PairsSubject, made: CompletedScores) -> GramMatrix:
    """The completed kernel, which can be fitted again inside training folds; that of hits cannot."""
    if made.hits is not None:
        return made.gram
    config, found = subject.chosen.config, made.completed
    source = None if subject.chosen.source is None else ready(config, subject.chosen.source)
    step = CompletePairs(
        source, finish=config.finish, strength=found.strength, rho=found.rho, rank=found.rank, seed=config.seed
    )  # fmt: skip
    return made.seen.then(step, Applied(made.gram.values)).renamed(made.gram.name)


def _arrays(made: CompletedScores) -> Arrays:
    found = made.completed
    more = {} if made.hits is None else {"likely": made.hits.likely}
    return {
        **more, "completed": made.gram.values, "model": found.model, "sd": found.sd, "half_width": found.half_width,
        "known": ~np.isnan(made.seen.values), "hidden": made.hidden, "ids": np.array(made.target.ids),
    }  # fmt: skip


def script(subject: PairsSubject, made: CompletedScores) -> str:
    """Script of the completed kernel, and of its accuracy where there are labels."""
    gram: GramMatrix = made.gram
    found: list[Call] = [gram.recipe]
    prints = ["$0.values"]
    if subject.labels is not None:
        found += [
            call("judged", "judge", gram, subject.labels, subject.chosen.validation),
            recorded_state(gram),
        ]
        prints += ["'multi-class accuracy', $1.multi_class.mean", "$2.words"]
    heading = f"Kernex: single pairs of {subject.chosen.target.name}, completed from {subject.source_name}"
    return write_script(found, heading=heading, prints=prints)
