"""One kernel on one screen: the verdict, its matrix beside spectrum and map, and what one looks at second in tabs.

Everything but the kernel depends on p, and what does not comes out of the cache. It is no fragment: a run of a
fragment waits for the one before, while a run of the script stops it, so that Cancel cancels and a slider that moves
on does not wait for accuracies that nobody will see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.frozen import IntArray
from kernex_core.base.parameters import parameters
from kernex_core.gram.diagnostics import Diagnosis
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from kernex_core.inputs.samples import Labels
from kernex_core.studies.inspection import Inspection, InspectionConfig, condition
from pages.server import workspace
from pages.server.cached import cached
from pages.server.declared import in_view, label, setting
from pages.server.digits import number, percent, span
from pages.server.messages import guard
from pages.ui import payload, projector, widgets
from pages.ui import settings as held
from pages.ui.answer import VerdictPlace, draw_parts
from pages.ui.figures.chart import Items
from pages.ui.figures.heatmap import common_scale
from pages.ui.figures.scatter import MapAxes
from pages.ui.figures.spectrum import eigenvalue_bars
from pages.ui.frame import panel_title
from pages.ui.glossary import hint
from pages.ui.matrices import FRAMES, Drag, Follow, Panel, Room, Words
from pages.ui.one_kernel import doctor
from pages.ui.one_kernel.doctor import Subject, keep
from pages.ui.panels import inspection as eigenvector
from pages.ui.panels import linked
from pages.ui.panels.accuracy import ONE_PASS, against_floor, between, neighbour_interval
from pages.ui.panels.inspection import (
    AT_ONCE,
    Decomposed,
    badges,
    conditioned,
    eigenvector_panel,
    inspection,
    numbers,
    smallest,
    watched_inspection,
)
from pages.ui.panels.item_map import chosen_row, item_map_panel
from pages.ui.panels.linked import AS_GIVEN, arranged, class_list, draw, figure_of
from pages.ui.widget import stops

# What the browser draws of one kernel while the power p of its entries is dragged in the picture.

FOLLOWED_MOST: Final = 1200
"""Items up to which frames are made, each of n² powers; of more the picture comes when the thumb is let go."""
P: Final = parameters(InspectionConfig)["p"]


def drag_of(
    config: InspectionConfig, kernels: Sequence[GramMatrix], order: IntArray, key: str
) -> Drag | None:
    """Return p as it is dragged in pictures of kernels, in an order of their items; None where entries have no power.

    Parameters
    ----------
    config : InspectionConfig
        What is done to the kernels before they are drawn.
    kernels : sequence of GramMatrix
        As they came, one a picture.
    order : (n,) int
    key : str
        Of the widget that keeps the setting.
    """
    if config.elements != "power":
        return None
    follows = tuple(
        Follow(place, "frames", _frames(replace(config, p=1.0), K, order), more={"rescaled": True})
        for place, K in enumerate(kernels)
        if K.n <= FOLLOWED_MOST
    )
    values, _ = stops(P, 1.0)
    low, high, step = values[0], values[-1], values[1] - values[0]
    return Drag(
        key, "p", "p, in the picture", config.p, low, high, round(step, 10), follows, whole_page=True,
        title=label(P, "p"),
    )  # fmt: skip


@cached(public=True)
def _frames(config: InspectionConfig, K: GramMatrix, order: IntArray) -> payload.Carrier:
    """Frames between which the browser draws lines: whole of few items, else means of blocks in their order."""
    values, _ = stops(P, 1.0)
    powers = np.linspace(values[0], values[-1], FRAMES).tolist()
    made = [condition(replace(config, p=p), K).values for p in powers]
    if K.n > payload.FRAME:
        made = [payload.block_means(each, payload.FRAME, order) for each in made]
    return payload.frames(made, powers, K.n)


# The verdict on one kernel: whether it is one, and what its nearest neighbours say of the classes.

SMALL_MASS: Final = 1e-3
"""Share of negative eigenvalues below which rounded numbers are the likeliest cause."""
SMALLEST, NEIGHBOUR = "Smallest λ", "Neighbour"


def names(labels: Labels | None) -> tuple[str, ...]:
    """Return what the numbers are of, before anything is computed."""
    return (SMALLEST, "Effective rank", *((NEIGHBOUR,) if labels is not None else ()))


def fill(place: VerdictPlace, d: Diagnosis, labels: Labels | None) -> None:
    """Write it."""
    place.say(sentence(d, labels))
    within = "0 within digits" if d.digits else "none below 0"
    below = f"{d.negative:,} below 0" if d.indefinite else within
    place.number(0, SMALLEST, smallest(d.eigenvalues), below, hint("Smallest eigenvalue"))
    if d.indefinite:
        place.number(1, "Negative mass", percent(d.negative_mass, 1))
    else:
        place.number(1, "Effective rank", number(d.effective_rank), f"of {d.n_known:,}")
    if labels is not None:
        _neighbour(place, d)


def _neighbour(place: VerdictPlace, d: Diagnosis) -> None:
    interval, (floor, _) = neighbour_interval(d), against_floor(d)
    if interval is None:
        place.number(
            2, NEIGHBOUR, "—", "", hint("Nearest neighbour", first="The known items are of one class.")
        )
        return
    said = f"**{between(interval)}** for other data sets; {floor}. {ONE_PASS}"
    place.number(
        2, NEIGHBOUR, percent(d.neighbour_accuracy, 1), span(interval.low, interval.high),
        hint("Nearest neighbour", "Floor", first=said),
    )  # fmt: skip


def sentence(d: Diagnosis, labels: Labels | None) -> str:
    """Say whether it is a kernel, and what speaks for or against it."""
    return f"{_definite(d)} {_seen(d, labels)}".strip()


def _definite(d: Diagnosis) -> str:
    values = counted(d.n_known, "eigenvalue")
    are = "is" if d.negative == 1 else "are"
    of = "" if d.n_known == d.n else f" of the {d.n_known:,} known items"
    if d.indefinite and d.negative_mass < SMALL_MASS:
        return (
            f"Almost a kernel: {d.negative:,} of {values}{of} {are} below 0, by as little as numbers that were rounded "
            "to a few digits cause."
        )
    if d.indefinite:
        return f"Indefinite, no kernel: {d.negative:,} of {values}{of} {are} below 0."
    if d.few_digits:
        return (
            "A kernel within its few digits: a similarity that is no kernel by less cannot be told from one."
        )
    within = " within the digits of the file" if d.digits else ""
    return f"A kernel: none of {values}{of} is below 0{within}."


def _seen(d: Diagnosis, labels: Labels | None) -> str:
    if d.large_diagonal:
        return f"Self-similarities are {number(d.dominance)} times the others: see Power p."
    if labels is None or neighbour_interval(d) is None:
        return ""
    below = f", below its floor, {percent(d.neighbour_floor, 1)}" if d.below_floor else ""
    return f"The nearest neighbour names the class of {percent(d.neighbour_accuracy, 1)} of the items{below}."


WIDTHS = (1.0, 0.82, 0.6), (1.55, 1.0)
"""Of one matrix, map and spectrum; and of two matrices, beside which spectrum and map stand below each other."""
MOST, HEIGHT, LOW = 0.46, 366, (124, 214)
"""Side of a matrix as a share of the window's height, and pixels of the charts beside it."""
PROJECTED, UNDER_TABS, STACKED = 0.5, 0.055, 0.82
"""That share under the projector, how much of it goes to tabs above it, and what charts below each other keep there."""
KEY, TABS, REPAIRS, PAIR = "kernels.map", "kernels.tab", "Repairs", "Pair"
MATRIX, NUMBERS, ACCURACY, EIGENVECTOR = "Matrix", "Numbers", "Accuracy", "Eigenvector"
"""Parts of a page whose own tabs the view of the kernel is spread over: these are no tabs within a tab."""
BELOW = REPAIRS, PAIR
"""What stands below the pictures there."""
IN_FULL = (
    *in_view(setting("look", "Second"), *eigenvector.EIGENVECTOR_SETTINGS, *linked.SETTINGS, *doctor.IN_VIEW),
    *doctor.SETTINGS,
)  # fmt: skip
"""What `look` draws."""
Parts = Mapping[str, Callable[[], None]]


