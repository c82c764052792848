"""A report as one HTML page that stands alone: no script, nothing from a network, for the screen and for A4 paper.

data = document(report)      bytes, UTF-8
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pandas as pd
import streamlit as st

from kernex_core.base.digits import typeset
from kernex_core.base.references import REFERENCES, Reference, by_year, references_of, versions
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet, kind_words
from kernex_core.inputs.names import counted
from kernex_core.learning.regression.judgement import kinds_counted
from pages.server import workspace
from pages.ui import shown as registry
from pages.ui.figures.chart import Picture
from pages.ui.figures.still.chart import clean
from pages.ui.figures.still.sheet import SheetPanel, alone
from pages.ui.figures.theme import ClassStyle, class_styles
from pages.ui.shown import Count, Page, Rows, unmarked

# Tables of a report: whatever a page draws as rows, as text in HTML, the first rows of long ones.

MOST_ROWS: Final = 100
MOST_COLUMNS: Final = 30


@dataclass(frozen=True)
class Cells:
    """A table as text.

    Attributes
    ----------
    title, note : str
    head : tuple of str
    rows : tuple of tuple of str
    left_out : int
        Rows that are not here.
    mono : tuple of int
        Columns of letters that are compared one by one: digests.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""
    left_out: int = 0
    mono: tuple[int, ...] = ()


def cells_of(drawn: Rows) -> Cells:
    """Return what a page has drawn, as text without markup."""
    frame = _frame(drawn.rows).iloc[:, :MOST_COLUMNS]
    rows = tuple(tuple(map(_cell, row)) for row in frame.head(MOST_ROWS).itertuples(index=False, name=None))
    head = tuple(unmarked(str(name)) for name in frame.columns)
    return Cells(drawn.title, head, rows, drawn.note, max(len(frame) - MOST_ROWS, 0))


def _frame(rows: Any) -> pd.DataFrame:
    if isinstance(rows, pd.DataFrame):
        named = rows.index.name is not None or not isinstance(rows.index, pd.RangeIndex)
        return rows.reset_index() if named else rows
    if isinstance(rows, Mapping):
        return pd.DataFrame({name: list(column) for name, column in rows.items()})
    return pd.DataFrame(list(rows))


def _cell(value: object) -> str:
    if value is None or value != value:
        return "—"
    if isinstance(value, float):
        return typeset(f"{value:.6g}")
    return unmarked(str(value))


def table(cells: Cells) -> str:
    """Return a table as HTML; nothing where it has no rows."""
    if not cells.rows:
        return ""
    head = "".join(f'<th scope="col">{_text(name)}</th>' for name in cells.head)
    body = "".join(
        f"<tr>{''.join(_tables_data(cells, place, cell) for place, cell in enumerate(row))}</tr>"
        for row in cells.rows
    )
    more = (
        f"The first {len(cells.rows):,} of {len(cells.rows) + cells.left_out:,} rows."
        if cells.left_out
        else ""
    )
    note = " ".join(filter(None, (cells.note, more)))
    caption = f"<caption><b>{_text(cells.title)}</b> {_text(note)}</caption>" if cells.title or note else ""
    kind = "table many" if len(cells.head) > 8 else "table"
    return f'<div class="{kind}"><table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _tables_data(cells: Cells, place: int, cell: str) -> str:
    kind = ' class="mono"' if place in cells.mono else ""
    return f"<td{kind}>{_text(cell)}</td>"


def _text(words: Sequence[str] | str) -> str:
    return html.escape(clean(str(words)))


STYLE: Final = Path(__file__).with_name("report.css").read_text("utf-8")
POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
)
LONGEST_SCRIPT: Final = 200_000
"""Letters of a script: a longer one spells out whole matrices."""
_EMPHASIS: Final = re.compile(r"(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])")
_FORMULA: Final = re.compile(r"\$([^$]+)\$")


