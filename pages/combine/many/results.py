"""The combination drawn, its spectrum, and what the page gives away of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import write_script
from kernex_core.studies.many_kernels import ManyConfig, WeighedKernels
from pages.combine.many.subject import eigenvalues
from pages.combine.several.subject import Subject
from pages.shared.figures.codes import common_scale
from pages.shared.figures.heatmap import heatmap
from pages.shared.figures.picture import Items
from pages.shared.figures.spectrum import EigenvalueLine, spectra
from pages.shared.figures.theme import SERIES, number
from pages.shared.frame import panel_title
from pages.shared.matrices.panels import Panel, Words
from pages.shared.messages import shortened
from pages.shared.panels.heatmap import draw
from pages.shared.panels.keep import Drawing, Keep, Offer, Result, keep_row
from pages.shared.panels.linked import linked
from pages.shared.shown.words import spelt

MOST_SHOWN = 6


def name_of(config: ManyConfig, names: Sequence[str]) -> str:
    """ "weighted sum, MKL, of pixels, zones and 3 more"."""
    how = "" if config.kind == "product" else f", {config.weigh}"
    rest = f" and {len(names) - 2} more" if len(names) > 2 else ""
    return f"{config.kind}{how}, of {', '.join(names[:2])}{rest}"


def show(
    subject: Subject, kernels: Sequence[GramMatrix], K: GramMatrix, config: ManyConfig, items: Items
) -> None:
    """Draw the kernels on one scale and what was made of them, and its spectrum."""
    panel_title("Combined", f"{config.kind}; the first is what was made, the others as they count in it")
    title = config.kind[0].upper() + config.kind[1:]
    shown = [Panel(title, "", K.values, common_scale([K.values]))]
    shown += [
        Panel(shortened(each.name, 20), config.normalize, each.values, common_scale([each.values]))
        for each in kernels[:MOST_SHOWN]
    ]
    words = Words(f"{subject.dataset.name}: {K.name}", f"scale {config.normalize}")
    linked(shown, items, key="many.combined", words=words, whole_page=True)
    if len(kernels) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN} of {len(kernels)} kernels are drawn.")


def spectrum(K: GramMatrix) -> None:
    """Draw the eigenvalues of the combination."""
    values = eigenvalues(K.values)
    panel_title("Spectrum", f"of the combination; smallest {number(float(values[-1]))}")
    picture = spectra([EigenvalueLine("combined", values, SERIES)], height=260)
    draw(picture, "many.spectrum")


def give(subject: Subject, K: GramMatrix, made: WeighedKernels, config: ManyConfig, items: Items) -> None:
    """Keep it, download it, get its script."""
    weights = ", ".join(number(float(weight), 3) for weight in made.weights)
    result = Result(
        K.name,
        kernel=lambda: K,
        figure=Drawing(
            partial(heatmap, K.values, items, name=K.name, height=620), title=K.name,
            settings={"data": subject.dataset.name, **spelt(config), "weights": weights},
        ),
        script=Offer(lambda: script(K), help="Python that computes this kernel again with kernex_core alone."),
    )  # fmt: skip
    keep_row(result, key="many", keep=Keep(named=True))


def script(K: GramMatrix) -> str:
    """Script of the combination."""
    return write_script([K.recipe], heading=f"Kernex: {K.name}", prints=["$0.values"])
