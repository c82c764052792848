"""Build a kernel from samples: catalogue, widgets, cost and limit before, progress and cancel during."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.parameters import parameters
from kernex_core.base.validation import memory_bytes, shown_bytes
from kernex_core.conditioning.impute import IMPUTATIONS, Imputation, imputed_similarities
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import AnySamples, DataSet, KernelSamples, kind_words
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.items.selection import Selection
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Sequences, SparseVectors, Vectors
from kernex_core.kernels.base import AnyKernel
from kernex_core.kernels.catalogue import KERNELS, kernels_for
from kernex_core.kernels.sequences.string_kernel import fitting_matrix
from kernex_core.kernels.sequences.substitution import SubstitutionMatrix
from pages.server import workspace
from pages.server.cached import cached
from pages.server.colour_scheme import on_primary
from pages.server.declared import in_view, of_data, of_each, own_prefix, setting
from pages.server.digits import duration
from pages.server.item_limit import item_limit, limit_control, needed
from pages.server.messages import findings, guard, plain
from pages.server.readers.tasks import substitution_matrix
from pages.server.warmup import await_loops
from pages.ui import widgets
from pages.ui.files import kept_upload, read_upload
from pages.ui.widget import controls

# A kernel from samples, computed once, how long it would take, and which of its parameters are asked for.

LABELS: Final = {"vertex_labels": "node_labels", "edge_labels": "edge_labels"}
"""Parameters that say nothing where graphs lack the labels, and what these are called there."""


@cached(public=True)
def similarities(kernel: AnyKernel, samples: KernelSamples, name: str) -> GramMatrix:
    """Return a kernel built from samples."""
    return kernel.similarities(samples, name=name)


@cached(public=True)
def estimated_seconds(kernel: AnyKernel, samples: KernelSamples) -> float:
    """Return the seconds that building will take, after the samples were checked."""
    kernel.check(samples.values, samples.ids)
    return kernel.estimate_seconds(samples.values)


@cached(public=True)
def remarks(kernel: AnyKernel, samples: KernelSamples) -> tuple[str, ...]:
    """Return what the kernel takes for granted about these samples."""
    return kernel.remarks_on(samples)


def drawn_parameters(kernel: AnyKernel, samples: KernelSamples) -> tuple[list[str], list[str]]:
    """Return the fields that say something about these samples: numbers and choices, and those that are on or off."""
    fields = [
        field
        for field, p in parameters(kernel).items()
        if not p.hidden and not (isinstance(samples, GraphSet) and _lacks(samples, field))
    ]
    toggles = [field for field in fields if isinstance(getattr(kernel, field), bool)]
    return [field for field in fields if field not in toggles], toggles


def _lacks(graphs: GraphSet, field: str) -> bool:
    return field in LABELS and getattr(graphs, LABELS[field]) is None


# More items than a matrix is made of: a part is chosen before, with its memory and its time beside it.

RANDOM, STRATIFIED, CLASSES = "random part", "stratified by class", "chosen classes"
START: Final = 2_000
"""Items that are suggested: a matrix of them takes seconds."""


def choose_part(kernel: AnyKernel, samples: KernelSamples) -> None:
    """Offer a random part, a stratified one or classes of the current data set; a click selects it on every page."""
    dataset = workspace.current()
    assert dataset is not None  # a kernel is built from its samples
    st.markdown(
        f"**{samples.n:,} items: choose a part of them before a matrix is made.** All of them would take "
        f"{needed(samples.n)}."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        spec = _part(dataset)
        limit_control("part")
    with guard():
        part = samples.take(spec.apply(dataset.ids, dataset.labels))
        seconds = "" if part.n > item_limit() else f"; {kernel.title} takes about {_time(kernel, part)}"
        st.caption(f"{part.n:,} of {samples.n:,} items: {needed(part.n)}{seconds}.")
        if st.button(
            on_primary(f"Select these {part.n:,} items"), type="primary", key="part.take", icon=":material/filter_alt:",
            disabled=part.n > item_limit(), help="On every page; the page Data takes it back, and scripts say so.",
        ):  # fmt: skip
            workspace.set_selection(_joined(spec))
            st.rerun()


def _time(kernel: AnyKernel, part: KernelSamples) -> str:
    return duration(estimated_seconds(kernel, part))


def _part(dataset: DataSet) -> Selection:
    """Draw the choice and return it."""
    labels = dataset.judgeable
    ways = [RANDOM, STRATIFIED, CLASSES] if labels is not None else [RANDOM]
    way = st.segmented_control(
        "Part", ways, default=RANDOM, required=True, key=f"part.way.{labels is not None}",
        help="Random: every item is as likely. Stratified: every class keeps its share; items without a label are left out.",
    )  # fmt: skip
    if labels is not None and way == CLASSES:
        sizes = dict(labels.classes)
        chosen = st.multiselect(
            "Classes", list(sizes), default=list(sizes)[:2], key=f"part.classes.{dataset.name}",
            format_func=lambda name: f"{name} ({sizes[name]:,})", width=420,
        )  # fmt: skip
        return Selection(classes=tuple(chosen) or None)
    size = st.number_input(
        "Items", 2, item_limit(), min(START, item_limit()), 500, key=f"part.size.{item_limit()}", width=140
    )
    seed = st.number_input(
        "Seed", 0, None, 0, 1, key="part.seed", width=100, help="Another one draws other items."
    )
    return Selection(size=int(size), seed=int(seed), stratified=way == STRATIFIED)


def _joined(spec: Selection) -> Selection:
    """The part of what is selected already."""
    before = workspace.selection()
    if not isinstance(before, Selection):
        return spec
    if spec.classes is not None:
        return dataclasses.replace(before, classes=spec.classes)
    return dataclasses.replace(before, size=spec.size, seed=spec.seed, stratified=spec.stratified)


SETTINGS: Final = (
    of_data("samples", "Samples"),
    *in_view(
        *(setting(f"kind_{kind}", "Kind of kernel") for kind in dict.fromkeys(each.data_kind for each in KERNELS))
    ),
    *of_each(KERNELS), setting("imputation", "Unknown entries become"), *of_each(IMPUTATIONS),
)  # fmt: skip
NEW: Final = "new, from samples …"
"""Among the kernels of a data set: one that is built here."""
AT_ONCE: Final = 1.0
"""Seconds up to which a kernel is computed without being asked for."""
PACE: Final = 0.05
"""Share of the work after which the time left follows from the time so far."""
IMPUTED_AT_ONCE: Final = 2e7
"""Rows squared times columns up to which the nearest rows are found at once (about a second)."""


def build_kernel(dataset: DataSet, kind: AbstractContextManager[object], rest: DeltaGenerator) -> Built:
    """Draw the choice of a kernel into its place and what else it has among the settings; compute it here.

    Parameters
    ----------
    dataset : DataSet
    kind, rest : container
        Places of the kind of kernel, and of samples and parameters.
    """
    with rest:
        name, samples = _samples(dataset)
    with kind:
        chosen = kernel_type(samples)
    title = _title(chosen.title, name)
    with rest:
        kernel = kernel_parameters(chosen, samples, name)
        kernel = with_uploads(kernel, samples, f"build.{chosen.__name__}")
        st.caption(_facts(samples))
    built = None
    with guard():
        if isinstance(samples, Vectors) and has_unknown(samples) and samples.n <= item_limit():
            built = imputed_kernel(kernel, samples, title, rest)
        else:
            built = computed(kernel, samples, title)
            if samples.n <= item_limit():
                findings(remarks(kernel, samples))
    return Built(built, chosen)


def about(chosen: type[AnyKernel]) -> None:
    """Draw formula, source and cost of a kind of kernel."""
    st.latex(chosen.formula)
    st.caption(f"{plain(chosen.source)}. Cost: {plain(chosen.cost)}.")
    if not chosen.positive_semidefinite:
        st.caption(":orange[:material/warning:] A similarity, not always a kernel: it may need a repair.")


def of_strings(K: GramMatrix, dataset: DataSet) -> bool:
    """Whether a kernel that was built here is one of strings or of graphs, which are of many sizes."""
    return K.name in {
        _title(kernel.title, name)
        for name, part in dataset.samples.items()
        if isinstance(part, Sequences | GraphSet)
        for kernel in kernels_for(part.kind)
    }


def _title(kernel: str, samples: str) -> str:
    return f"{kernel} of {samples}"


def _samples(dataset: DataSet) -> tuple[str, KernelSamples]:
    names = list(dataset.samples)
    name = widgets.choose(
        "samples", names, key=f"build.samples.{dataset.name}",
        help="What the items are described by in this data set.",
    )  # fmt: skip
    return name, dataset.samples[name]


def kernel_type(samples: KernelSamples) -> type[AnyKernel]:
    """Draw the choice among the catalogue's kernels on such samples."""
    offered = kernels_for(samples.kind)
    return widgets.choose(
        f"kind_{samples.kind}", offered, said=lambda kernel: kernel.title, key=f"build.kind.{samples.kind}",
        help=f"The catalogue's kernels on {kind_words(samples.kind)}.",
    )  # fmt: skip