@dataclass(frozen=True, eq=False)
class Report:
    """What one page shows, in words and pictures.

    Attributes
    ----------
    page, question, subject : str
        The page, what it answers, and what it is about in this report.
    methods, assumptions : sentences
        Methods as paragraphs; assumptions may emphasise *words*.
    counts, panels, classes, tables : what the page shows
    settings : what was chosen, in words
    data : names and contents of what went in, digests among them
    script : Python source; "" = none
    versions : what it was computed with, and when
    """

    page: str
    question: str = ""
    subject: str = ""
    methods: Sequence[str] = ()
    references: Sequence[Reference] = ()
    counts: Sequence[Count] = ()
    remarks: Sequence[str] = ()
    panels: Sequence[SheetPanel] = ()
    classes: Sequence[ClassStyle] = ()
    tables: Sequence[Cells] = ()
    settings: Mapping[str, str] = field(default_factory=dict)
    data: Sequence[Cells] = ()
    formulas: Sequence[str] = ()
    assumptions: Sequence[str] = ()
    scripts: Sequence[str] = ()
    versions: Mapping[str, str] = field(default_factory=dict)


def document(report: Report) -> bytes:
    """Return the report as HTML, UTF-8; text of users stands in it as text."""
    title = f"{report.page}: {report.subject}" if report.subject else report.page
    parts = (
        f'<header><p class="mark">Kernex · report</p><h1>{text(title)}</h1><p class="question">{text(report.question)}</p>'
        "</header>",
        _counts(report.counts),
        _section("Said with the numbers", _listed([text(each) for each in report.remarks], "ul")),
        _figures(report.panels, report.classes),
        *(table(each) for each in report.tables),
        _section("Settings", _pairs(report.settings)),
        _section("Data", "".join(table(each) for each in report.data)),
        _section("Methods", "".join(f"<p>{text(each)}</p>" for each in report.methods)),
        _section("References", _listed([text(each.text) for each in report.references], "ol")),
        _section("What was assumed", _listed([emphasised(each) for each in report.assumptions], "ul")),
        _section(
            "Formulas (TeX)", "".join(f'<pre class="tex">{text(each)}</pre>' for each in report.formulas)
        ),
        _section("Script", "".join(map(_script, report.scripts))),
        _section("Computed with", _pairs(report.versions)),
    )
    page = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
        f"<title>{text(title)}</title><style>{STYLE}</style></head><body><main>{''.join(parts)}</main></body></html>\n"
    )
    return page.encode("utf-8", "replace")


def text(words: object) -> str:
    """Text of users as HTML text."""
    return html.escape(clean(str(words)))


def emphasised(sentence: str) -> str:
    """A sentence in which *words* are emphasised, and formulas are set as they are written."""
    return _FORMULA.sub(r"<code>\1</code>", _EMPHASIS.sub(r"<em>\1</em>", text(sentence)))


def _section(title: str, body: str) -> str:
    return f"<section><h2>{title}</h2>{body}</section>" if body else ""


def _pairs(named: Mapping[str, str]) -> str:
    rows = "".join(f"<div><dt>{text(name)}</dt><dd>{text(value)}</dd></div>" for name, value in named.items())
    return f"<dl>{rows}</dl>" if rows else ""


def _listed(items: Sequence[str], tag: str) -> str:
    return f"<{tag}>{''.join(f'<li>{item}</li>' for item in items)}</{tag}>" if items else ""


def _counts(counts: Sequence[Count]) -> str:
    if not counts:
        return ""
    groups = "".join(
        (f"<h3>{text(about)}</h3>" if about.strip() else "")
        + f'<dl class="numbers">{"".join(map(_count, group))}</dl>'
        for about, group in groupby(counts, key=lambda each: each.about)
    )
    return f"<section><h2>Numbers</h2>{groups}</section>"


def _count(each: Count) -> str:
    note = f'<span class="note">{text(each.note)}</span>' if each.note else ""
    return f"<div><dt>{text(each.name)}</dt><dd><b>{text(each.value)}</b>{note}</dd></div>"


