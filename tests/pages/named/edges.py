"""What the page Edges of new nodes shows of its demo."""

from __future__ import annotations

import re

import numpy as np

from kernex_core.learning.edges.methods import EDGE_METHODS
from kernex_core.studies.networks.edges.judging import edge_verdict
from kernex_core.studies.networks.edges.predicting import PredictedEdges, UnobservedPairs
from kernex_core.studies.networks.edges.sources import GRID, EdgeTable
from tests.pages.named.compared import WORDS, Named, Rows, near
from tests.pages.named.drawn import lines_of
from tests.pages.named.judged import beside_best
from tests.pages.named.verdict_said import AS_GIVEN

TITLES = {"sum": "sum", "alignment": "by alignment", "mkl": "MKL"}
SHOWN = 30
MODE = "transductive"
"""Of the kernels of the demo, whose widths all genes have set."""
MEASURES = ("auc", "average_precision", "within")


def table(seen):
    return max(seen.by_class[EdgeTable], key=lambda one: one.done)


def spread(values):
    """Mean and deviation over the folds that have a value."""
    found = np.array([value for value in values if not np.isnan(value)])
    return [found.mean(), found.std(ddof=1)] if found.size > 1 else list(found)


def cells(seen, source, method):
    return [cell for cell in table(seen).cells if (cell.source, cell.method) == (source, method)]


def sources(seen):
    return [(seen, source) for source in table(seen).data.sources]


def title(row):
    return TITLES.get(row[1], row[1])


def verdict(seen, measure="auc", new=False):
    """Of all cells of a table, by method and source."""
    return edge_verdict(table(seen), measure, lambda method, source: f"{method} / {source}", new=new)


def auc(pairs, method):
    """Mean AUC of a kind of pairs over folds, and its interval over nodes."""

    def meant(row):
        found = [getattr(cell, pairs) for cell in cells(*row, method.name)]
        if pairs == "new_new" and not method.between_new:
            return []
        mean = spread([one.auc for one in found if one is not None])[0]
        made = verdict(row[0], new=pairs == "new_new").of(f"{method.name} / {row[1]}")
        return [mean, made.interval.low, made.interval.high]

    return meant


def mean_rows(seen):
    kinds = [(pairs, measure) for pairs in ("known and new", "two new") for measure in MEASURES]
    found = [(*kind, verdict(seen, kind[1], new=kind[0] == "two new")) for kind in kinds]
    return [(pairs, measure, made, one) for pairs, measure, made in found if made for one in made.candidates]


def cell_name(row):
    """As the page calls it."""
    method, source = row[3].name.split(" / ")
    if source == "None":
        return "degree alone"
    return f"{next(one.title for one in EDGE_METHODS if one.name == method)} on {TITLES.get(source, source)}"


def methods(pairs):
    return {f"^{re.escape(method.title)}$": auc(pairs, method) for method in EDGE_METHODS}


def predicted(seen):
    return seen.result(PredictedEdges)


def pairs_of(found, new):
    """Names of pairs, the new node first."""
    return [(b, a) if b in new and a not in new else (a, b) for a, b in found.names.tolist()]


def listed(seen, many=None):
    found = predicted(seen)
    trained_apart = {
        name for pair, both in zip(found.names.tolist(), found.both_new, strict=True) for name in pair if both
    }
    counted = {}
    for pair in found.names.tolist():
        for name in pair:
            counted[name] = counted.get(name, 0) + 1
    most = max(counted.values())
    new = {name for name, count in counted.items() if count == most} | trained_apart
    names = pairs_of(found, new)
    return [(found, place, *names[place]) for place in range(len(names))][:many]


def ranked_by(method, source):
    """AUC of a method, or of degree alone, over folds, and its interval over nodes."""

    def meant(seen):
        one = verdict(seen).of(f"{method} / {source}")
        values = (
            table(seen).degree.known_new
            if source is None
            else [cell.known_new.auc for cell in cells(seen, source, method)]
        )
        return spread(values)[0], [one.interval.low, one.interval.high]

    return meant


def counted(pairs):
    """Share of edges, and beside it their number."""

    def meant(seen):
        found = [
            getattr(cell, pairs) for cell in cells(seen, table(seen).data.sources[0], EDGE_METHODS[0].name)
        ]
        share = np.mean([one.prevalence for one in found if not np.isnan(one.prevalence)])
        return share, [sum(one.edges for one in found)]

    return meant


def roc(seen, picture):
    found, shown = table(seen), lines_of(picture)
    method = next(one for one in EDGE_METHODS if one.title in picture.alt)
    meant = {"degree alone": (found.degree.curve, found.degree.known_new)}
    for source in found.data.sources:
        if source != "alignment":
            mine = cells(seen, source, method.name)
            meant[TITLES.get(source, source)] = (
                [one.curve for one in mine],
                [one.known_new.auc for one in mine],
            )
    assert [name.rsplit(" ", 1)[0] for name in shown] == list(meant)
    for (name, rows), (curves, areas) in zip(shown.items(), meant.values(), strict=True):
        near(rows[:, 0], 100 * GRID, name)
        near(rows[:, 1], 100 * np.mean([one for one in curves if not np.isnan(one).any()], axis=0), name)
        assert abs(float(name.rsplit(" ", 1)[1]) - spread(areas)[0]) <= 0.0051, name


