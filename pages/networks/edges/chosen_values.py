"""Parameters that were chosen inside the folds: how often each value, on each source."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.learning.edges.methods import EdgeMethod
from kernex_core.studies.networks.edges.sources import INNER_FOLDS, UNTUNED_ABOVE, ends_chosen, values_chosen
from pages.networks.edges.subject import Subject, source_title
from pages.shared.figures.theme import number
from pages.shared.frame import panel_title
from pages.shared.messages import findings, plain
from pages.shared.shown import registry
from pages.shared.shown.drawn import table


def draw(subject: Subject, of: Callable[[str], Sequence[EdgeMethod]], *, key: str) -> None:
    """Draw the table of the method that is looked at; nothing where the usual parameters were taken.

    Parameters
    ----------
    subject : Subject
    of : callable
        What was fitted on a source, one a fold.
    key : str
    """
    if not subject.chooses:
        return
    kind = subject.kind
    panel_title("Parameters chosen", f"{kind.title}; in brackets the number of folds")
    if not kind.tried:
        st.caption(f"{kind.title} has no parameter to choose.")
        return
    described, sources = parameters(kind), subject.data.sources
    counts = [values_chosen(of(source)) for source in sources]
    rows = {"Source": [plain(source_title(source)) for source in sources]}
    for name in kind.tried:
        rows[described[name].label] = [_cell(each.get(name, {})) for each in counts]
    table(key, rows, title=f"Parameters of {kind.title} chosen inside the folds", note="folds in brackets")
    tried = "; ".join(
        f"{described[name].label.lower()} {', '.join(number(value) for value in values)}"
        for name, values in kind.tried.items()
    )
    st.caption(f"Tried: {tried}. All other parameters as usual.")
    ends = [
        f"{kind.title}, {source_title(source)}: {end.words}"
        for source in sources
        for end in ends_chosen(of(source))
    ]
    registry.remark(key, ends)
    findings(ends)


def _cell(times: dict[float, int]) -> str:
    return ", ".join(f"{number(value)}\u00a0({count})" for value, count in times.items()) or "–"


def values_of(method: EdgeMethod) -> str:
    """Say the parameters that were chosen; nothing of a method without any."""
    described = parameters(type(method))
    said = [f"{described[name].label.lower()} {number(getattr(method, name))}" for name in method.tried]
    return f" ({', '.join(said)})" if said else ""


def how(subject: Subject, of_what: str) -> str:
    """Say where parameters come from; `of_what`: what the inner folds are of."""
    if subject.chooses:
        return f"parameters chosen on {INNER_FOLDS} inner folds of {of_what}"
    if subject.config.tuned:
        return f"above {UNTUNED_ABOVE:,} nodes the usual parameters are taken"
    return "every method with its usual parameters"
