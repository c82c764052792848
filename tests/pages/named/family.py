"""What tables of every kernel of a family show of a row, drawn and in a file; and pictures of one kernel of it."""

from __future__ import annotations

import numpy as np

from kernex_core.gram.normalize import cosine_normalize
from tests.pages.named.compared import WORDS, Arrays, Matrix, Named
from tests.pages.named.judged import ends
from tests.pages.named.kernel_pictures import components, eigenvector_file, eigenvector_points


def drawn_columns(fields, repeated):
    """Columns of measures, in percent, by the pattern of the measure's head; `repeated` have their deviation beside them."""
    columns = {
        "^tag$": lambda row: row.judgement.state.words,
        "^seconds$": lambda row: round(row.gram_seconds, 3),
    }
    for title, field in fields.items():
        columns[f"^{title}$"] = lambda row, field=field: 100 * getattr(row.judgement, field).mean
        columns[rf"^\[ \] {title}$"] = lambda row, field=field: ends(row.judgement.interval(field), 100.0)
        if field in repeated:
            columns[f"^± {title}$"] = lambda row, field=field: 100 * getattr(row.judgement, field).sd_repeats
    return columns


def written_columns(fields, spreads):
    """Columns of a file: shares with their ends, which spreads there are, and the protocol."""
    columns = {
        "^items$": lambda row: row.judgement.n_items,
        "^folds$": lambda row: row.judgement.config.folds,
        "^repetitions$": lambda row: row.judgement.n_repeats,
        "^seed$": lambda row: row.judgement.config.seed,
        "^C$": lambda row: row.judgement.config.C,
        "^remarks$": lambda row: " ".join(row.judgement.remarks),
        "^tag$": lambda row: row.judgement.state.words,
        "^p against chance$|^permutations$": lambda row: float("nan"),  # nobody has asked
        "^gram_seconds$": lambda row: round(row.gram_seconds, 3),
        "^judging_seconds$": lambda row: round(row.judgement.seconds, 3),
        "^majority_floor$": lambda row: row.judgement.multi_class.floor,
    }
    for field in fields:
        columns[f"^{field}$"] = lambda row, field=field: getattr(row.judgement, field).mean
        columns[f"^{field}_from$"] = lambda row, field=field: row.judgement.interval(field).low
        columns[f"^{field}_to$"] = lambda row, field=field: row.judgement.interval(field).high
    for field, spread in spreads:
        name = {"sd_repeats": "repetitions", "sd_folds": "folds"}[spread]
        columns[f"^{field}_sd_{name}$"] = lambda row, field=field, spread=spread: getattr(
            getattr(row.judgement, field), spread
        )
    return columns


def one_kernel(kernel, first):
    """The tabs of one kernel, which the page opens cosine-normalised, by their names, that of its matrix first.

    What is counted and listed in them is compared on the page Kernels.
    """

    def unit(seen):
        return cosine_normalize(kernel(seen))

    def spectrum(seen, picture):
        bars = [np.asarray(trace.y, float) for trace in picture.figure.data]
        values = np.linalg.eigvalsh(unit(seen))
        np.testing.assert_allclose(np.sort(np.concatenate(bars)), values, atol=1e-9 * values[-1])

    kept = {"^CSV$": Matrix(unit), "^NPZ$": Arrays({"K": unit})}
    pictures = {
        r"^kernels\.map\.0$": Matrix(unit, "Similarity"),
        r"^kernels\.spectrum$": spectrum,
        r"^kernels\.items$": components(unit),
    }
    vectors = {r"^kernels\.eigenvector$": eigenvector_points(unit)}
    return {
        first: (Named(pictures=pictures, files=kept), None),
        "Accuracy": (Named(files=kept | {"^Accuracy as CSV$|^Items as CSV$": WORDS}), None),
        "Numbers": (Named(files=kept), None),
        "Eigenvector": (
            Named(pictures=vectors, files=kept | {"^Eigenvector as CSV$": eigenvector_file(unit)}),
            None,
        ),
    }


def best_and_floor(rows, field):
    """Numbers of the verdict on a table: its best row by a measure, and what that measure is without any kernel."""

    def best(seen):
        made = max((row.judgement for row in rows(seen)), key=lambda made: getattr(made, field).mean)
        interval = made.interval(field)
        ends = [] if interval is None else [100 * interval.low, 100 * interval.high]
        return 100 * getattr(made, field).mean, ends

    def floor(seen):
        return 100 * getattr(rows(seen)[0].judgement, field).floor, []

    return {"^Best$": best, "^Floor$": floor}
