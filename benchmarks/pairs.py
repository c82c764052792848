"""Single unknown pairs: error and processor seconds of few factors beside a source, softImpute and scikit-learn's imputer.

python -m benchmarks.pairs [--hidden .1 .6]

All in one run on one thread, on the bundled digits: half of the pixels is the source, all of them are the target. The
imputer (IterativeImputer, Bayesian ridge regression, ten rounds) is made symmetric, which makes it better. Then the compiled
sweeps alone, and the first picture, at growing numbers of items.
"""

import argparse
import time
import warnings

import numpy as np
import threadpoolctl

from kernex_core import complete_pairs, hide_pairs, load_dataset
from kernex_core.base.frozen import FloatArray
from kernex_core.completion.scattered.factors import PairProblem, begin, source_penalty, swept
from kernex_core.completion.scattered.fills import filling
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.runtime.progress import finished

ITEMS = 200
SIZES = (200, 500, 1_000)
ROUNDS = 10
HIDDEN = (0.02, 0.1, 0.3, 0.6, 0.9)
SMALL = {"ITEMS": 30, "SIZES": (40,), "ROUNDS": 2}
SMALL_ARGUMENTS = ["--hidden", "0.4"]
"""What a test sets them to."""
GOAL = 1.0
"""Seconds that ten sweeps of 30 factors on 1,000 items may take."""


def ours(T, S):
    return complete_pairs(T, S, intervals=False).model


def first(T, S):
    return complete_pairs(T, S, rho=1.0, rank=min(30, T.n), intervals=False).model


def with_intervals(T, S):
    return complete_pairs(T, S).model


def without_source(T, S):
    return complete_pairs(T, intervals=False).model


def plain(T, S):
    """All plain ways at once: softImpute takes nearly all of the time."""
    known = ~np.isnan(T.values)
    np.fill_diagonal(known, False)
    problem = PairProblem(np.where(known, T.values, 0.0), known.astype(float), np.asarray(S.values))
    return finished(filling(problem, 0))


def imputer(T: GramMatrix, S: GramMatrix | None) -> FloatArray:
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # ten rounds are not enough for its own measure
        made = IterativeImputer(max_iter=ROUNDS, random_state=0).fit_transform(T.values)
    return np.asarray((made + made.T) / 2.0)


WAYS = {
    "factors, chosen": ours,
    "factors, with intervals": with_intervals,
    "factors, no source": without_source,
    "plain": plain,
    "IterativeImputer": imputer,
}


def timed(way, *given):
    started = time.process_time()
    made = way(*given)
    return made, time.process_time() - started


def errors(hidden):
    data = load_dataset("half_seen_digits")
    every = np.linspace(0, data.n - 1, ITEMS).astype(int)
    source, target = (
        data.kernels[name].take(every).then(CosineNormalize()) for name in (data.source, data.target)
    )
    target = GramMatrix(target.values, target.ids, "target")
    complete_pairs(hide_pairs(target, 0.5), source, strength=1.0, rank=5, rho=1.0)  # compiled
    for share in hidden:
        seen = hide_pairs(target, share)
        at = np.isnan(seen.values)
        print(f"{100 * share:.0f} % of the pairs of {ITEMS} digits hidden")
        for name, way in WAYS.items():
            made, seconds = timed(way, seen, source)
            for each, values in made.items() if isinstance(made, dict) else [(name, made)]:
                off = np.sqrt(np.mean((values - target.values)[at] ** 2))
                print(
                    f"  {each:26} error {off:.4f}  {seconds:7.2f} s{' all plain ways' if name == 'plain' else ''}"
                )


def sizes():
    for n in SIZES:
        rng = np.random.default_rng(0)
        Z = rng.standard_normal((n, 8))
        T, S = Z @ Z.T / 8.0, (Z + rng.standard_normal(Z.shape)) @ Z.T / 8.0
        S = (S + S.T) / 2.0
        gone = np.triu(rng.random((n, n)) < 0.5, 1)
        gone |= gone.T
        W = (~gone).astype(float)
        np.fill_diagonal(W, 0.0)
        problem = PairProblem(np.where(W > 0.0, T, 0.0), W, S)
        L = source_penalty(S, n, 1.0)
        model = begin(problem, min(30, n))
        _, seconds = timed(swept, problem, model, L, 0.1 * problem.scale, 10, 0.0)
        print(f"{n:5} items: ten sweeps {seconds:.2f} s{' (goal 1)' if n == 1_000 else ''}", end="")
        K, source = GramMatrix(np.where(gone, np.nan, T)), GramMatrix(S)
        _, seconds = timed(first, K, source)
        print(f", first picture {seconds:.1f} s", end="")
        _, seconds = timed(ours, K, source)
        print(f", all settings {seconds:.1f} s")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hidden", type=float, nargs="+", default=HIDDEN)
    chosen = parser.parse_args()
    with threadpoolctl.threadpool_limits(1):
        errors(chosen.hidden)
        sizes()


if __name__ == "__main__":
    main()