def _facts(samples: KernelSamples) -> str:
    """What the samples are and what the matrix will take, before anything is computed."""
    if isinstance(samples, Sequences):
        letters = sum(map(len, samples.strings))
        what = (
            f"{samples.n:,} {samples.alphabet} strings, {letters / max(samples.n, 1):,.0f} letters on average"
        )
    elif isinstance(samples, GraphSet):
        what = f"{samples.n:,} graphs of {samples.n_nodes.mean():,.0f} vertices on average"
    elif isinstance(samples, Network):
        what = f"{samples.n:,} nodes, {counted(samples.n_edges, 'edge')}"
    elif isinstance(samples, SparseVectors):
        what = samples.described
    else:
        what = f"{samples.n:,} vectors of {counted(samples.X.shape[1], 'number')}"
    memory = shown_bytes(memory_bytes(samples.n))
    return f"{what}.  \nThe matrix takes {memory} (8 n² bytes); at most {item_limit():,} items."


def kernel_parameters(
    chosen: type[AnyKernel],
    samples: KernelSamples,
    name: str,
    first: Sequence[AbstractContextManager[object]] = (),
) -> AnyKernel:
    """Draw the parameters and return the kernel with them, the matrix of alignments by the kind of letters.

    `first` are places of the first numbers and choices; all others are drawn here.
    """
    start = _start(chosen, samples)
    numbers, toggles = drawn_parameters(start, samples)
    if not numbers and not toggles:
        return start
    with guard():
        fields, rest = numbers + toggles, st.container()
        slots = [*first[: len(numbers)], *[rest] * len(fields)][: len(fields)]
        key = f"build.{chosen.__name__}.{name}"
        return controls(start, key, only=fields, slots=slots, prefix=own_prefix(chosen))
    return start


