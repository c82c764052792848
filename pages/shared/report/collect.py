"""The report of the open page: everything that it has drawn, what went in, and how it was made.

build(given) -> bytes         given: the row's name, settings, kernel and drawing, as `pages.shared.panels.keep` has them
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from kernex_core.base.references import versions
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet, kind_words
from kernex_core.inputs.names import counted
from kernex_core.learning.regression.judgement import kinds_counted
from pages.shared.figures.picture import Picture
from pages.shared.figures.still.sheet import SheetPanel
from pages.shared.figures.theme import class_styles
from pages.shared.report.document import Report, document
from pages.shared.report.methods import METHODS, cited
from pages.shared.report.tables import Cells, cells_of
from pages.shared.shown.registry import Page


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
