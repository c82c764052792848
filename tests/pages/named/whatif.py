"""What the page What if shows."""

from __future__ import annotations

from functools import partial

import numpy as np

from kernex_core.learning.folds import CrossValidation
from kernex_core.runtime.progress import last_state
from kernex_core.studies.atlas.completion import choosing_completion
from kernex_core.studies.atlas.field import Field
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source
from tests.pages.named.compared import WORDS, Matrix, Named, Rows, near
from tests.pages.named.drawn import guides_of, levels_of, lines_of
from tests.pages.named.verdict_said import Said

ROW, COLUMN = 4, 3
"""35 % hidden, λ = 0.25: two places that nobody takes for each other."""


def field(seen):
    return max(seen.by_class[Field], key=lambda one: one.done)


def whole(seen):
    """Cells, a gap, and what stands beside them."""
    found = field(seen)
    return np.column_stack([found.values, np.full(len(found.rows), np.nan), found.values_beside])


def drawn_map(seen, picture):
    heat, points, star = picture.figure.data
    near(heat.z, 100.0 * whole(seen), "map")
    assert picture.figure.layout.xaxis.ticktext[COLUMN] == "0.25"
    assert picture.figure.layout.yaxis.ticktext[ROW] == "35"
    (frame,) = [shape for shape in picture.figure.layout.shapes if shape.type == "rect"]
    assert ((frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2) == (COLUMN, ROW)
    width = whole(seen).shape[1]
    at = ROW * width + COLUMN
    assert (points.x[at], points.y[at]) == (COLUMN, ROW)
    assert f"{100 * field(seen).values[ROW, COLUMN]:.1f}" in points.hovertext[at]
    assert (star.x[0], star.y[0]) == (np.nanargmax(whole(seen)[ROW]), ROW)


def line(values, intervals):
    ends = np.array([(each.low, each.high) for each in intervals])
    return np.column_stack([np.arange(values.size), 100 * values, 100 * ends])


def across(seen, picture):
    found = field(seen)
    columns = range(len(found.across.values))
    near(lines_of(picture)["joint"], line(found.values[ROW], [found.interval(ROW, k) for k in columns]), "λ")
    row = found.rows[ROW]
    plain = [found.values_beside[ROW, found.beside.index(name)] for name in row.plain]
    near(list(levels_of(picture).values()), [100 * max(plain), 100 * row.floor], "levels")
    near(guides_of(picture), [COLUMN], "guide")


def down(seen, picture):
    found, shown = field(seen), lines_of(picture)
    rows = range(len(found.rows))
    near(
        shown.pop("joint"), line(found.values[:, COLUMN], [found.interval(k, COLUMN) for k in rows]), "share"
    )
    assert sorted(shown) == sorted(found.rows[ROW].plain)
    for name, points in shown.items():
        near(points[:, 1], 100 * found.values_beside[:, found.beside.index(name)], name)
    near(guides_of(picture), [ROW], "guide")


def items(seen, picture):
    """Rows whose share changes most along λ, and nobody is chosen."""
    found = field(seen)
    columns = len(found.across.values)
    shares = found.rows[ROW].by_item[:columns].mean(axis=1).T
    spread = shares.max(axis=1) - shares.min(axis=1)
    order = sorted(range(len(shares)), key=lambda k: -spread[k])
    shown = [k for k in order if spread[k] > 0][:12]
    (heat,) = picture.figure.data
    near(heat.z, 100.0 * shares[shown], "items")
    assert list(picture.figure.layout.yaxis.ticktext) == [seen.dataset.ids[k] for k in shown]


def candidates(seen):
    return list(field(seen).verdict(ROW).candidates)


def drawn_all(seen):
    """Every cell of the row, and what stands beside it."""
    found = field(seen)
    row = seen.picture("whatif.map").figure.data[0].z[ROW]
    names = [*map(found.across.words, range(len(found.across.values))), "", *found.beside]
    return {name: value for name, value in zip(names, row, strict=True) if name}


def of(take):
    """A column of the file, from row, place in it, name of what stands beside, and the field."""
    return lambda row: take(*row)


def cells(seen):
    found = field(seen)
    return [
        (found, at, k, row.beside[k - len(found.across.values)] if k >= len(found.across.values) else "")
        for at, row in enumerate(found.rows)
        for k in range(len(row.values))
    ]


def candidate(found, at, k, name):
    return found.candidate_beside(at, name) if name else found.candidate(at, k)


def inside(seen):
    """The choice in the row that is looked at, made anew; in another row it is worth something else."""
    data = seen.dataset
    chosen = partial(
        choosing_completion, CompletionConfig(nugget=data.defaults.nugget), data.kernels["good"], data.kernels["fair"],
        data.labels, CrossValidation(C=data.defaults.C),
    )  # fmt: skip
    here, first = (last_state(chosen(at=field(seen).down.values[row])) for row in (ROW, 0))
    assert round(100 * here.mean, 1) != round(100 * first.mean, 1), "compare on other data"
    return tile(here.mean, here.interval)


def of_cell(seen):
    """The joint kernel of the cell, completed anew."""
    data, found = seen.dataset, field(seen)
    config = CompletionConfig(nugget=data.defaults.nugget, share=found.down.values[ROW])
    made = prepare(config, prepare_source(config, data.kernels["good"]), data.kernels["fair"])
    return made.kernel(found.across.values[COLUMN]).values


def spectrum(seen, picture):
    bars = np.concatenate([np.asarray(trace.y, float) for trace in picture.figure.data])
    near(np.sort(bars), np.linalg.eigvalsh(of_cell(seen)), "spectrum")


def tile(value, interval):
    return 100 * value, [100 * interval.low, 100 * interval.high]


WHATIF = Named(
    verdict=Said(lambda seen: field(seen).verdict(ROW), drawn_all),
    tables={
        r"^whatif\.compared$": Rows(
            candidates,
            {
                "^setting$": WORDS,
                "^accuracy": lambda each: 100 * each.value,
                "^95": lambda each: [100 * each.interval.low, 100 * each.interval.high],
                "^beside the best$": lambda each: [] if each.against_best is None else [each.p],
            },
            alike=True,
        )
    },
    files={
        "^Map as CSV$": Rows(
            cells,
            {
                "^share$": of(lambda found, at, k, name: found.down.values[at]),
                "^lam$": of(lambda found, at, k, name: None if name else found.across.values[k]),
                "^judged$": of(lambda found, at, k, name: name),
                "^accuracy$": of(lambda found, at, k, name: found.rows[at].values[k]),
                "^interval_from$": of(lambda found, at, k, name: found.rows[at].interval(k).low),
                "^interval_to$": of(lambda found, at, k, name: found.rows[at].interval(k).high),
                "^p_holm_to_best$": of(lambda *row: candidate(*row).p),
                "^told_apart_from_best$": of(lambda *row: candidate(*row).told_apart),
                "^items$": of(lambda found, at, k, name: found.rows[at].by_item.shape[2]),
            },
        )
    },
    pictures={
        r"^whatif\.map$": drawn_map,
        r"^whatif\.across$": across,
        r"^whatif\.down$": down,
        r"^whatif\.items$": items,
        r"^whatif\.kernel\.0$": Matrix(of_cell, "fair from good"),
        r"^whatif\.spectrum$": spectrum,
    },
    counts={
        "^Here$": lambda seen: tile(field(seen).values[ROW, COLUMN], field(seen).interval(ROW, COLUMN)),
        "^Best$": lambda seen: tile(
            field(seen).verdict(ROW).best.value, field(seen).verdict(ROW).best.interval
        ),
        "^Chosen inside$": inside,
    },
)