@dataclass(frozen=True)
class Around:
    """What a page has around the view of a kernel.

    Attributes
    ----------
    header : container
        Of badges.
    top : container
        Of the verdict.
    entries, judging : container
        Columns of the button Settings: of what is done to the kernel, and how accuracy is judged.
    method : callable, optional
        Draws how it works.
    first, last : mapping of str to callable
        Further parts by their names, before all others and behind them.
    power : str
        Key of the widget of p, where its slider stands in the pictures.
    part : str
        Which part is drawn alone, under a tab of the page; "" = the pictures, with tabs of all others.
    """

    header: DeltaGenerator
    top: DeltaGenerator
    entries: DeltaGenerator
    judging: DeltaGenerator
    method: Callable[[], None] | None = None
    first: Parts = field(default_factory=dict)
    last: Parts = field(default_factory=dict)
    power: str = ""
    part: str = ""

    @property
    def pictured(self) -> bool:
        """Whether the pictures are drawn."""
        return self.part in ("", MATRIX)

    @property
    def end(self) -> Parts:
        """The parts behind all others."""
        return {**self.last, **({} if self.method is None else {"Method": self.method})}


def spread(labels: Labels | None) -> tuple[str, ...]:
    """Return the parts beside the pictures that a page has among its own tabs."""
    return (*((ACCURACY,) if labels is not None else ()), NUMBERS, EIGENVECTOR)


