"""What the tables of kernels write of a judgement, the same in all of them."""

from __future__ import annotations

from kernex_core.learning.judgement import NAN, Judgement
from kernex_core.learning.regression.judgement import NumberJudgement


def written_ends(made: Judgement, measure: str) -> dict[str, object]:
    """Ends of its interval of one measure, as `_from` and `_to`; NaN where there is none."""
    interval = made.interval(measure)
    low, high = (NAN, NAN) if interval is None else (interval.low, interval.high)
    return {f"{measure}_from": low, f"{measure}_to": high}


def written_remarks(made: Judgement | NumberJudgement) -> str:
    """What has to be said with the numbers, as one text; empty where there is nothing."""
    return " ".join(made.remarks)


def written_protocol(made: Judgement, gram_seconds: float) -> dict[str, object]:
    """On how many items, folds and repetitions a judgement rests, how it was made, and what matrix and judging took."""
    return {
        "items": made.n_items,
        "folds": made.config.folds,
        "repetitions": made.n_repeats,
        "seed": made.config.seed,
        "C": made.config.C,
        "remarks": written_remarks(made),
        "tag": made.state.words,
        "gram_seconds": round(gram_seconds, 3),
        "judging_seconds": round(made.seconds, 3),
    }


def written_accuracy(made: Judgement) -> dict[str, object]:
    """Accuracy with its floor, the ends of its interval over items (None where there is none) and its spread."""
    interval = made.interval()
    return {
        "accuracy": made.multi_class.mean,
        "floor": made.multi_class.floor,
        "interval_from": None if interval is None else interval.low,
        "interval_to": None if interval is None else interval.high,
        "sd_repetitions": made.multi_class.sd_repeats,
        "remarks": written_remarks(made),
    }