def _figures(panels: Sequence[SheetPanel], classes: Sequence[ClassStyle]) -> str:
    if not panels:
        return ""
    figures = "".join(_figure(panel) for panel in panels)
    key = "".join(
        '<li><svg viewBox="0 0 10 10" aria-hidden="true"><rect width="10" height="10" '
        f'fill="{html.escape(style.colour)}"/></svg>{text(style.name)} ({style.count:,})</li>'
        for style in classes
    )
    return (
        f'<section><h2>Figures</h2><div class="figures">{figures}</div><ul class="key">{key}</ul></section>'
    )


def _figure(panel: SheetPanel) -> str:
    picture = alone(panel)
    head = f"<b>{text(panel.title)}</b> {text(panel.note)}" if panel.title else text(panel.note)
    kind = "square" if picture.square else "wide"
    return (
        f'<figure class="{kind}"><figcaption>{head}</figcaption>{picture.svg}'
        f'<p class="note">{text(panel.picture.alt)}</p></figure>'
    )


def _script(source: str) -> str:
    if len(source) > LONGEST_SCRIPT:
        return (
            f"<p>A script of {len(source):,} letters, because it spells out data that no file holds; the button Script of "
            "the page gives it.</p>"
        )
    return f'<pre class="script">{text(source)}</pre>'


# What each page does, in words for the methods of a paper; publications are those of kernex_core.base.references.
#
# METHODS: one entry a page, by its title: a paragraph, and the keys of what it cites.

JUDGED: Final = (
    "Accuracies are those of one support vector machine a class against all others (Cortes and Vapnik 1995) "
    "under repeated, stratified cross-validation, on the same folds for everything that is compared; repetitions "
    "judge the same items again and are not independent."
)


@dataclass(frozen=True)
class Method:
    """A paragraph, and the keys of the publications that it cites."""

    text: str
    cites: tuple[str, ...] = ()


