"""Mutations of the pages: a number in the cell of another, bars upside down, curves that change names."""

from __future__ import annotations

from tests.mutants.mutant import Mutant

NAMES = "tests/pages/named"
"""The tests that compare each number with the field of its name."""


def _of(page: str, *rows: tuple[str, str, str, str]) -> tuple[Mutant, ...]:
    """Mutants that the comparison of a page has to see: what, file below pages/, old, new."""
    return tuple(
        Mutant(what, f"pages/{file}", old, new, f"{NAMES} -k {page}") for what, file, old, new in rows
    )


PAGES: tuple[Mutant, ...] = (
    *_of(
        "evaluate",
        (
            "Evaluate's Matthews column has the interval of balanced accuracy",
            "evaluate/view.py",
            '_number(m.matthews.mean, m.interval("matthews"), 2)',
            '_number(m.matthews.mean, m.interval("balanced"), 2)',
        ),
        (
            "Evaluate's ROC column has the Matthews correlation",
            "evaluate/view.py",
            '_number(m.auc.mean, m.interval("auc"), 3)',
            '_number(m.matthews.mean, m.interval("auc"), 3)',
        ),
        (
            "Evaluate's floors stand in another order",
            "evaluate/view.py",
            "for score in (m.multi_class, m.one_vs_rest, m.balanced)",
            "for score in (m.one_vs_rest, m.multi_class, m.balanced)",
        ),
        (
            "Evaluate's dots are of another measure's interval",
            "evaluate/view.py",
            "_dot(name, scores[name].mean, made.interval(field))",
            "_dot(name, scores[name].mean, made.interval())"
            " if field != 'multi_class' else _dot(name, scores[name].mean, made.interval('balanced'))",
        ),
        (
            "files of accuracy swap both ends of the interval",
            "shared/panels/accuracy_files.py",
            '"interval from": math.nan if interval is None else interval.low,',
            '"interval from": math.nan if interval is None else interval.high,',
        ),
        (
            "files of accuracy call the deviation over folds that over repetitions",
            "shared/panels/accuracy_files.py",
            '"sd over repetitions": score.sd_repeats,',
            '"sd over repetitions": score.sd_folds,',
        ),
        (
            "the confusion table is turned over",
            "shared/panels/accuracy_files.py",
            "cells = [int(count) for count in made.confusion[:, column]]",
            "cells = [int(count) for count in made.confusion[column]]",
        ),
        (
            "items are listed by the class that they were given",
            "shared/panels/accuracy_files.py",
            '"class": [made.classes[made.codes[i]] for i in at]',
            '"class": [made.classes[made.predicted[i]] for i in at]',
        ),
        (
            "shares found of a class have the intervals of one-vs-rest",
            "shared/panels/accuracy.py",
            "_shares(made.class_recall, made.found_intervals())",
            "_shares(made.class_recall, made.decided_intervals())",
        ),
    ),
    *_of(
        "combine/combine.py",
        (
            "Combine's error bars stand upside down",
            "combine/chart.py",
            "(mean - interval.low, interval.high - mean)",
            "(interval.high - mean, mean - interval.low)",
        ),
        (
            'Combine\'s "first alone" is drawn from the second',
            "combine/chart.py",
            '(f"{subject.first.name} alone", "first", "source")',
            '(f"{subject.first.name} alone", "second", "source")',
        ),
        (
            "Combine's floor is that of the other measure",
            "combine/chart.py",
            '100.0 * found.floor[field], "floor"',
            '100.0 * found.floor["one_vs_rest"], "floor"',
        ),
        (
            "Combine's file swaps both measures",
            "combine/results.py",
            '"multi_class": score.multi_class, "one_vs_rest": score.one_vs_rest',
            '"multi_class": score.one_vs_rest, "one_vs_rest": score.multi_class',
        ),
        (
            "Combine's product is called the weighted sum",
            "combine/view.py",
            '("Weighted sum", at, made.values("weighted sum", lam))',
            '("Weighted sum", at, made.values("product", lam))',
        ),
    ),
    *_of(
        "complete",
        (
            "Complete's mean-fill shows zero-fill",
            "complete/baselines.py",
            "scores = judged.get(role, ())",
            'scores = judged.get("zero-fill" if role == "mean-fill" else role, ())',
        ),
        (
            "Complete's table swaps deviation and lower end",
            "complete/baselines.py",
            "(curve.mean, curve.sd, curve.low, curve.high)",
            "(curve.mean, curve.low, curve.sd, curve.high)",
        ),
        (
            "Complete's curves without λ are one-vs-rest",
            "complete/pictures.py",
            "100.0 * plain_mean(s, method, field)",
            '100.0 * plain_mean(s, method, "one_vs_rest")',
        ),
        (
            "Complete's trust is what is not explained",
            "complete/results.py",
            "explained = 1.0 - made.extrapolation.unexplained[at]",
            "explained = made.extrapolation.unexplained[at]",
        ),
        (
            "Complete's error of zero-fill is that of the mean",
            "complete/numbers.py",
            "f\"zero-fill {number(made.errors['zero-fill'], 3)}\"",
            "f\"zero-fill {number(made.errors['mean-fill'], 3)}\"",
        ),
        (
            "Complete's spectra change names",
            "complete/pictures.py",
            'EigenvalueLine("extrapolated", made.spectra["extrapolated"], "extrapolated")',
            'EigenvalueLine("extrapolated", view.eigenvalues, "extrapolated")',
        ),
    ),
)