def first_parameter(chosen: type[AnyKernel]) -> str:
    """Name of the setting of the first number or choice of a kernel; "" where it has none."""
    start = chosen.suggested()
    fields = [
        field
        for field, p in parameters(chosen).items()
        if not p.hidden and not isinstance(getattr(start, field), bool)
    ]
    return f"{own_prefix(chosen)}{fields[0]}" if fields else ""


def _start(chosen: type[AnyKernel], samples: KernelSamples) -> AnyKernel:
    """Return the defaults, with the substitution matrix that fits the letters."""
    kernel = chosen.suggested()
    for field, description in parameters(chosen).items():
        if SubstitutionMatrix in description.accepts and isinstance(samples, Sequences):
            kernel = dataclasses.replace(kernel, **{field: fitting_matrix(samples.strings, samples.alphabet)})
    return kernel


def with_uploads(kernel: AnyKernel, samples: KernelSamples, key: str) -> AnyKernel:
    """Let every parameter that takes a substitution matrix be read from a file."""
    for field, description in parameters(kernel).items():
        if SubstitutionMatrix not in description.accepts:
            continue
        file = kept_upload(
            f"Own {(description.label or field).lower()}", key=f"{key}.{field}.file", types=["mat", "txt", "gz", "out"],
            help="Text form of NCBI (BLOSUM62, PAM250, Foldseek's sub_score.mat): a line of letters, then a line a "
            "letter. It replaces the named one.",
        )  # fmt: skip
        read = None if file is None else read_upload(file, substitution_matrix)
        if read is not None:
            st.caption(f"{plain(read.name)}: {len(read.letters)} letters, {plain(read.letters)}")
            kernel = dataclasses.replace(kernel, **{field: read})
    return kernel


