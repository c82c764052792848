"""How alike the kernels are, a kernel of noise with one click, and what each adds to the decision on one item."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from kernex_core.base.frozen import FloatArray
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels
from kernex_core.studies.many_kernels import (
    DecisionParts,
    ManyConfig,
    alignments_between,
    decision_parts,
    noise_kernel,
)
from pages.combine.several.subject import Subject
from pages.shared import chosen, workspace
from pages.shared.cached import cached
from pages.shared.figures.theme import number
from pages.shared.figures.weights import signed_bars
from pages.shared.frame import panel_title
from pages.shared.messages import plain, shortened
from pages.shared.panels.heatmap import draw
from pages.shared.settings import widgets
from pages.shared.shown.drawn import table

NOISE: Final = (
    "A Gaussian kernel of six random features, kept beside the others. What does each way of weighing do with it? "
    "A small C leaves it out; a large one may not."
)


@cached(public=True)
def between(kernels: tuple[GramMatrix, ...]) -> FloatArray:
    """Alignments of every two kernels."""
    return alignments_between(kernels)


@cached(newest=16, public=True)
def parts_of(kernels: tuple[GramMatrix, ...], labels: Labels, config: ManyConfig, item: int) -> DecisionParts:
    """What each kernel adds to the decision on an item."""
    return decision_parts(kernels, labels, config, item)


def noise_button(ids: Sequence[str], box: str, names: Sequence[str]) -> None:
    """Offer a kernel of noise, which is kept and chosen at once; `box` is the key of the choice of kernels."""
    st.button(
        "Add a noise kernel", icon=":material/grain:", key="many.noise", help=NOISE, on_click=_add_noise,
        args=(tuple(ids), box, list(names)),
    )  # fmt: skip


def _add_noise(ids: tuple[str, ...], box: str, names: list[str]) -> None:
    seed = sum(name.startswith("noise, seed") for name in workspace.kept())
    kept = workspace.keep_kernel(f"noise, seed {seed}", noise_kernel(ids, seed))
    workspace.show_in(box, [*names, kept])


def show(kernels: tuple[GramMatrix, ...]) -> None:
    """Draw the alignments as a table."""
    panel_title("How alike the kernels are", "cosine between centred kernels, 0 to 1")
    A = between(kernels)
    cells: dict[str, list[str]] = {"kernel": [plain(K.name) for K in kernels]}
    for K, column in zip(kernels, A.T, strict=True):
        cells[plain(shortened(K.name, 18))] = [number(float(value), 2) for value in column]
    table("many.alike", cells, hide_index=True)


def decision(subject: Subject, kernels: tuple[GramMatrix, ...], config: ManyConfig) -> None:
    """Take the decision on one item apart, once somebody asks."""
    labels = subject.labels
    if labels is None:
        return
    panel_title("One item", "what each kernel says about it")
    with st.container():
        ids = list(subject.covered.ids)
        marked = [name for name in chosen.chosen_ids() if name in ids]
        item = widgets.choose(
            "item", ids, default=marked[0] if marked else ids[0], key=f"many.item.{subject.dataset.name}",
            width=260, help="Weights and classifier are learned from all other items.",
        )  # fmt: skip
        place = ids.index(item) if item in ids else 0
        found = parts_of(kernels, labels, ManyConfig(C=config.C, loss=config.loss), place)
        total = found.parts.sum(axis=0) + found.bias
        k = int(np.argmax(total)) if len(found.classes) > 1 else 0
        names = [*(shortened(name, 24) for name in found.names), "bias"]
        values = [*found.parts[:, k].tolist(), float(found.bias[k])]
        draw(signed_bars(values, names=names, x_title=f"for {found.classes[k]}"), "many.decision")
        own = labels.y[place]
        st.caption(
            f"MKL at C = {number(config.C, 3)}, trained on all other items: {plain(ids[place])} gets "
            f"{number(float(total[k]), 3)} for {plain(found.classes[k])}, the sum of these bars"
            + (
                "; above 0 speaks for it, below against it. "
                if len(found.classes) == 1
                else ", the highest of all classes. "
            )
            + (f"Its class is {plain(str(own))}." if own else "It has no class.")
        )
