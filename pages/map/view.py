"""The page Map on one screen: the verdict, the map with placed items beside that of all items, then what one asks second."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Vectors
from kernex_core.studies.map.points import MapConfig, map_method
from kernex_core.studies.map.study import KeptByMap, Placement, kept_by_maps
from pages.map import new_items
from pages.map.new_items import New
from pages.map.results import maps, results
from pages.map.subject import TABS, Subject, choose
from pages.server.cached import cached
from pages.server.digits import number, percent
from pages.server.messages import findings, guard, plain
from pages.ui import shown as drawn
from pages.ui import widgets
from pages.ui.answer import VerdictPlace
from pages.ui.frame import PageFrame, formula_text, panel_title
from pages.ui.glossary import explained
from pages.ui.panels.item_map import chosen_items
from pages.ui.panels.linked import coloured_box
from pages.ui.panels.staged import Pieced, run_in_pieces

# The verdict of the page Map: how far held-out items land from their place, beside how far the map itself moves.

TRUST, ERROR, FOLLOWED = "Trustworthiness", "Error", "Spearman"
QUICK: Final = 100
"""Items up to which all maps are made at once."""
MOVES: Final = 0.3
"""Share of the radius by which kept items move from one map to the other, from which errors of placements say little."""


def place_for(subject: Subject, placement: Placement | None) -> VerdictPlace:
    """Return places for the numbers that there are."""
    names = [
        TRUST,
        *([] if placement is None else [ERROR]),
        *([] if subject.along is None else [FOLLOWED]),
    ]
    return VerdictPlace(*names)


def fill(place: VerdictPlace, subject: Subject, placement: Placement | None) -> None:
    """Write it."""
    made = subject.made
    place.say(words(subject, placement))
    about = f"Of all {subject.dataset.n:,} items; in grey, of those that the map was made of."
    place.number(0, TRUST, number(made.trust_all, 3), number(made.trust_kept, 3), explained(TRUST, about))
    if placement is not None:
        place.number(
            1, ERROR, percent(placement.error), f"map moves {percent(made.moved)}",
            "Of the map's radius: of held-out items, from their place in the map of all; in grey, how far the kept ones lie "
            "apart in both maps. Errors count from there.",
        )  # fmt: skip
    if subject.along is not None:
        place.number(
            len(place.names) - 1, FOLLOWED, number(made.along_kept, 3), "kept",
            explained(
                FOLLOWED, f"Largest absolute rank correlation of a coordinate with {plain(subject.along_name)}, kept items."
            ),
        )  # fmt: skip


def words(subject: Subject, placement: Placement | None) -> str:
    """Return what is found."""
    made, method = subject.made, map_method(subject.config.method)
    if placement is None:
        return (
            f"Trustworthiness {number(made.trust_all, 3)}: it is 1 where all that is near in the map is near. "
            + (
                "Hold items out to see where new ones land."
                if method.places
                else f"{method.title} has no place for new ones."
            )
        )
    held = f"{made.held.size:,} held-out items, placed {plain(placement.title)}"
    if made.moved > MOVES:
        return (
            f"The map moves by {percent(made.moved)} of its radius when items are held out: that {held}, lie "
            f"{percent(placement.error)} off says little."
        )
    return f"{held}, lie {percent(placement.error)} of the radius off: the map itself moves by {percent(made.moved)}."


# How the page Map works, in formulas and sentences.

FORMULAS: Final = (
    r"\min_W \sum_i \Big\lVert x_i - \sum_j W_{ij} x_j \Big\rVert^2,\quad \sum_j W_{ij} = 1",
    r"W_{ij} = 0 \text{ unless } j \text{ is one of the } k \text{ nearest of } i",
    r"N = (I - W)^\top (I - W),\qquad K = H\,(aI - N)\,H,\qquad a = \lambda_{\max}(N)",
    r"H = I - \tfrac{1}{n}\mathbf{1}\mathbf{1}^\top",
    r"k(x, \cdot) = \varphi(x)^\top K,\qquad f_c(x) = \frac{\varphi(x)^\top K v_c}{\lambda_c} = \varphi(x)^\top v_c",
    r"\text{paper: } f_c(x) = \varphi(x)^\top W^{-1} v_c \qquad "
    r"\text{Bengio and others: } f_c(x) = \frac{a - 1}{\lambda_c}\,\varphi(x)^\top v_c",
)
ASSUMPTIONS: Final = (
    "LLE: the coordinates are the eigenvectors of the largest eigenvalues of *K*. *φ(x)* are the affine weights of a "
    "new item on its nearest kept ones; 10⁻³ of the trace is added to the diagonal of their local matrix, as in "
    "scikit-learn.",
    "Up is the first coordinate of LLE that is no function of the one across: a long sheet has its length again, as an "
    "arch, before its width (Dsilva and others, 2018). Settings has all coordinates.",
    "By extrapolation a new item lies exactly where scikit-learn's *LocallyLinearEmbedding.transform* puts it; one that "
    "repeats an item lies where that item lies. The paper's form leaves out singular values of *W* below a "
    "tenth of the largest; above 1,200 items of the map it is left out. Bengio and others take *k(x, x)* = 0.",
    "Error bars of new items: nine of ten held-out items lie within them of their place in the map of all items, in "
    "each coordinate by itself, the split-conformal half-width; nine of these are needed. A new item's place would be "
    "in a map made with it, too, so nine in ten is not exact for it: in simulations 85 to 89 % lay within. It has to be "
    "drawn as the held-out ones were; *how far* says whether it is.",
    "A map is made of up to 5,000 items, of all of them, and from 1,200 on with progress and Stop: no landmarks, no "
    "approximation.",
    "Spectral embedding: the slowest coordinates of a random walk on the graph of the *k* nearest, as in "
    "scikit-learn; a new item "
    "lies at the mean of its neighbours over the eigenvalue, which holds for every item of the map.",
    "t-SNE: perplexity *k*, 1,000 steps, of which 250 with neighbours drawn together twelve times as strongly; "
    "scikit-learn's exact "
    "method. Non-metric MDS: majorisation, up to 300 steps. Both begin from kernel PCA, move all pairs of up to "
    "3,000 items, "
    "and have no place for new ones: none is held out. Classical MDS of a kernel's distances is kernel PCA.",
    "Stress is Kruskal's, of the order of distances: equal for equal ones, no unit, above 1,000 items of every "
    "second, third … "
    "item. Continuity is trustworthiness with map and points exchanged.",
    "Kernel PCA: a new item is placed by its own similarities to the kept ones, or by extrapolation, with weights "
    "alone.",
    "Of vectors the kernel is the linear one, and columns count as they are. A kernel is mapped by its own distances; "
    "negative eigenvalues are clipped.",
    "Error: root mean square distance from where an item lies in the map of all items, over the radius of the map. "
    "Both maps are laid on one another by the kept items. How far these move themselves stands beside it: a map of "
    "fewer items is another map.",
    "Trustworthiness is that of scikit-learn, with the same *k*; of equally near items none counts as farther. It and "
    "the errors are those of the coordinates that are shown.",
    "Vishwanathan, Borgwardt, Guttman, Smola, Kernel extrapolation, 2006, section 4.3; Roweis and Saul, 2000; Bengio "
    "and others, 2003; Venna and Kaski, 2001; Belkin and Niyogi, 2003; van der Maaten and Hinton, 2008; Kruskal, 1964.",
)


def show(page: PageFrame, dataset: DataSet) -> None:
    """Draw the page."""
    formula_text(FORMULAS, ASSUMPTIONS)
    found = choose(dataset)
    if found is None:
        return
    subject, placement = found
    page.badge(
        f"{subject.made.held.size:,} of {dataset.n:,} held out",
        help="They are placed in a map that was made without them.",
    )
    fill(place_for(subject, placement), subject, placement)
    pictures, lower = st.container(key="maps", gap="xsmall"), st.container()
    with lower:
        new = _tabs(subject, placement)
    with pictures:
        maps(subject, placement, new_items.added(new, placement))
        coloured_box(subject.items.classes, "map")
        chosen_items(subject.items, "map")
    with lower:
        results(subject, placement, new)


def _tabs(subject: Subject, placement: Placement | None) -> New | None:
    """Draw what one asks second; new items are in the maps whichever part is open."""
    names = [*(["Ways to place"] if subject.made.placements else []), "New items", "What is kept", "Method"]
    places = dict(zip(names, widgets.tabs("tab", names, key=TABS), strict=True))
    if (tab := places.get("Ways to place")) is not None and tab.open:
        with tab:
            _ways(subject)
    if (kept := places["What is kept"]).open:
        with kept, guard():
            _kept(subject)
    if places["Method"].open:
        with places["Method"]:
            findings(subject.made.notes)
            st.markdown(formula_text(FORMULAS, ASSUMPTIONS))
    with places["New items"], guard():
        return new_items.bring(subject, placement)
    return None


@cached(public=True)
def kept_by_all(config: MapConfig, source: Vectors | GramMatrix) -> tuple[KeptByMap, ...]:
    """What every map keeps."""
    return kept_by_maps(config, source)


def _kept(subject: Subject) -> None:
    """One row a way to lay items flat: of all items, in two coordinates, nothing held out."""
    # the same of whatever map is shown
    config = replace(subject.config, method="lle", share=0.0)
    found = run_in_pieces(
        Pieced(kept_by_all, kept_by_maps.steps, (config, subject.source)), key="map.kept", what="% of all maps",
        at_once=subject.dataset.n <= QUICK, label="Make all maps",
    )  # fmt: skip
    if found is None:
        return
    panel_title(
        "What every map keeps",
        f"of all {subject.dataset.n:,} items in two coordinates, k = {config.n_neighbors}",
    )
    drawn.table(
        "map.kept",
        {
            "map": [each.title for each in found],
            "trustworthiness": [number(each.trust, 3) for each in found],
            "continuity": [number(each.continuity, 3) for each in found],
            "stress": [number(each.stress, 3) for each in found],
            "new items": [each.places or "no place" for each in found],
        },
    )
    st.caption(
        "Trustworthiness: what is near on the map is near. Continuity: what is near is near on the map. Stress: how "
        "far the map is "
        "from the order of all distances, 0 where it has it."
    )


def _ways(subject: Subject) -> None:
    """One row a way to place the held-out items, all of the same items in the same map."""
    placements = subject.made.placements
    panel_title(
        "Ways to place", f"the same {subject.made.held.size:,} held-out items, in % of the map's radius"
    )
    table = {
        "held-out items are placed": [each.title for each in placements],
        "error": [percent(each.error, 1) for each in placements],
        "from the first way": [percent(each.apart, 1) for each in placements],
    }
    if any(not math.isnan(each.along) for each in placements):
        table["Spearman"] = [number(each.along, 3) for each in placements]
    drawn.table("map.ways", table)