def computed(kernel: AnyKernel, samples: KernelSamples, name: str) -> GramMatrix | None:
    """Return the kernel at once where that is quick or it is there; else offer to compute it."""
    if samples.n > item_limit():
        choose_part(kernel, samples)
        return None
    found = similarities.peek(kernel, samples, name)
    if found is not None:
        return found
    await_loops(kernel)
    seconds = estimated_seconds(kernel, samples)
    if seconds <= AT_ONCE:
        return similarities(kernel, samples, name)
    slot = st.empty()
    place = slot.container(horizontal=True, vertical_alignment="center")
    if not place.button(
        f"Compute, about {duration(seconds)}", key="build.compute", icon=":material/play_arrow:"
    ):
        return None
    # a click on it runs this script anew, in which the button above is not pressed
    place.button("Cancel", key="build.cancel", type="tertiary", icon=":material/close:")
    bar = st.progress(0.0, f"{plain(name)}: about {duration(seconds)} left")
    made = kernel.similarities(samples, name=name, progress=_reporter(bar, name, seconds))
    bar.empty()
    slot.empty()
    return similarities.keep(made, kernel, samples, name)


def _reporter(bar: DeltaGenerator, name: str, seconds: float) -> Callable[[float], None]:
    """Progress that also lets a click on Cancel through: Streamlit stops the script where it draws."""

    began = time.perf_counter()

    def report(share: float) -> None:
        # the estimate counts until there is a pace
        whole = (time.perf_counter() - began) / share if share > PACE else seconds
        left = duration(max(whole * (1.0 - share), 0.0))
        bar.progress(
            min(max(share, 0.0), 1.0), f"{plain(name)}: {100.0 * share:.0f}\u00a0%, about {left} left"
        )

    return report


def has_unknown(samples: AnySamples) -> bool:
    """Return whether these are vectors with unknown entries."""
    return isinstance(samples, Vectors) and bool(np.isnan(samples.X).any())


@dataclass(frozen=True, eq=False)
class Built:
    """A kernel that was built here; None while it is not computed. And what kind of kernel it is."""

    gram: GramMatrix | None
    kind: type[AnyKernel]


@cached(public=True)
def imputed(kernel: AnyKernel, samples: Vectors, imputation: Imputation, name: str) -> GramMatrix:
    """Return a kernel built from vectors with unknown entries."""
    return imputed_similarities(kernel, samples, imputation, name=name)


def imputed_kernel(kernel: AnyKernel, samples: Vectors, name: str, rest: DeltaGenerator) -> GramMatrix | None:
    """Ask for the imputation among the settings and return the kernel, or None while it is not computed."""
    titles = [each.title for each in IMPUTATIONS]
    missing = int(np.isnan(samples.X).sum())
    with rest:
        title = widgets.pick(
            "imputation", titles, key="build.imputation",
            help="The mean of the column over the rows that know it, or over the nearest of these rows.",
        )  # fmt: skip
        chosen: Imputation = IMPUTATIONS[titles.index(title)]
        chosen = controls(chosen, f"build.imputation.{title}", prefix=own_prefix(chosen))
        st.caption(
            f"{missing:,} unknown entries ({100.0 * missing / samples.X.size:.2g} %) are filled by {chosen.title}. That is "
            "a step of this kernel: an inductive evaluation learns it from the training rows of every fold."
        )
    slow = title != titles[0] and samples.n**2 * samples.X.shape[1] > IMPUTED_AT_ONCE
    if slow and imputed.peek(kernel, samples, chosen, name) is None:
        seconds = samples.n**2 * samples.X.shape[1] / IMPUTED_AT_ONCE
        if not st.button(f"Compute, about {seconds:.0f} s", key="build.impute", icon=":material/play_arrow:"):
            return None
    with st.spinner(f"{plain(name)} is computed"):
        return imputed(kernel, samples, chosen, name)