def take_former(tab: str, key: str, matrix: str) -> None:
    """Open the part of a former address, in which it was a tab within the tab of the matrix; once."""
    part = held.text_of("look")
    held.say("look", None)
    if part in (NUMBERS, ACCURACY, EIGENVECTOR) and held.text_of(tab) in (None, matrix):
        workspace.show_in(key, part)


def look(subject: Subject, how: str, around: Around) -> Inspection | None:
    """Draw it; what does not wait for the eigenvalues comes first. None stands for eigenvalues that were stopped."""
    config, K, labels = subject.config, subject.K, subject.labels
    with around.judging:
        validation = doctor.protocol(subject)
    with around.top:
        place = VerdictPlace(*names(labels))
    if K.n > AT_ONCE and inspection.peek(config, K, labels) is None:
        place.waits(f"Eigenvalues, map and numbers of {K.n:,} items …")
    gram = conditioned(config, K)
    # by the kernel as it came, so that p does not move items
    items = arranged(how, K, labels)
    panels = _panels(subject, gram, how)
    beside = _pictures(subject, panels, items, around) if around.pictured else [st.container()]
    with beside[0], st.spinner(f"Eigenvalues, map and numbers of {K.n:,} items", show_time=True):
        made = watched_inspection(config, K, labels)
    pair: Parts = {PAIR: lambda: chosen_row(panels, items, KEY, subject.why)}
    if made is None:
        place.say("Not known: its eigenvalues were stopped.")
        for at, name in enumerate(place.names):
            place.number(at, name, "—")
        if around.part == "":
            draw_parts({**around.first, **pair, **around.end}, key=TABS, name="look")
        elif around.pictured:
            pair[PAIR]()
        return None
    fill(place, made.diagnosis, labels)
    if around.pictured:
        _charts(subject, made, beside, around)
    _second(subject, made, items, doctor.Judging(subject, made, validation), around, pair)
    return made


def _pictures(subject: Subject, panels: list[Panel], items: Items, around: Around) -> list[DeltaGenerator]:
    """Draw the matrices; return the places beside them."""
    with st.container(key="maps"):
        left, *beside = st.columns(WIDTHS[len(panels) - 1], gap="small")
    with left:
        drawn = [subject.K] if subject.reported is None else [subject.K, subject.reported]
        drag = drag_of(subject.config, drawn, items.positions, around.power) if around.power else None
        _matrix(subject.name, panels, items, drag, "" if around.part else TABS)
    return beside


def _charts(subject: Subject, made: Inspection, beside: list[DeltaGenerator], around: Around) -> None:
    """Draw spectrum and map beside the matrices."""
    heights, share = ((HEIGHT, HEIGHT), projector.FITS) if len(beside) > 1 else (LOW, STACKED)
    under = 2.0 * UNDER_TABS if around.part else 0.0
    spectrum, chart = (projector.fitted(round((1.0 - under) * each), share) for each in heights)
    with beside[-1]:
        _spectrum(subject.name, made, spectrum)
    with beside[0]:
        _map(made, subject.labels, chart)


