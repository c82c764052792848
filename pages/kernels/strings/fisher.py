"""SVM-Fisher for the page Strings: a profile a class, fitted inside the folds; progress, stop, download."""

from __future__ import annotations

from typing import TypeAlias

import pandas as pd
import streamlit as st

from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.sequences.fisher import FisherConfig, FisherTable, estimated_seconds, svm_fisher
from pages.server.cached import cached
from pages.server.declared import of
from pages.server.digits import duration
from pages.server.messages import findings, guard, plain
from pages.ui import shown as registry
from pages.ui.panels.keep import Offer, Result, keep_row
from pages.ui.panels.staged import Staged, run_study
from pages.ui.shown import copies_field
from pages.ui.widget import controls

Args: TypeAlias = tuple[FisherConfig, Sequences, Labels, CrossValidation]
START = CrossValidation(folds=2, repeats=1)
WHAT = (
    "A baseline of the paper on almost orthogonal patterns: a profile hidden Markov model of each class is fitted to its "
    "training members alone, unaligned; the slopes of the log-likelihood at the match states are the features of a support "
    "vector machine. Its weakness: every class needs a model of its own in every fold, and the machine adds little to the "
    "log-odds of that model, and can take from them; both are shown. The spectrum kernel has the same machine on the same "
    "folds."
)


@cached(public=True)
def judged_fisher(
    config: FisherConfig, sequences: Sequences, labels: Labels, validation: CrossValidation
) -> FisherTable:
    """Return the whole table; the page keeps what is done under the same key."""
    return list(svm_fisher(config, sequences, labels, validation))[-1]


def draw(dataset: DataSet, samples: Sequences) -> None:
    """Draw the expander for one set of sequences.

    Parameters
    ----------
    dataset : DataSet
        Whose labels are judged by.
    samples : Sequences
    """
    with st.expander("SVM-Fisher", icon=":material/stacked_line_chart:"), guard():
        st.caption(WHAT)
        labels = dataset.judgeable
        if labels is None:
            raise InvalidInputError(
                "SVM-Fisher needs labels of at least two classes",
                f"{'no labels' if dataset.labels is None else 'one class'} in {dataset.name!r}",
                "Bring labels on the page Data",
            )
        args: Args = (*_settings(dataset, samples, labels),)
        profiles = len(labels.classes) * args[3].folds * args[3].repeats
        seconds = estimated_seconds(*args)
        found = run_study(
            Staged(judged_fisher, svm_fisher, args),
            key="sequences.fisher",
            what="profiles",
            automatic=False,
            label="Judge SVM-Fisher",
            cost=f"{profiles:,} profiles, each read by {samples.n:,} sequences: about {duration(seconds)}.",
        )
        if found is not None:
            _results(found, dataset.name, args)


SETTINGS = (
    *of(CrossValidation, prefix="fisher_", about="SVM-Fisher"),
    *of(FisherConfig, prefix="fisher_methods_", about="SVM-Fisher"),
)


def _settings(dataset: DataSet, samples: Sequences, labels: Labels) -> Args:
    key = f"sequences.fisher.{dataset.name}"
    grouped = ["grouped"] if labels.groups is not None else []
    with st.container(horizontal=True, vertical_alignment="bottom"):
        validation = controls(
            START,
            key,
            only=["folds", "repeats", "seed", *copies_field(labels, ()), *grouped],
            prefix="fisher_",
        )
        with st.popover("Methods", icon=":material/tune:"):
            config = controls(FisherConfig(), f"{key}.methods", prefix="fisher_methods_")
    return config, samples, labels, validation


def _results(found: FisherTable, name: str, args: Args) -> None:
    shown = _shown(found)
    registry.list_rows("sequences.fisher", shown, "SVM-Fisher", name)
    digits = {name: st.column_config.NumberColumn(format="%.3f") for name in shown.columns[1:]}
    st.dataframe(shown, hide_index=True, column_config=digits, key="sequences.fisher.rows")
    validation = args[3]
    st.caption(
        "Areas under the ROC curve, class against all others, in the test items: means over "
        f"{validation.folds * validation.repeats} folds ({validation.repeats} × {validation.folds}, seed "
        f"{validation.seed}); 0.5 is chance. Mean: over classes, each once. Profiles have seen training members alone; "
        "kernels are cosines, margins are hard, with 0.02 × the share of its own side on the training diagonal. Areas of "
        "folds say nothing of other sequences: no method is told apart from another here."
    )
    findings(list(found.notes))
    result = Result(
        f"{name} SVM-Fisher",
        table=Offer(
            found.table, label="Table as CSV", help="Area of every method and class, and number of members."
        ),
        script=Offer(lambda: script(args), help="Python that judges the same again with kernex_core alone."),
        report=True,
    )
    keep_row(result, key="sequences.fisher")


def script(args: Args) -> str:
    """Script that judges the same methods on the same folds."""
    states = call("found", "last_state", call("states", "svm_fisher", *args))
    return write_script(
        [states],
        heading="Kernex: SVM-Fisher\nMethod, class ('' = mean over classes) and area under the ROC curve.",
        prints=["*((row['method'], row['class'], row['auc']) for row in $0.table()), sep='\\n'"],
    )


def _shown(found: FisherTable) -> pd.DataFrame:
    areas = pd.DataFrame(
        found.by_class.round(3),
        columns=[f"{plain(c)} ({n:,})" for c, n in zip(found.classes, found.sizes, strict=True)],
    )
    areas.insert(0, "mean", found.means.round(3))
    areas.insert(0, "method", found.methods)
    return areas
