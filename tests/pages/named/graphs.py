"""What the page Graphs shows, tab by tab, of small labelled graphs in two classes; cards have tests of their own."""

from __future__ import annotations

import re

import numpy as np

from kernex_core.gram.graph import Graph
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.samples import Labels
from kernex_core.kernels.explanation import Explanation
from kernex_core.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman
from kernex_core.studies.graphs.pictures import GraphNeighbours
from kernex_core.studies.graphs.table import GraphTable
from tests.pages.named.compared import Named, Rows
from tests.pages.named.family import best_and_floor, drawn_columns, one_kernel, written_columns
from tests.pages.named.verdict_said import Said


def molecules():
    """Twenty-six trees, no two alike: of one class most vertices are O."""
    rng = np.random.default_rng(2)
    y = np.repeat(["plain", "oxide"], [15, 11])
    ids = tuple(f"item{k}" for k in range(y.size))
    labels = Labels(ids, y)

    def tree(kind):
        n = int(rng.integers(5, 12))
        share = [0.7, 0.2, 0.1] if kind == "plain" else [0.2, 0.1, 0.7]
        edges = [(int(rng.integers(0, at)), at) for at in range(1, n)]
        return Graph(n, edges, rng.choice(["C", "N", "O"], n, p=share).tolist(), ["1"] * (n - 1))

    found = GraphSet.of([tree(kind) for kind in y], ids, labels=labels)
    return DataSet("molecules", ids, labels, samples={"graphs": found})


def graphs(seen):
    return seen.dataset.samples["graphs"]


def kernel(seen):
    return WeisfeilerLehman.suggested().of(graphs(seen)).gram(graphs(seen).values)


def judge_all(at):
    """Few kernels, and a click on the button."""
    key = "graphs.table.molecules"
    at.slider(key=f"{key}.repeats").set_value(2)
    at.toggle(key=f"{key}.grid.more").set_value(False)
    at.toggle(key=f"{key}.grid.nested").set_value(False)
    at.button(key="graphs.table.run").click().run()


def drawing(side):
    """Every vertex of one of both graphs, with its label and degree."""

    def compare(seen, picture):
        name = re.match(r"Graph (\S+) of", picture.alt)[1]
        nearest = seen.result(GraphNeighbours)
        assert name == (nearest.ids[0] if side else graphs(seen).ids[nearest.item])
        graph = graphs(seen).graphs[graphs(seen).ids.index(name)]
        said = [text for trace in picture.figure.data for text in trace.hovertext or ()]
        assert len(said) == graph.n_nodes
        for text in said:
            number, label, degree = re.fullmatch(r"vertex (\d+), label (\w+)<br>degree (\d+)", text).groups()
            assert label == graph.node_labels[int(number) - 1], text
            assert int(degree) == graph.degrees[int(number) - 1], text

    return compare


def parts(seen):
    made = seen.result(Explanation)
    return [(part, made.total) for part in made.parts]


def neighbours(seen):
    found, K = seen.result(GraphNeighbours), kernel(seen)
    own = np.diag(K)
    at = [graphs(seen).ids.index(name) for name in found.ids]
    return [
        (name, K[found.item, k] / np.sqrt(own[found.item] * own[k]), K[found.item, k])
        for name, k in zip(found.ids, at, strict=True)
    ]


PAIR = Named(
    pictures={rf"^graphs\.drawing\.{side}$": drawing(side) for side in (0, 1)},
    files={
        "^Parts as CSV$": Rows(
            parts,
            {
                "^Subtree$": lambda row: row[0].tree,
                "^Height$": lambda row: row[0].height,
                "^In first$": lambda row: len(row[0].roots_s),
                "^In second$": lambda row: len(row[0].roots_t),
                "^Part of K$": lambda row: row[0].contribution,
                "^Share": lambda row: round(100 * row[0].contribution / row[1], 1),
            },
        ),
        "^Row as CSV$": Rows(
            neighbours,
            {"^id$": lambda row: row[0], "^cosine$": lambda row: row[1], "^K$": lambda row: row[2]},
        ),
    },
)


def table(seen):
    return seen.result(GraphTable)


def rows(seen):
    return list(table(seen).rows)


def others(seen):
    """All but the best, beside it."""
    return list(table(seen).verdict().candidates[1:])


def shown(seen):
    """Multi-class accuracy of every row of the table, by kernel and parameters."""
    drawn = seen.tables["graphs.kernels"]
    return {
        f"{kernel}, {setting}" if setting else kernel: value
        for kernel, setting, value in zip(
            drawn["kernel"], drawn["parameters"], drawn["multi-class"], strict=True
        )
    }


ABOUT = {
    "^kernel$": lambda row: type(row.candidate.kernel).title,
    "^parameters$": lambda row: row.candidate.setting,
}
EVERY = Named(
    tables={
        r"^graphs\.kernels$": Rows(
            rows,
            ABOUT
            | {"^fixed$": lambda row: "●" if row.candidate.fixed else ""}
            | drawn_columns({"multi-class": "multi_class", "balanced": "balanced"}, ("multi_class",)),
        ),
        r"^graphs\.table\.pairs$": Rows(
            others,
            {
                " against$": lambda row: row.name,
                "^points": lambda row: [
                    100 * value
                    for pair in (row.against_best,)
                    for value in (pair.difference, pair.interval.low, pair.interval.high)
                ],
                "^p$": lambda row: row.against_best.p,
                "^p, Holm$": lambda row: row.p,
            },
        ),
    },
    files={
        "^Table as CSV$": Rows(
            rows,
            ABOUT
            | {"^fixed$": lambda row: row.candidate.fixed}
            | written_columns(
                ("multi_class", "balanced", "one_vs_rest"),
                [("multi_class", "sd_repeats"), ("multi_class", "sd_folds")],
            ),
        )
    },
    counts=best_and_floor(rows, "multi_class"),
    verdict=Said(lambda seen: table(seen).verdict(), shown, rounded=0.05),
)

GRAPHS = {
    **one_kernel(kernel, "Kernel"),
    "Why similar?": (PAIR, None),
    "Every graph kernel": (EVERY, judge_all),
}
"""By tab: what it shows, and what is clicked first."""