METHODS: Final = {
    "Kernels": Method(
        "Similarities were looked at as a kernel: its eigenvalues, how far it is from positive semidefinite, and "
        "what each repair of that changes. Of a partly known matrix this is about a largest set of items whose "
        "pairs are all known."
    ),
    "Strings": Method(
        "Sequences were compared by a string kernel. What makes one similarity is added up over the features "
        "that two sequences share; new sequences get the row that they would have had inside the matrix."
    ),
    "Power p": Method(
        "A kernel with a large diagonal, under which every item resembles itself alone, was shrunk by a map of "
        "its entries and made a kernel again (Schölkopf et al. 2002); losses were measured on the same folds for "
        "every strength of the map.",
        ("Schölkopf et al. 2002",),
    ),
    "Complete": Method(
        "A target kernel that is known for some of the items was extrapolated to all of them from a source "
        "kernel that is known everywhere, with affine weights on the known items (Lemma 1), and weighed against "
        "it by joint regularisation (Vishwanathan et al. 2006). Where single pairs were unknown, they were completed by "
        "factors with a penalty that the source says, beside a share of the source and a constant, all chosen on "
        "known pairs that were held back; ten folds over the known pairs say how sure a value is. "
        f"{JUDGED}",
        ("Vishwanathan et al. 2006", "Cortes and Vapnik 1995"),
    ),
    "Combine": Method(
        "Two kernels of the same items were combined by joint regularisation, a weighted harmonic mean "
        f"(Borgwardt et al. 2005), beside their weighted sum and their entrywise product. {JUDGED}",
        ("Borgwardt et al. 2005", "Vishwanathan et al. 2006", "Cortes and Vapnik 1995"),
    ),
    "Many kernels": Method(
        "Kernels were put on one scale, and weighed by hand, by alignment or by "
        "multiple kernel learning, then made one as a sum, a product or a joint kernel (Borgwardt et al. 2005). "
        f"{JUDGED} Weights that were learned from labels were made anew inside every training fold.",
        ("Borgwardt et al. 2005", "Cortes and Vapnik 1995"),
    ),
    "Complete together": Method(
        "Kernels that lack some items were completed from each other by turns, until their common objective stood still. "
        "What a kernel had stayed as it came; labels were not looked at."
    ),
    "Networks": Method(
        "Nodes of a network were compared by a kernel that follows from one decomposition of its matrix. "
        f"{JUDGED} Edges of tested nodes were seen.",
        ("Cortes and Vapnik 1995",),
    ),
    "Features on a network": Method(
        "Vectors whose columns are nodes of a network were compared by a kernel on the network of their columns "
        "(Rapaport et al. 2007), beside the plain kernel of the same columns, scaling and folds; edges were "
        f"selected by the graph lasso (Jacob et al. 2009). {JUDGED} Nothing of a tested profile was seen in training.",
        ("Rapaport et al. 2007", "Jacob et al. 2009", "Cortes and Vapnik 1995"),
    ),
    "Edges of new nodes": Method(
        "Edges of nodes that a network does not have were predicted from kernels of the nodes, by a supervised approach "
        "(Yamanishi et al. 2004), by learning on the other nodes and their edges (Vert and Yamanishi 2004; Bleakley et al. "
        "2007). Folds are of nodes; everything, weights of the kernels too, is fitted on training nodes. Pairs of a known "
        "and a new node and of two new ones were judged apart, beside the degree of the known node; folds were averaged, "
        "never pooled.",
        ("Yamanishi et al. 2004",),
    ),
    "Graphs": Method(
        "Graphs were compared by what two of them have in common: walks, paths, small subgraphs or subtrees with equal "
        f"labels, cosine-normalised where nothing else is said. {JUDGED}",
        ("Cortes and Vapnik 1995",),
    ),
    "Map": Method(
        "Items were laid out by the leading components of a centred kernel (Schölkopf et al. 1998), by locally "
        "linear embedding (Roweis and Saul 2000), by spectral embedding of their nearest neighbours (Belkin and "
        "Niyogi 2003), by "
        "t-SNE (Maaten and Hinton 2008) or by the order of their distances (Kruskal 1964), as is said beside the picture; "
        "held-out items were placed without moving the others.",
        (
            *("Schölkopf et al. 1998", "Roweis and Saul 2000", "Belkin and Niyogi 2003"),
            *("Maaten and Hinton 2008", "Kruskal 1964"),
        ),
    ),
    "Groups": Method(
        "Items were divided into groups by their distances in feature space, by the way that is named in the settings, "
        "without their labels. Silhouettes (Rousseeuw 1987) are of these distances; groups were found again among "
        "80 % of the "
        "items, drawn anew each time, and compared with those of all items by the adjusted Rand index "
        "(Hubert and Arabie 1985).",
        ("Rousseeuw 1987", "Hubert and Arabie 1985"),
    ),
    "Outliers": Method(
        "Items were ranked by their mean distance to their nearest others in feature space, beside a one-class support "
        "vector machine (Schölkopf et al. 2001). Where the others were asked, every label was predicted by support vector "
        "machines (Cortes and Vapnik 1995) of other items in repeated folds, the cost chosen inside every training fold; a "
        "second run changed some labels on purpose, to see how many of these are found.",
        ("Schölkopf et al. 2001", "Cortes and Vapnik 1995"),
    ),
    "Evaluate": Method(
        "Kernels were judged under one protocol, by the learner that is named beside the numbers; labels that are numbers "
        "were predicted, with the mean of the training items as the floor. Where no learner is named: "
        f"{JUDGED[0].lower()}{JUDGED[1:]} The highest of several accuracies is too optimistic: "
        "it was chosen on the folds that it is reported on.",
        ("Cortes and Vapnik 1995",),
    ),
    "Tournament": Method(
        "Everything that the kernels allow was judged on the same folds: each alone, their sum, product and joint kernel "
        "(Borgwardt et al. 2005), weights learned from training items, and partly known kernels completed from the others "
        "(Vishwanathan et al. 2006), beside plain baselines. Strengths, λ and weights were chosen inside every training "
        "fold; kernels that had seen labels of tested items were not admitted. Who is told apart from the best is said by "
        "one rule, corrected for all pairs (Holm).",
        ("Borgwardt et al. 2005", "Vishwanathan et al. 2006", "Cortes and Vapnik 1995"),
    ),
    "Predict": Method(
        "New items were predicted by a model that was trained on all labelled items: the kernel that was judged, its steps "
        f"fitted on them, and the learner that is named beside the numbers. {JUDGED}",
        ("Cortes and Vapnik 1995",),
    ),
    "What if": Method(
        "Every cell is what the page of its study says at that setting, on the same folds and the same hidden items; the "
        "number of the choice is that of a setting that was chosen inside every training fold. "
        f"{JUDGED}",
        ("Cortes and Vapnik 1995",),
    ),
    "Kernel extrapolation": Method(
        "Published tables (Vishwanathan et al. 2006) were computed again, on data of one's own or on generated ones.",
        ("Vishwanathan et al. 2006", "Cortes and Vapnik 1995"),
    ),
    "Joint regularization": Method(
        "A figure of the third paper (Borgwardt et al. 2005) was computed again, on a stand-in for its data or on generated "
        f"graphs: a joint kernel for several λ, beside each kernel alone, their sum and their product. {JUDGED}",
        ("Borgwardt et al. 2005", "Cortes and Vapnik 1995"),
    ),
    "Almost orthogonal patterns": Method(
        "Published tables (Schölkopf et al. 2002) were computed again, on public or generated data.",
        ("Schölkopf et al. 2002", "Cortes and Vapnik 1995"),
    ),
}


