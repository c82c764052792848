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
            "evaluate/side_by_side.py",
            '_number(m.matthews.mean, m.interval("matthews"), 2)',
            '_number(m.matthews.mean, m.interval("balanced"), 2)',
        ),
        (
            "Evaluate's ROC column has the Matthews correlation",
            "evaluate/side_by_side.py",
            '_number(m.auc.mean, m.interval("auc"), 3)',
            '_number(m.matthews.mean, m.interval("auc"), 3)',
        ),
        (
            "Evaluate's floors stand in another order",
            "evaluate/side_by_side.py",
            "return [number(100.0 * getattr(of, field).floor, 1) for field in fields]",
            "return [number(100.0 * getattr(of, field).floor, 1) for field in fields[::-1]]",
        ),
        (
            "Evaluate's dots are of another measure's interval",
            "evaluate/side_by_side.py",
            "_dot(name, scores[name].mean, one.interval(field))",
            "_dot(name, scores[name].mean, one.interval())"
            " if field != 'multi_class' else _dot(name, scores[name].mean, one.interval('balanced'))",
        ),
        (
            "files of accuracy swap both ends of the interval",
            "ui/panels/accuracy.py",
            '"interval from": math.nan if interval is None else interval.low,',
            '"interval from": math.nan if interval is None else interval.high,',
        ),
        (
            "files of accuracy call the deviation over folds that over repetitions",
            "ui/panels/accuracy.py",
            '"sd over repetitions": score.sd_repeats,',
            '"sd over repetitions": score.sd_folds,',
        ),
        (
            "the confusion table is turned over",
            "ui/panels/accuracy.py",
            "cells = [int(count) for count in made.confusion[:, column]]",
            "cells = [int(count) for count in made.confusion[column]]",
        ),
        (
            "items are listed by the class that they were given",
            "ui/panels/accuracy.py",
            '"class": [made.classes[made.codes[i]] for i in at]',
            '"class": [made.classes[made.predicted[i]] for i in at]',
        ),
        (
            "shares found of a class have the intervals of one-vs-rest",
            "ui/panels/accuracy.py",
            "_shares(made.class_recall, made.found_intervals())",
            "_shares(made.class_recall, made.decided_intervals())",
        ),
    ),
    *_of(
        "combine/combine.py",
        (
            "Combine's error bars stand upside down",
            "combine/combine.py",
            "(mean - interval.low, interval.high - mean)",
            "(interval.high - mean, mean - interval.low)",
        ),
        (
            'Combine\'s "first alone" is drawn from the second',
            "combine/combine.py",
            '(f"{subject.first.name} alone", "first", "source")',
            '(f"{subject.first.name} alone", "second", "source")',
        ),
        (
            "Combine's floor is that of the other measure",
            "combine/combine.py",
            '100.0 * found.floor[field], "floor"',
            '100.0 * found.floor["one_vs_rest"], "floor"',
        ),
        (
            "Combine's file swaps both measures",
            "combine/combine.py",
            '"multi_class": score.multi_class, "one_vs_rest": score.one_vs_rest',
            '"multi_class": score.one_vs_rest, "one_vs_rest": score.multi_class',
        ),
        (
            "Combine's product is called the weighted sum",
            "combine/combine.py",
            '("Weighted sum", at, made.values("weighted sum", lam))',
            '("Weighted sum", at, made.values("product", lam))',
        ),
        (
            "Combine's tile of the weighted sum shows the joint kernel",
            "combine/combine.py",
            '(SUM, "weighted sum")',
            '(SUM, "joint")',
        ),
        (
            "Combine's best alone is the worse of both",
            "combine/combine.py",
            "best = max(alone,",
            "best = min(alone,",
        ),
    ),
    *_of(
        "complete",
        (
            "Complete's mean-fill shows zero-fill",
            "complete/complete.py",
            "scores = judged.get(role, ())",
            'scores = judged.get("zero-fill" if role == "mean-fill" else role, ())',
        ),
        (
            "Complete's table swaps deviation and lower end",
            "complete/complete.py",
            "(curve.mean, curve.sd, curve.low, curve.high)",
            "(curve.mean, curve.low, curve.sd, curve.high)",
        ),
        (
            "Complete's curves without λ are one-vs-rest",
            "complete/results.py",
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
            "Complete's error of the mean is that of zero-fill",
            "complete/complete.py",
            'number(made.errors["mean-fill"], 3)',
            'number(made.errors["zero-fill"], 3)',
        ),
        (
            "Complete's number of the extrapolated kernel is Nyström's",
            "complete/complete.py",
            'cell.plain["extrapolated"]',
            'cell.plain["nystroem"]',
        ),
        (
            "Complete's curve over λ is of the λ that is set",
            "complete/results.py",
            "subject.accuracy(each).here[column] for each in lams",
            "subject.accuracy(lam).here[column] for each in lams",
        ),
        (
            "Complete's spectra change names",
            "complete/results.py",
            'EigenvalueLine("extrapolated", made.spectra["extrapolated"], "extrapolated")',
            'EigenvalueLine("extrapolated", subject.spectrum(lam), "extrapolated")',
        ),
    ),
    *_of(
        "many",
        (
            "Many kernels' dots have the interval of balanced accuracy",
            "combine/many/judged.py",
            "interval, value = made.interval(), 100.0 * made.multi_class.mean",
            'interval, value = made.interval("balanced"), 100.0 * made.multi_class.mean',
        ),
        (
            "Many kernels' deviations over repetitions are over folds",
            "combine/many/judged.py",
            "number(100.0 * one.multi_class.sd_repeats, 1)",
            "number(100.0 * one.multi_class.sd_folds, 1)",
        ),
        (
            "Many kernels' weights inside the folds swap mean and deviation",
            "combine/many/judged.py",
            "for m, s in zip(weights.mean, weights.sd, strict=True)",
            "for m, s in zip(weights.sd, weights.mean, strict=True)",
        ),
        (
            "Many kernels' alignments are read off the next kernel",
            "combine/many/many.py",
            "for K, column in zip(kernels, A.T, strict=True):",
            "for K, column in zip(kernels, A[::-1].T[::-1], strict=True):",
        ),
        (
            "Many kernels' path gives the weights of the next cost",
            "combine/many/weights.py",
            "Line(shortened(name, 18), places, 100.0 * weights,",
            "Line(shortened(name, 18), places, 100.0 * weights[::-1],",
        ),
        (
            "Many kernels' decision leaves the bias out of its place",
            "combine/many/many.py",
            "values = [*found.parts[:, k].tolist(), float(found.bias[k])]",
            "values = [float(found.bias[k]), *found.parts[:, k].tolist()]",
        ),
        (
            "Many kernels' best plain is the last of all",
            "combine/many/many.py",
            "_number(place, 1, PLAIN, made.best_plain)",
            "_number(place, 1, PLAIN, min(made.candidates, key=lambda one: one.value))",
        ),
    ),
    *_of(
        "together",
        (
            "Complete together's trust is of all items, those that were known too",
            "combine/together/together.py",
            "np.median(views.trust[~views.known])",
            "np.mean(views.trust[~views.known])",
        ),
        (
            "Complete together's second picture is the first again",
            "combine/together/results.py",
            '"completed", made.kernels[name].values, scale)',
            '"completed", subject.kernels[name].values, scale)',
        ),
    ),
    *_of(
        "kernels",
        (
            "the doctor's change against clip has the wrong sign",
            "ui/one_kernel/doctor.py",
            "gain = 100.0 * made.mean",
            "gain = -100.0 * made.mean",
        ),
        (
            "the doctor's rank is of another repair",
            "ui/one_kernel/doctor.py",
            '"Rank": [str(row.rank) for row in rows.values()]',
            '"Rank": [str(row.rank) for row in reversed(rows.values())]',
        ),
        (
            "negative mass in the verdict is the share of zeros",
            "ui/one_kernel/look.py",
            'place.number(1, "Negative mass", percent(d.negative_mass, 1))',
            'place.number(1, "Negative mass", percent(d.zero_share, 1))',
        ),
        (
            "the neighbour's interval in the verdict stands upside down",
            "ui/one_kernel/look.py",
            "span(interval.low, interval.high)",
            "span(interval.high, interval.low)",
        ),
        (
            "the effective rank is the rank",
            "ui/panels/inspection.py",
            "number(d.effective_rank)",
            "number(d.rank)",
        ),
        (
            "an eigenvector's file is in the order of the items, not of the matrix",
            "ui/panels/inspection.py",
            'return pd.DataFrame(columns | {"entry": entries[order]})',
            'return pd.DataFrame(columns | {"entry": entries[order[::-1]]})',
        ),
    ),
    *_of(
        "data/data.py",
        (
            "Data's share of a class is of the others",
            "data/health.py",
            '"Share": percent(size / total, 1)',
            '"Share": percent(1 - size / total, 1)',
        ),
    ),
    *_of(
        "map/map.py",
        (
            "Map's two trusts change names",
            "map/view.py",
            "TRUST, number(made.trust_all, 3), number(made.trust_kept, 3)",
            "TRUST, number(made.trust_kept, 3), number(made.trust_all, 3)",
        ),
        (
            "Map's ways swap error and distance from the first",
            "map/view.py",
            '"error": [percent(each.error, 1) for each in placements]',
            '"error": [percent(each.apart, 1) for each in placements]',
        ),
        (
            "Map's map of all items is the one that is placed",
            "map/results.py",
            "                    made.whole,",
            "                    places,",
        ),
    ),
    *_of(
        "map/groups.py",
        (
            "Groups' stability is that of the worst resample",
            "map/groups.py",
            "number(again.mean, 3)",
            "number(float(again.values.min()), 3)",
        ),
    ),
    *_of(
        "map/outliers.py",
        (
            "Outliers' distances are the machine's",
            "map/outliers.py",
            '"how far": float(found.far[at])',
            '"how far": float(found.outside[at])',
        ),
    ),
    *_of(
        "networks/networks.py",
        (
            "Networks' choice is worth what the highest reads",
            "networks/results.py",
            "place.number(0, place.names[0], percent(called.mean, 1), ends)",
            "place.number(0, place.names[0], percent(called.best[1], 1), ends)",
        ),
        (
            "Networks' file calls balanced accuracy the ROC area",
            "networks/results.py",
            '"balanced_accuracy": one.balanced.mean, "roc_area": one.auc.mean',
            '"balanced_accuracy": one.auc.mean, "roc_area": one.balanced.mean',
        ),
        (
            "Networks' free and Nyström errors change names",
            "networks/reduced.py",
            'Line("free", x, found.free.mean(axis=0), SECOND, error=spread(found.free))',
            'Line("free", x, found.nystroem.mean(axis=0), SECOND, error=spread(found.nystroem))',
        ),
        (
            "Networks' error of the mean is that of the own row",
            "networks/new_nodes.py",
            '_spread(found.error[:, 0]), f"by the mean {_spread(found.error[:, 1])}"',
            '_spread(found.error[:, 0]), f"by the mean {_spread(found.error[:, 2])}"',
        ),
        (
            "Networks' ways are called in another order",
            "networks/new_nodes.py",
            '"alignment": [_spread(column) for column in found.alignment.T]',
            '"alignment": [_spread(column) for column in found.alignment.T[::-1]]',
        ),
        (
            "Networks' error is the truth less what was made",
            "networks/new_nodes.py",
            "common_scale([truth, made]), made - truth",
            "common_scale([truth, made]), truth - made",
        ),
    ),
    *_of(
        "features",
        (
            "Features' plain kernel is the one on the network",
            "networks/features/features.py",
            "len(place.names) - 1, PLAIN, found.plain,",
            "len(place.names) - 1, PLAIN, one,",
        ),
        (
            "Features' difference is the plain less the one on the network",
            "networks/features/judged.py",
            'metric("Difference, points", number(100.0 * compared.difference, 1)',
            'metric("Difference, points", number(-100.0 * compared.difference, 1)',
        ),
        (
            "Features' path swaps what was found and how precisely",
            "networks/features/judged.py",
            'Line("precise", x, [100.0 * each.precise for each in known], SECOND)',
            'Line("precise", x, [100.0 * each.connected for each in known], SECOND)',
        ),
        (
            "Features' plain weights are those on the network",
            "networks/features/results.py",
            '"weight_plain": float(plain.beta[k])',
            '"weight_plain": float(smooth.beta[k])',
        ),
    ),
    *_of(
        "edges",
        (
            "Edges' degree alone is the method that is shown",
            "networks/edges/edges.py",
            "(1, ALONE, degree)",
            "(1, ALONE, one)",
        ),
        (
            "Edges' table of two new nodes is of a known and a new one",
            "networks/edges/results.py",
            "pairs = each.new_new if new else each.known_new",
            "pairs = each.known_new",
        ),
        (
            "Edges' dashed and dotted edges change places",
            "networks/edges/results.py",
            '((in_network, FOUND, "6px,3px"), (~in_network, ASKED, "2px,3px"))',
            '((~in_network, FOUND, "6px,3px"), (in_network, ASKED, "2px,3px"))',
        ),
        (
            "Edges' weights of MKL and alignment change names",
            "networks/edges/results.py",
            "eta = found.weights(source)",
            "eta = found.weights(learned[-1 - learned.index(source)])",
        ),
    ),
    *_of(
        "papers/joint",
        (
            "Joint regularization's spreads over folds are over repetitions",
            "papers/joint/joint.py",
            "number(100 * one.sd_folds, 1)",
            "number(100 * one.sd_repeats, 1)",
        ),
        (
            "Joint regularization's bars stand upside down",
            "papers/joint/joint.py",
            "[one.mean - one.interval.low, one.interval.high - one.mean]",
            "[one.interval.high - one.mean, one.mean - one.interval.low]",
        ),
        (
            "Joint regularization's two p change places",
            "papers/joint/joint.py",
            '"p": [p_value(each.p) for each in compared]',
            '"p": [p_value(each.holm_p) for each in compared]',
        ),
    ),
    *_of(
        "papers/extrapolation",
        (
            "Kernel extrapolation's numbers stand beside what is printed of the next λ",
            "papers/extrapolation/extrapolation.py",
            "TABLE_2.printed[column_of(LAMS[0])][at].mean",
            "TABLE_2.printed[column_of(LAMS[1])][at].mean",
        ),
        (
            "Kernel extrapolation's difference is published less measured",
            "papers/extrapolation/extrapolation.py",
            "return points(gap(printed, measured))",
            "return points(-gap(printed, measured))",
        ),
        (
            "Kernel extrapolation's file swaps what is printed and its ±",
            "papers/extrapolation/extrapolation.py",
            '"published": printed.mean,',
            '"published": printed.plus_minus,',
        ),
        (
            "Kernel extrapolation's charts show the next row of the table",
            "papers/extrapolation/extrapolation.py",
            "measured = [found.joint(share, lam, field) for lam in LAMS]",
            "measured = [found.joint(SHARES[-1], lam, field) for lam in LAMS]",
        ),
    ),
    *_of(
        "power",
        (
            "Large diagonals' zeros before are its negative mass",
            "kernels/power/power.py",
            '"Zeros": (percent(after.zero_share, 1), percent(before.zero_share, 1))',
            '"Zeros": (percent(after.zero_share, 1), percent(before.negative_mass, 1))',
        ),
        (
            "Large diagonals' p after correction is that of the pair alone",
            "kernels/power/losses.py",
            '"less_as_it_is_p_holm": p}',
            '"less_as_it_is_p_holm": one.p}',
        ),
        (
            "Large diagonals' loss as it is in the verdict is that of p",
            "kernels/power/power.py",
            'as_it_is = None if found is None else found.original.get("svm")',
            'as_it_is = None if here is None else here["svm"]',
        ),
        (
            "Large diagonals' dominance in the verdict is that before",
            "kernels/power/power.py",
            "now, was = ratio(made.after), ratio(made.before)",
            "was, now = ratio(made.after), ratio(made.before)",
        ),
        (
            "Large diagonals' numbers before are those after",
            "kernels/power/power.py",
            '"Effective rank": (number(after.effective_rank), number(before.effective_rank))',
            '"Effective rank": (number(before.effective_rank), number(after.effective_rank))',
        ),
        (
            "Large diagonals' spreads over folds and repetitions change places",
            "kernels/power/losses.py",
            'parts.append(f"± {number(100.0 * losses.sd_repeats, 1)}")',
            'parts.append(f"± {number(100.0 * losses.sd_folds, 1)}")',
        ),
        (
            "Large diagonals' lowest loss is the highest",
            "kernels/power/losses.py",
            "at = int(mean.argmin())",
            "at = int(mean.argmax())",
        ),
    ),
    *_of(
        "orthogonal",
        (
            "Orthogonal patterns' tiles say of both bases how many rows fit the first",
            "papers/orthogonal/losses.py",
            '"{} of {}".format(*made.inside[column])',
            '"{} of {}".format(*made.inside[ALL_POINTS])',
        ),
        (
            "Orthogonal patterns' bars are one standard error",
            "papers/orthogonal/losses.py",
            "200.0 * found.se(column)[1:],",
            "100.0 * found.se(column)[1:],",
        ),
        (
            "Orthogonal patterns' numbers beside the table are of another row",
            "papers/orthogonal/losses.py",
            "measured(found, each.column, found.powers.index(each.row))",
            "measured(found, each.column, 0)",
        ),
        (
            "Orthogonal patterns' file swaps deviation and standard error",
            "papers/orthogonal/orthogonal.py",
            '"sd_over": paper.repeats.spread, "se": se[row],',
            '"sd_over": paper.repeats.spread, "se": sd[row],',
        ),
    ),
    *_of(
        "edges",
        (
            "intervals of edges stand upside down",
            "networks/edges/subject.py",
            "low, high = number(one.interval.low, 2), number(one.interval.high, 2)",
            "low, high = number(one.interval.high, 2), number(one.interval.low, 2)",
        ),
    ),
    *_of(
        "strings",
        (
            "Sequences' table swaps multi-class and balanced accuracy",
            "kernels/strings/table.py",
            '"multi_class": "multi-class", "balanced": "balanced"}',
            '"balanced": "multi-class", "multi_class": "balanced"}',
        ),
        (
            "Sequences' parts count the first string twice",
            "kernels/strings/pair.py",
            '"Count in second": len(part.positions_t),\n            "Part of K": part.contribution, "At in first"',
            '"Count in second": len(part.positions_s),\n            "Part of K": part.contribution, "At in first"',
        ),
        (
            "Sequences' bars of what a k-mer adds here are its weights",
            "kernels/strings/classes.py",
            "values = [each.contribution if here else each.weight for each in listed]",
            "values = [each.weight if here else each.contribution for each in listed]",
        ),
        (
            "Sequences' file of new ones calls the raw similarity conditioned",
            "kernels/strings/new_items.py",
            '"similarity": cross.ravel(),',
            '"similarity": rows.raw.ravel(),',
        ),
        (
            "Sequences' best in the verdict is by another measure than its sentence",
            "kernels/strings/table.py",
            'score, interval = best.judgement.one_vs_rest, best.judgement.interval("one_vs_rest")',
            'score, interval = best.judgement.balanced, best.judgement.interval("balanced")',
        ),
        (
            "Sequences' verdict is by another measure than its table",
            "kernels/strings/table.py",
            "best, made = found.best, found.verdict()",
            'best, made = found.best, found.verdict("multi_class")',
        ),
    ),
    *_of(
        "graphs",
        (
            "Graphs' floor in the verdict is that of another measure",
            "graphs/graphs.py",
            "place.number(1, FLOOR, percent(score.floor, 1)",
            "place.number(1, FLOOR, percent(best.judgement.balanced.floor / 2, 1)",
        ),
        (
            "Graphs' deviation is that over folds",
            "graphs/graphs.py",
            '(100.0 * table["multi_class_sd_repetitions"]).round(1)',
            '(100.0 * table["multi_class_sd_folds"]).round(1)',
        ),
        (
            "Graphs' two p change places",
            "graphs/graphs.py",
            '"p": [p_value(pair.p) for _, pair in others],',
            '"p": [p_value(each.p) for each, _ in others],',
        ),
        (
            "Graphs' file of a row swaps cosine and K",
            "graphs/kernel.py",
            '"cosine": made.cosines, "K": made.values}',
            '"cosine": made.values, "K": made.cosines}',
        ),
        (
            "Graphs' first drawing is drawn twice",
            "graphs/kernel.py",
            "graph = graphs.graphs[k]\n        with column",
            "graph = graphs.graphs[at[0]]\n        with column",
        ),
    ),
    *_of(
        "evaluate",
        (
            "Evaluate's verdict is by another measure than its dots",
            "evaluate/classes.py",
            "judged_verdict(ranked, what.field) if whole",
            "judged_verdict(ranked, 'balanced') if whole",
        ),
        (
            "Evaluate's verdict leaves the last kernel out",
            "evaluate/side_by_side.py",
            "verdict_words(made, unit",
            "verdict_words(Verdict(made.candidates[:-1]), unit",
        ),
        (
            "Evaluate's second tile is of the last kernel",
            "evaluate/side_by_side.py",
            "second = made.candidates[1]",
            "second = made.candidates[-1]",
        ),
        (
            "Evaluate's rows say p before correction",
            "ui/panels/verdicts.py",
            'return f"{said} :gray[p\\u00a0{p_value(one.p)}]"',
            'return f"{said} :gray[p\\u00a0{p_value(one.against_best.p)}]"',
        ),
    ),
    Mutant(
        "a verdict names who is as good without a number",
        "kernex_core/learning/chance/verdict.py",
        'named = ", ".join(_said(each, unit) for each in some[:MOST_NAMED])',
        'named = ", ".join(each.name for each in some[:MOST_NAMED])',
        f"{NAMES} -k evaluate",
    ),
    Mutant(
        "a verdict says of the next worse the number of the best",
        "kernex_core/learning/chance/verdict.py",
        'return f"{head}; {_said(next_worse, unit)} is worse{more}."',
        'return f"{head}; {next_worse.name} {_number(best, unit)} is worse{more}."',
        f"{NAMES} -k evaluate",
    ),
    *_of(
        "whatif",
        (
            "What if's best has the interval of the cell in the frame",
            "whatif/view.py",
            "_ends(best.interval),",
            "_ends(here),",
        ),
        (
            "What if's choice is made in another row",
            "whatif/view.py",
            "None if field.down.is_choice else field.down.values[at[0]])",
            "None if field.down.is_choice else field.down.values[0])",
        ),
        (
            "What if's curve along the rows is of another column",
            "whatif/drawing.py",
            "column = field.values[:, at[1]]",
            "column = field.values[:, at[0]]",
        ),
        (
            "What if's items are those that change least",
            "whatif/drawing.py",
            "np.argsort(-spread, kind",
            "np.argsort(spread, kind",
        ),
    ),
    Mutant(
        "What if's star is in the first row that is compared",
        "pages/whatif/drawing.py",
        "key=lambda k: k != row)",
        "key=lambda k: k)",
        "tests/pages/whatif/test_whatif_page.py -k star",
    ),
    *_of(
        "single_pairs",
        (
            "the list of pairs to measure swaps prediction and its deviation",
            "complete/pairs/subject.py",
            '"prediction": pair.value, "sd": pair.sd,',
            '"prediction": pair.sd, "sd": pair.value,',
        ),
        (
            "what hits were moved by is said of the fit of their scores",
            "complete/pairs/results.py",
            "number(made.moved)",
            "number(made.completed.moved)",
        ),
        (
            "a known pair moves the prediction of another",
            "complete/pairs/results.py",
            "pull = completed.pull(a, b)",
            "pull = completed.pull(b, a)",
        ),
        (
            "hidden hits are told from others by a plain way that is next to the truth",
            "complete/pairs/view.py",
            "best = max(made.scores[1:], key=lambda each: -1.0 if np.isnan(each.auc) else each.auc)",
            "best = nearest",
        ),
    ),
    Mutant(
        "the error on hidden pairs has the other sign",
        "kernex_core/studies/completion/pairs.py",
        "np.where(self.hidden, self.completed.model - self.target.values, np.nan)",
        "np.where(self.hidden, self.target.values - self.completed.model, np.nan)",
        f"{NAMES} -k single_pairs",
    ),
    Mutant(
        "files of the start are given to whoever comes from elsewhere",
        "pages/server/visitors/contents.py",
        "if not _given or not (limits.answers_alone() or FOR_ALL in _given):",
        "if not _given:",
        "tests/pages/server/visitors/test_start_files.py",
    ),
)
