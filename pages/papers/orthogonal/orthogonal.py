"""One table of "Almost orthogonal patterns": what it takes, its run, and published beside measured."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import KernexError
from kernex_core.base.parameters import parameters
from kernex_core.conditioning.power import SignedPower
from kernex_core.gram.provenance import call, write_script
from kernex_core.inputs.samples import Note
from kernex_core.studies.papers.orthogonal.families import FamiliesConfig, FamilyTable
from kernex_core.studies.papers.orthogonal.paper import LOSS, LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, BASES, PowerTable
from kernex_core.studies.papers.orthogonal.printed import ERRATA
from kernex_core.studies.papers.orthogonal.toy import TOY_CODES, TOY_X, ToyLesson, toy_lesson
from kernex_core.studies.papers.paper_table import Kind, PaperTable, Printed, RowName
from pages.papers.orthogonal import losses
from pages.papers.orthogonal import own_data as families_table
from pages.papers.orthogonal.own_data import kernel_with_classes, kernel_with_families, vectors_with_classes
from pages.papers.orthogonal.subject import (
    HELP,
    TABLES,
    AskedTable,
    Brought,
    Found,
    begun,
    measured_below,
    origin,
    prefix,
    refused,
    shared,
    steps,
)
from pages.server.cached import cached
from pages.server.declared import declared, in_view, of, of_data, of_items, setting
from pages.server.digits import number, unbroken
from pages.server.messages import findings, guard, show_error
from pages.ui import shown as drawn
from pages.ui import shown as registry
from pages.ui import widgets
from pages.ui.answer import first_row, group, settings_box
from pages.ui.figures.bars import weight_bars
from pages.ui.frame import PageFrame, open_page, panel_title
from pages.ui.panels.keep import Drawing, Offer, Result, keep_row, none_drawn
from pages.ui.panels.linked import draw
from pages.ui.panels.staged import Staged, run_study
from pages.ui.shown import spelt
from pages.ui.widget import controls, widget

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# The toy that memorises: a hard margin learns large coordinates by heart until p makes it see the shared feature.

FEATURES = [str(j + 1) for j in range(TOY_X.shape[1])]


@cached(shared=True)
def lesson(p: float | None) -> ToyLesson:
    """Return what a hard margin makes of the toy."""
    return toy_lesson(p)


def show_toy() -> None:
    """Draw the lesson."""
    st.markdown(
        ":gray[Six patterns. Feature 1 tells the classes apart; every pattern also has one large coordinate of its own. "
        "Which of them does a hard margin look at?]"
    )
    left, right = st.columns([1.2, 1.0], gap="medium")
    with left:
        panel_title("The patterns", "·: 0; one row a pattern")
        drawn.table("orthogonal.patterns", _patterns())
    with right:
        p = widget(replace(parameters(SignedPower)["p"], label="Power"), 0.2, name="p", setting="toy")
        _bars(lesson(None), "The kernel as it is", "weights w")
        _bars(lesson(float(p)), f"Empirical map, p = {p:g}", "response f(e) − f(0)")
    plain, mapped = lesson(None), lesson(float(p))
    st.markdown(
        f"As it is the weight of feature 1 is {number(plain.response[0], 3)}, that of coordinates seen once up to "
        f"{number(float(abs(plain.response).max()), 3)}: the machine learned by heart, and a new pattern with feature 1 "
        f"alone gets f = {number(plain.decisions[0], 3)}. With the map at *p* = {p:g} it gets "
        f"**f = {number(mapped.decisions[0], 4 if abs(mapped.decisions[0]) < 0.01 else 3)}**; a pattern that shares nothing "
        f"with the six gets {number(mapped.bias, 3)}."
    )


def _bars(made: ToyLesson, name: str, note: str) -> None:
    with st.container(gap="xxsmall"):
        panel_title(name, f"{note}; feature 1 in orange")
        picture = weight_bars(made.response, names=FEATURES, highlighted=[0], y_title="", height=150)
        draw(picture, f"toy.{'plain' if made.p is None else 'mapped'}")


def _patterns() -> dict[str, list[str]]:
    columns = {"class": ["+1" if code else "−1" for code in TOY_CODES.tolist()]}
    for j, name in enumerate(FEATURES):
        columns[name] = [f"{value:g}" if value else "·" for value in TOY_X[:, j].tolist()]
    return columns


# What can be set on the page Almost orthogonal patterns: of each table what its study asks, and what is brought for it.

TABLE: Final = "table"
TABS: Final = "orthogonal.tab"
SETTINGS: Final = declared(
    *in_view(
        setting(TABLE, "Table"), setting("toy", "Power of the toy"), setting("tab", "Part of the page"),
        *(of_data(f"{prefix(paper)}{what.lower()}", what) for paper in TABLES.values() for what in HELP),
        *(of_items(f"{prefix(paper)}positive", "These classes against the others") for paper in TABLES.values()),
        *families_table.SETTINGS,
    ),
    *(
        each
        for paper in TABLES.values()
        for each in of(
            paper.config, *(name for line in paper.asked for name in line), prefix=prefix(paper),
            about=f"Table {paper.number}",
        )
    ),
)  # fmt: skip
OPTIONS: Final = {f"{number} · {paper.subject}": paper for number, paper in TABLES.items()}


def ask() -> tuple[PaperTable, DataclassInstance]:
    """Draw the first row, the table and the button Settings; return the table and its configuration."""
    with first_row():
        left, right = (
            st.container(width="content"),
            st.container(width="stretch", horizontal_alignment="right"),
        )
    with left:
        name = widgets.pick(
            TABLE, list(OPTIONS), key="papers.orthogonal.table",
            help="1 and 3 are generated; the others take the data that you bring.",
        )  # fmt: skip
    paper = OPTIONS[name]
    with right, settings_box() as (column,), column:
        group(f"Table {paper.number}")
        only = [name for line in paper.asked for name in line]
        return paper, controls(paper.config, paper.key, only=only, prefix=prefix(paper))


# Protocols of the tables, words, and what is wrong in the paper's text.

PROTOCOLS: Final = (
    "- Everywhere: empirical kernel map with |x|^*p*, sign kept; SVM with a hard margin (*C* from 10⁶ on, in units of "
    "the mean training diagonal); balanced loss = (FN/P + FP/N)/2; ± as in the paper is the standard deviation over "
    "trials (Table 1) or folds.\n"
    "- **1**: every trial draws 50 strings of 20 letters over an alphabet of 20, 25 of a Markov chain that stays on its "
    "letter with probability .43 and 25 uniform; 25 strings chosen at random train, the others test. Subsequence kernel "
    "of length 3, decay 1/4, not normalised. The paper's 20 trials split one set of strings; 20 *trials a set* do "
    "so here.\n"
    "- **2**: logarithm, every sample and then every gene to mean 0 and variance 1, samples to length 1; "
    "10,000 noise features, of which every sample has 100, drawn anew: uniform in [0, 1]; linear kernel; ten folds.\n"
    "- **3**: ten variables with mean ±.5 by class and ten with mean 0, of variance 1; kernel (h'h + 1)⁴; ten folds.\n"
    "- **4**: eight folds with classes in proportion. **5**: ten times ten folds, samples to length 1, linear kernel; "
    "unknown entries filled inside the fold by default. **6**: the visitor's training and test items, asymmetric.\n"
    f"- {TABLES[1].paper.source}."
)
WORDS: Final = (
    "- **Balanced loss**: mean of the shares of the two classes that are missed; guessing loses 50\u00a0%. "
    "**Hard margin**: "
    "no training item may be wrong; coefficients stay below *C*.\n"
    "- **sd**: how much folds or trials differ. **SE**: how much a mean would differ if all were done again; its unit "
    "is what is drawn anew. For what the paper prints that is its one set of data, not its splits. A "
    "difference above 2 SE is *outside*.\n"
    "- **1-NN**: class of the nearest training item. **Kernel principal components**: coordinates of items along "
    "which the kernel spreads them most.\n"
    "- **ROC score**: chance that an item of the family is ranked above another. **Median RFP**: share of the other "
    "items that are ranked above the median item of the family."
)
ERRATA_FOUND: Final = "\n".join(f"- {unbroken(erratum)}" for erratum in ERRATA)


# Tables as files: rows of numbers with the settings that made them, and the script that makes them again.

Rows = list[dict[str, object]]


def rows(asked: AskedTable, found: Found) -> Rows:
    """Return the table as rows of a file."""
    return family_rows(found) if isinstance(found, FamilyTable) else loss_rows(asked, found)


def loss_rows(asked: AskedTable, found: PowerTable) -> Rows:
    """Return one row a column and p: measured, printed, limits where the data are the same; and the settings."""
    compared, settings = LossComparison(asked.paper, found), asked.settings()
    made = [
        {**row, **settings}
        for column in found.losses
        for row in _column(compared, column, same=asked.origin.same)
    ]
    return [*made, *({**row, **settings} for row in _aside(compared, made))]


def _column(compared: LossComparison, column: str, *, same: bool) -> Rows:
    """Return the rows of one column that are done."""
    paper, found, of_base = compared.paper, compared.found, column in BASES
    printed_se: list[float | None] = [None] * len(found.powers)
    limits = printed_se
    if of_base and same:
        printed_se = compared.printed_se(column).tolist()
        limits = [difference.limit for difference in compared.differences(column)]
    printed = {(each.column, each.row): each.printed for each in paper.beside}
    mean, sd, se = found.mean(column).tolist(), found.sd(column).tolist(), found.se(column).tolist()
    return [
        {
            "table": paper.number, "p": _p(p), "column": column, "loss": mean[row], "sd": sd[row],
            "sd_over": paper.repeats.spread, "se": se[row], "repetitions": int(found.counts[row]),
            **_published(paper.printed[LOSS][row] if of_base else printed.get((column, p))),
            "published_se": printed_se[row], "published_data": "the same" if same else f"other: {paper.data.name}",
            "limit_2_se": limits[row],
        }
        for row, p in enumerate(found.powers)
        if not math.isnan(mean[row])
    ]  # fmt: skip


def _published(printed: Printed | None) -> dict[str, object]:
    """Return both columns of a printed number; nothing where none is printed."""
    known = (None, None) if printed is None else (printed.mean, printed.plus_minus)
    return dict(zip(("published", "published_plus_minus"), known, strict=True))


def _aside(compared: LossComparison, made: Rows) -> Rows:
    """Return the row that the table has aside (Table 2: without noise), with the same fields as those made."""
    paper, aside = compared.paper, compared.found.aside
    if not aside.size:
        return []
    (was,) = (each for each in paper.beside if each.row not in compared.found.powers)
    row = dict.fromkeys(made[0]) | {
        "table": paper.number, "p": was.name, "column": ALL_POINTS,
        "loss": float(aside.mean()), "sd": float(aside.std(ddof=1)),
        "sd_over": paper.repeats.spread, "repetitions": len(aside),
        **_published(was.printed),
        "published_data": made[0]["published_data"],
    }  # fmt: skip
    return [row]


def family_rows(found: FamilyTable) -> Rows:
    """Return one row a family, power and basis."""
    return [
        {
            "family": name, "p": _p(p), "column": column,
            "roc": float(found.roc[column][f, row]), "median_rfp": float(found.rfp[column][f, row]),
        }
        for column in found.roc
        for f, name in enumerate(found.names)
        for row, p in enumerate(found.powers)
    ]  # fmt: skip


def _p(p: RowName) -> RowName:
    return "as it is" if p is None else p


def script(asked: AskedTable) -> str:
    """Return the script that measures the same table from the same data."""
    paper = asked.paper
    name = paper.study.__name__
    states = call("found", "last_state", call("states", name, *asked.args))
    return write_script(
        [states],
        heading=f"Kernex: Table {paper.number} of {paper.paper.title} ({paper.paper.year}), measured",
        prints=[paper.prints],
    )


BRING: Final[dict[Kind, Callable[[PaperTable], Brought | None]]] = {
    "vectors": vectors_with_classes,
    "kernel": kernel_with_classes,
    "families": kernel_with_families,
}


class Places(NamedTuple):
    """Where the numbers of a table and what is beside them stand, if that part is open, and what is given away."""

    table: Any
    more: Any
    files: DeltaGenerator


def show(page: PageFrame, paper: PaperTable, config: DataclassInstance, places: Places) -> None:
    """Draw one table of the paper."""
    brought = _brought(page, paper)
    if brought is None:
        _printed(paper)
        return
    asked = AskedTable(paper, config, brought, origin(paper.number, *brought.data, **(brought.known or {})))
    registry.current().data = (
        brought.name if brought.data else ""
    )  # of its own data a table says what they are
    wrong = refused(paper.number, *asked.args)
    if wrong is not None:
        show_error(KernexError(*wrong))
        _printed(paper)
        return
    if not asked.origin.same:
        what = "What is printed stands beside it for its shape only."
        findings([Note(asked.origin.text, what, severity="warning")])
    study: Staged[Found] = Staged(
        begun, steps, (paper.number, *asked.args), resumes=True, shared=shared(paper)
    )
    measured_below(
        lambda: run_study(
            study.leading,
            key=paper.key,
            what=asked.steps,
            automatic=paper.quick(*asked.args),
            label="Measure",
        ),
        study.known(),
        lambda: _printed(paper),
        lambda found: _draw(asked, found, places),
    )


def _brought(page: PageFrame, paper: PaperTable) -> Brought | None:
    """Say what is generated, or ask for what the table needs."""
    if paper.data.kind == "generated":
        page.badge("simulated", "orange", ":material/science:", paper.data.text)
        return Brought()
    st.markdown(f"**What to bring**: {paper.data.text}")
    return BRING[paper.data.kind](paper)


def _printed(paper: PaperTable) -> None:
    """Draw what the paper prints, where nothing can be measured yet."""
    (families_table if paper.data.kind == "families" else losses).printed(paper)


def _draw(asked: AskedTable, found: Found, places: Places) -> None:
    """Draw what is found and the charts here, the numbers and what is given away in their places."""
    if isinstance(found, FamilyTable):
        families_table.show(asked.paper, found)
    else:
        losses.show(asked.paper, found, asked.origin)
    if places.table is not None:
        with places.table, guard():
            if isinstance(found, FamilyTable):
                config = cast(FamiliesConfig, asked.config)
                families_table.numbers(asked.paper, found, config, asked.brought.name)
            else:
                losses.numbers(asked.paper, found, asked.origin)
    if places.more is not None and not isinstance(found, FamilyTable):
        with places.more, guard():
            losses.more(asked.paper, found, asked.origin)
    with places.files:
        _downloads(asked, found)


def _downloads(asked: AskedTable, found: Found) -> None:
    given = Result(
        asked.paper.file,
        table=Offer(lambda: rows(asked, found)),
        script=Offer(lambda: script(asked)),
        figure=Drawing(none_drawn, title=f"Table {asked.paper.number}", settings=spelt(asked.config)),
        report=True,
    )
    keep_row(given, key=asked.paper.key)


def run() -> None:
    """Draw the page in its frame."""
    page = open_page(
        "Almost orthogonal patterns",
        "The paper's tables: does a smaller *p* help where items are like nothing but themselves, as published?",
        SETTINGS,
    )
    page.badge(
        "transductive and inductive",
        help="The map with all items as its basis, and with the training items of each fold.",
    )
    chosen, config = ask()
    # a place for each: that of the table seen before is emptied at once, not when the new one has been measured
    tops = {
        number: st.container(key=f"answer{number}") if number == chosen.number else st.empty()
        for number in TABLES
    }
    table, more, toys, protocols, words, errata = widgets.tabs(
        "tab", ["Table", "Beside it", "The toy", "Protocols", "Words", "Errata"], key=TABS
    )
    for tab, text in ((protocols, PROTOCOLS), (words, WORDS), (errata, ERRATA_FOUND)):
        if tab.open:
            with tab:
                st.markdown(text)
    if toys.open:
        with toys, guard():
            show_toy()
    places = Places(table if table.open else None, more if more.open else None, st.container())
    with tops[chosen.number], guard():
        show(page, chosen, config, places)