def cited(page: str, scripts: Sequence[str]) -> tuple[Reference, ...]:
    """Publications that the method of a page cites, and those behind what its scripts call."""
    keys = METHODS[page].cites if page in METHODS else ()
    named = [each for each in REFERENCES if each.key in keys]
    return by_year([*named, *(each for script in scripts for each in references_of(script))])


# The report of the open page: everything that it has drawn, what went in, and how it was made.
#
# build(given) -> bytes         given: the row's name, settings, kernel and drawing, as `pages.ui.panels.keep` has
# them


@dataclass(frozen=True, eq=False)
class Given:
    """What the row of a page knows of its result.

    Attributes
    ----------
    name : str
    settings : dict of str to object
    picture : callable, optional
        Of a page that has drawn none.
    kernel : callable, optional
        Returns the kernel that the page is about.
    kept_as : str
        What that kernel is called where it is kept.
    """

    name: str
    kept_as: str = ""
    settings: Mapping[str, object] = field(default_factory=dict)
    picture: Callable[[], Picture] | None = None
    kernel: Callable[[], GramMatrix] | None = None


def build(page: Page, dataset: DataSet | None, given: Given) -> bytes:
    """Return the report as an HTML page.

    Parameters
    ----------
    page : Page
        What was drawn; it goes on to change while the visitor moves sliders, and is read now.
    dataset : DataSet, optional
        The data of the page, with its selection applied.
    given : Given
    """
    settings = page.sheet(given.settings)
    scripts = list(dict.fromkeys(make() for make in page.scripts.values()))
    panels = page.panels() or ([SheetPanel("", "", given.picture())] if given.picture else [])
    kernel = given.kernel().renamed(given.kept_as or given.name) if given.kernel else None
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    report = Report(
        page=page.name or "Kernex",
        question=page.question,
        subject=given.name.removeprefix(f"{page.name}: "),
        methods=_methods(page, dataset, kernel, settings),
        references=cited(page.name, scripts),
        counts=list(page.counts.values()),
        remarks=page.said(),
        panels=panels,
        classes=class_styles(page.classes()),
        tables=[cells_of(each) for each in page.tables.values()],
        settings=settings,
        data=[] if dataset is None else _data(dataset, kernel),
        formulas=page.formulas,
        assumptions=page.assumptions,
        scripts=scripts,
        versions={
            **{name.capitalize(): version for name, version in versions().items()},
            "Report made": made,
        },
    )
    return document(report)