def drawing(seen, picture):
    """Dashed and dotted lines: predicted edges that the network has, and that it has not."""
    found = predicted(seen)
    has = found.in_network[:SHOWN]
    lines = {str(trace.line.dash): trace for trace in picture.figure.data if trace.mode == "lines"}
    for dash, count in (("6px,3px", has.sum()), ("2px,3px", (~has).sum())):
        assert (len(lines[dash].x) // 3 if dash in lines else 0) == count


def weights(source):
    def meant(row):
        seen, place = row
        found = {cell.fold: cell.eta[place] for cell in table(seen).cells if cell.source == source}
        return spread(list(found.values()))

    return meant


def part(pairs, name):
    def meant(cell):
        found = getattr(cell[1], pairs)
        return float("nan") if found is None else getattr(found, name)

    return meant


def open_pairs(seen):
    found = seen.result(UnobservedPairs)
    return [(found, place, *names) for place, names in enumerate(found.names.tolist())]


EDGES = Named(
    verdict=AS_GIVEN,
    tables={
        r"^edges\.predicted$": Rows(
            lambda seen: listed(seen, SHOWN),
            {
                "^rank$": lambda row: row[1] + 1,
                "^new$": lambda row: row[2],
                "^other$": lambda row: row[3],
                "^score$": lambda row: row[0].scores[row[1]],
                "^known$": lambda row: "yes, hidden" if row[0].in_network[row[1]] else "unknown",
                "^both new$": WORDS,
            },
        ),
        r"^edges\.table\.known$": Rows(sources, {"^Known and new node$": title, **methods("known_new")}),
        r"^edges\.table\.new$": Rows(sources, {"^Two new nodes$": title, **methods("new_new")}),
        r"^edges\.weights$": Rows(
            lambda seen: [(seen, place) for place in range(len(table(seen).data.names))],
            {
                "^Kernel$": lambda row: table(row[0]).data.names[row[1]],
                "^by alignment$": weights("alignment"),
                "^MKL$": weights("mkl"),
            },
        ),
    },
    files={
        "^All pairs as CSV$": Rows(
            listed,
            {
                "^rank$": lambda row: row[1] + 1,
                "^new$": lambda row: row[2],
                "^other$": lambda row: row[3],
                "^score$": lambda row: row[0].scores[row[1]],
                "^both_new$": lambda row: int(row[0].both_new[row[1]]),
                "^in_network$": lambda row: "yes" if row[0].in_network[row[1]] else "unknown",
            },
        ),
        "^Cells as CSV$": Rows(
            lambda seen: [(table(seen), cell) for cell in table(seen).cells],
            {
                "^fold$": lambda row: row[1].fold + 1,
                "^source$": lambda row: row[1].source,
                "^method$": lambda row: row[1].method,
                **{
                    f"^{pairs}_{name}$": part(pairs, name)
                    for pairs in ("known_new", "new_new")
                    for name in ("auc", "average_precision", "prevalence", "edges", "pairs")
                },
                "^within_known$": lambda row: row[1].within,
                "^degree_alone_auc$": lambda row: row[0].degree.known_new[row[1].fold],
                **{
                    f"^weight {name}$": (lambda row, place=place: row[1].eta[place])
                    for place, name in enumerate(("view 1", "view 2", "view 3", "noise"))
                },
                "^parameters$": WORDS,
                "^seed$": lambda row: row[0].config.seed,
                "^mode$": lambda row: MODE,
                "^remarks$": lambda row: "",
            },
        ),
        "^Means as CSV$": Rows(
            mean_rows,
            {
                "^pairs$": lambda row: row[0],
                "^measure$": lambda row: row[1],
                "^method$": cell_name,
                "^mean$": lambda row: row[3].value,
                "^interval_from$": lambda row: row[3].interval.low,
                "^interval_to$": lambda row: row[3].interval.high,
                "^nodes$": WORDS,
                "^plain_baseline$": lambda row: row[3].plain,
                **beside_best(lambda row: row[2], lambda row: row[3].name),
                "^mode$": lambda row: MODE,
                "^remarks$": lambda row: "",
            },
        ),
        "^Ranked pairs as CSV$": Rows(
            open_pairs,
            {
                "^rank$": lambda row: row[1] + 1,
                "^a$": lambda row: row[2],
                "^b$": lambda row: row[3],
                "^score$": lambda row: row[0].scores[row[1]],
                "^common_neighbours$": lambda row: row[0].common[row[1]],
            },
        ),
    },
    pictures={r"^edges\.drawing$": drawing, r"^edges\.roc$": roc},
    counts={
        "^Method shown$": ranked_by("kcca", "mkl"),
        "^Degree alone$": ranked_by("degree", None),
        "^Prevalence$": counted("known_new"),
    },
)
