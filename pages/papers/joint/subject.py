"""What the page Joint regularization is about in this run: graphs of some classes, settings, and its cached computations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from kernex_core.base.errors import InvalidInputError
from kernex_core.completion.node_kernels import NodeColumns
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.papers.joint.measuring import (
    ENZYMES,
    ENZYMES_SIGMA,
    PAPER_CLASSES,
    JointFigure,
    NodeWalkConfig,
    columns_of,
    graph_kernel,
    measuring,
)
from pages.server.cached import cached
from pages.server.declared import of, of_data, of_items
from pages.ui import widgets
from pages.ui.answer import first_row, group, settings_box
from pages.ui.widget import controls

QUICK: Final = 2_000
"""Up to this number of vertices all kernels are measured in some seconds."""
NAMED: Final = 30
"""Up to this number of columns they can be chosen."""


@dataclass(frozen=True, eq=False)
class Subject:
    """Graphs with their classes, and how their kernels are made and judged."""

    graphs: GraphSet
    labels: Labels
    config: NodeWalkConfig
    validation: CrossValidation

    @property
    def args(self) -> tuple[NodeWalkConfig, GraphSet, Labels, CrossValidation]:
        """What the study takes."""
        return self.config, self.graphs, self.labels, self.validation

    @property
    def quick(self) -> bool:
        """Whether it is measured without a click."""
        return int(self.graphs.n_nodes.sum()) <= QUICK

    @property
    def like_enzymes(self) -> bool:
        """Whether these attributes are those of ENZYMES, the stand-in."""
        return self.config.columns == ENZYMES and self.graphs.node_attributes is not None


@cached(public=True)
def figure(
    config: NodeWalkConfig, graphs: GraphSet, labels: Labels, validation: CrossValidation
) -> JointFigure:
    """All kernels at once; the page keeps partial results under the same key."""
    *_, last = (state for state in measuring(config, graphs, labels, validation) if state is not None)
    return last


def measuring_figure(*args: object, done: JointFigure | None = None) -> Iterator[JointFigure | None]:
    """Partial results, from the start or from what is done."""
    return measuring(*args, done=done)  # type: ignore[arg-type]


@cached(public=True, newest=4)
def kernel(config: NodeWalkConfig, graphs: GraphSet, name: str) -> GramMatrix:
    """One kernel between the graphs, cosine-normalised."""
    return graph_kernel(config, graphs, name).then(CosineNormalize())


def with_attributes(dataset: DataSet) -> GraphSet | None:
    """Graphs of the data set whose vertices have attributes, continuous and discrete ones; None where there are none."""
    found = (part for part in dataset.samples.values() if isinstance(part, GraphSet))
    return next((graphs for graphs in found if _has_both(graphs)), None)


def _has_both(graphs: GraphSet) -> bool:
    try:
        columns_of(graphs)
    except InvalidInputError:
        return False
    return True


def choose(dataset: DataSet, graphs: GraphSet, labels: Labels) -> Subject:
    """Draw the first row: classes where there are more than two, the longest walk, and the button Settings."""
    columns = columns_of(graphs)
    with first_row():
        first, second = st.container(width="content"), st.container(width=260)
        last = st.container(width="stretch", horizontal_alignment="right")
    with first:
        chosen = _classes(dataset.name, labels, columns)
    with last:
        config, validation = _settings(dataset, graphs, columns, second)
    if len(chosen) < len(labels.classes):
        at = [i for i, name in enumerate(labels.y) if name in chosen]
        graphs, labels = graphs.take(at), labels.take(at)
    return Subject(graphs, labels, config, validation)


KINDS = ("continuous", "discrete")
IN_VIEW = (of_items("classes", "Classes"), *of(NodeWalkConfig, "length"))
SETTINGS = (
    *of(CrossValidation, "folds", "repeats", "seed", prefix="cv_"),
    *of(NodeWalkConfig, "sigma", "nugget", "landmarks", "choice", "edge_labels"),
    *(of_data(kind, f"{kind.capitalize()} attributes") for kind in KINDS),
)  # fmt: skip


def _classes(name: str, labels: Labels, columns: NodeColumns) -> tuple[str, ...]:
    classes = [each for each, _ in labels.classes]
    if len(classes) <= 2:
        return tuple(classes)
    lyases = [each for each in classes if columns == ENZYMES and each.endswith(PAPER_CLASSES)]
    asked = widgets.several(
        "classes", classes, default=lyases if len(lyases) == 2 else classes[:2], key=f"joint.classes.{name}",
        help="The paper has two: lyases (EC 4) against ligases (EC 6). Other graphs take no part, not even as landmarks.",
    )  # fmt: skip
    if len(asked) < 2:
        raise InvalidInputError(
            "At least two classes are told apart", f"{len(asked)} chosen", "Choose another"
        )
    return tuple(asked)


def _settings(
    dataset: DataSet, graphs: GraphSet, columns: NodeColumns, walks: DeltaGenerator
) -> tuple[NodeWalkConfig, CrossValidation]:
    protocol = CrossValidation(folds=10, repeats=5, choose_C=True)
    start = NodeWalkConfig(sigma=ENZYMES_SIGMA if columns == ENZYMES else None)
    key = f"joint.{dataset.name}"
    config = controls(start, key, only=("length",), slots=(walks,))
    with settings_box(2) as (left, right):
        with left:
            group("Judging")
            validation = controls(
                protocol, key, only=("folds", "repeats", "seed"), prefix="cv_",
                changed={"folds": {"choices": (2, 5, 10), "names": ("2", "5", "10")}},
            )  # fmt: skip
        with right:
            group("Kernels on vertices")
            typed = () if graphs.edge_labels is None else ("edge_labels",)
            config = controls(config, key, only=("sigma", "nugget", "landmarks", "choice", *typed))
            config = replace(config, columns=_columns(key, graphs, columns), seed=validation.seed)
    return config, validation


def _columns(key: str, graphs: GraphSet, start: NodeColumns) -> NodeColumns:
    """Which attributes are continuous, and which discrete; others are left out."""
    X = graphs.node_attributes
    count = 0 if X is None else X.shape[1]
    if count > NAMED:
        return start
    names = graphs.attribute_names or tuple(f"column {at + 1}" for at in range(count))
    asked = [
        widgets.several(
            kind, range(count), default=getattr(start, kind), key=f"{key}.{kind}", said=names.__getitem__,
        )
        for kind in KINDS
    ]  # fmt: skip
    return NodeColumns(tuple(sorted(asked[0])), tuple(sorted(asked[1])))
