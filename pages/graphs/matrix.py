"""The tabs of one kernel: its verdict, matrix, map and spectrum, its accuracy, and what is kept; as on the page Kernels."""

from __future__ import annotations

from functools import partial

from streamlit.delta_generator import DeltaGenerator

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from pages.graphs import kernel as kernels
from pages.graphs import pair
from pages.graphs.settings import PREFIX
from pages.shared.answer.settings_box import group
from pages.shared.messages import findings
from pages.shared.one_kernel.doctor import Subject
from pages.shared.one_kernel.look import Around, look
from pages.shared.panels.build import about
from pages.shared.panels.chosen_row import Why
from pages.shared.panels.inspection.conditioning import OF_STRINGS, conditioning


def show(
    header: DeltaGenerator, top: DeltaGenerator, dataset: DataSet, graphs: GraphSet, name: str, part: str
) -> None:
    """Draw a part of it; badges of the matrix go into the header of the page, the first row and the verdict to its top."""
    with top:
        asked = kernels.choose(graphs)
    kernel, labels = asked.kernel, dataset.judgeable
    with asked.entries:
        group("Entries")
    with asked.pictures:
        group("Pictures")
    slots = (asked.entries, asked.entries, asked.entries, asked.pictures)
    config, how = conditioning(slots, OF_STRINGS, with_classes=labels is not None, prefix=PREFIX)
    K = kernels.matrix_of(kernel, graphs, name)
    if K is None:
        about(type(kernel))
        return
    why = Why(parts=partial(pair.briefly, graphs, kernel))
    subject = Subject(K.name, config, K, labels, dataset.defaults.C, dataset.name, why=why)
    look(subject, how, Around(header, top, asked.entries, asked.judging, part=part))
    findings(kernels.remarks_on(kernel, graphs))