def _methods(
    page: Page, dataset: DataSet | None, kernel: GramMatrix | None, settings: Mapping[str, object]
) -> list[str]:
    """Paragraphs: what the page does, what it was done to, what that has seen, how, and with what."""
    said = [METHODS[page.name].text] if page.name in METHODS else []
    if dataset is not None:
        classes = f" with {kinds_counted(dataset.labels)}" if dataset.labels is not None else ""
        origin = " They are simulated, by a seeded generator." if dataset.simulated else ""
        said.append(
            f"The data were “{dataset.name}”: {counted(dataset.n, 'item')}{classes}.{origin} {dataset.description}".strip()
        )
    # the same sentence once, however often the page says it
    said += [
        f"{words[0].upper()}{words[1:]}: {sentence}"
        for words, sentence in dict.fromkeys(page.states.values())
    ]
    if kernel is not None:
        said.append(
            f"The kernel “{kernel.name}” was made of “{kernel.base.name}” by these steps: {steps_of(kernel)}."
        )
    if settings:
        said.append(f"Settings: {'; '.join(f'{name}: {value}' for name, value in settings.items())}.")
    now = versions()
    said.append(
        f"Everything was computed with Kernex {now['kernex']} (Python {now['python']}, NumPy {now['numpy']}, SciPy "
        f"{now['scipy']}, scikit-learn {now['scikit-learn']}); the script below computes it again."
    )
    return said


def steps_of(K: GramMatrix) -> str:
    """The steps that made a kernel, in words."""
    return ", then ".join(step.name for step in K.steps) or "none since it was made"


def _data(dataset: DataSet, kernel: GramMatrix | None) -> list[Cells]:
    """Names, contents and digests of the data set, of its parts, and of the kernel of the page."""
    n = f"{dataset.n:,}"
    rows = [("data set", dataset.name, f"{n} items", dataset.digest)]
    if dataset.labels is not None:
        named = ", ".join(f"{name} ({size:,})" for name, size in dataset.labels.classes[:12])
        rows.append(("labels", "", named, dataset.labels.digest))
    rows += [
        ("samples", name, f"{n} {kind_words(part.kind)}", part.digest)
        for name, part in dataset.samples.items()
    ]
    rows += [
        ("kernel", name, f"{n} × {n}; steps: {steps_of(K)}", K.digest) for name, K in dataset.kernels.items()
    ]
    if kernel is not None and kernel.digest not in {K.digest for K in dataset.kernels.values()}:
        rows.append(
            (
                "this kernel",
                kernel.name,
                f"{kernel.n:,} × {kernel.n:,}; steps: {steps_of(kernel)}",
                kernel.digest,
            )
        )
    notes = [note.text for note in dataset.notes]
    tables = [Cells("", ("part", "name", "holds", "SHA-256"), tuple(rows), mono=(3,))]
    if notes:
        tables.append(Cells("", ("what was found in the files",), tuple((note,) for note in notes)))
    return tables


# The button that makes a report of the open page; nothing is made before it is clicked.

HELP: Final = (
    "One HTML page that stands alone: numbers, pictures, tables, settings, digests of the data, methods with their "
    "publications, and the script. It needs no network, and prints on A4."
)


def report_button(given: Given, key: str) -> None:
    """Offer everything on this page as one report."""
    page, dataset = registry.current(), workspace.current()
    st.download_button(
        "Report", partial(build, page, dataset, given), file_name=f"{registry.file_named(given.name)}.html",
        mime="text/html", key=f"{key}.report", icon=":material/description:", on_click="ignore", help=HELP,
    )  # fmt: skip