def _second(
    subject: Subject,
    made: Inspection,
    items: Items,
    judging: doctor.Judging,
    around: Around,
    pair: Parts,
) -> None:
    """Draw the part that is open, and what is given away."""
    chosen: list[str] = []
    parts: dict[str, Callable[[], None]] = {
        **around.first,
        **({REPAIRS: lambda: judging.repairs(chosen[0])} if made.diagnosis.indefinite else {}),
        NUMBERS: lambda: numbers(made.diagnosis, subject.labels),
        **({ACCURACY: lambda: judging.accuracy(chosen[0])} if subject.labels is not None else {}),
        EIGENVECTOR: lambda: eigenvector_panel(
            Decomposed.of(made), items, name=subject.name, key="kernels.eigenvector"
        ),
        **pair,
        **around.end,
    }
    places = _places(list(parts), around)
    where = around.entries
    if made.diagnosis.indefinite:
        # it keeps the choice while another tab is open
        where = places[REPAIRS] if REPAIRS in places else st.container(key="hidden_slider.repair")
    with where:
        chosen.append(judging.choose())
    for name, each in places.items():
        with each, guard():
            parts[name]()
    # what keeps a repair from being made does not keep the parts from being shown
    with guard():
        outlook = judging.outlook(chosen[0])
        keep(judging, chosen[0], figure_of(judging.gram.values, items, subject.name))
        can_judge = judging.can_judge(outlook)
        badges(around.header, made.diagnosis, outlook, judging.validation.inductive and can_judge)


def _places(names: list[str], around: Around) -> dict[str, DeltaGenerator]:
    """Return the parts that are open, and where each stands."""
    if not around.part:
        tabs = widgets.tabs("look", names, key=TABS)
        return {name: tab for name, tab in zip(names, tabs, strict=True) if tab.open}
    drawn = BELOW if around.pictured else (around.part,)
    places = {name: st.container() for name in names if name in drawn}
    if REPAIRS in places:
        with places[REPAIRS]:
            panel_title(REPAIRS, "of what is below 0")
    return places


def _panels(subject: Subject, gram: GramMatrix, how: str) -> list[Panel]:
    note = f"{gram.n:,} items {how if how == AS_GIVEN else f'sorted by {how}'}"
    if subject.config.normalize == "cosine":
        note += "; the diagonal is 1"
    if subject.reported is None:
        return [Panel("Similarity", note, gram.values, common_scale([gram.values]))]
    beside = conditioned(subject.config, subject.reported).values
    scale = common_scale([beside])
    unknown = f"{percent(float(np.isnan(beside).mean()), 1)} unknown"
    return [Panel("Filled", note, gram.values, scale), Panel("As reported", unknown, beside, scale)]


@st.fragment
def _matrix(name: str, panels: list[Panel], items: Items, drag: Drag | None, opens: str) -> None:
    """What is clicked on is shown exactly, also where cells are means of blocks; a choice runs the page."""
    place, carriers = st.container(gap="xsmall"), st.container(key="carriers")
    most = (PROJECTED if projector.is_on() else MOST) - (0.0 if opens else UNDER_TABS)
    with place:
        words = Words(f"{workspace.current_name()}: {name}", panels[0].note)
        room = Room(carriers, most, opens, elsewhere=True)
        linked.linked(panels, items, key=KEY, words=words, drag=drag, whole_page=True, room=room)


def _spectrum(name: str, made: Inspection, height: int) -> None:
    d = made.diagnosis
    about = f" of the {d.n_known:,} known items" if d.n_known < d.n else ""
    with st.container(gap="xxsmall"):
        panel_title("Spectrum", f"negative mass {percent(d.negative_mass, 1)}{about}")
        draw(
            eigenvalue_bars(d.eigenvalues, name=name, height=height, tolerance=d.digits or None),
            "kernels.spectrum",
        )


def _map(made: Inspection, labels: Labels | None, height: int) -> None:
    note = "kernel PCA, components 1 and 2"
    if made.diagnosis.indefinite:
        note += "; positive part only"
    items = Items(made.gram.ids, class_list(labels))
    axes = MapAxes(shares=made.share)
    item_map_panel(made.coordinates, items, key="kernels.items", note=note, axes=axes, height=height)
