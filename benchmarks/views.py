"""Digits in five views, 20 to 60 % of the items missing from each: error and processor seconds, all in one run.

python -m benchmarks.views

Beside the two joint completions stands mutual kernel matrix completion (Rivero, Lemence and Kato 2017), written here from
its two alternating formulas: M = mean of all kernels, then each kernel the conditional of M given what it has, from zeros.
It runs until it moves all entries by less than 1e-3, as our sweeps do, and until 1e-5, as its objective asks for. It is not
CVKT, whose code and digit views are not part of Kernex: no factor against CVKT is measured here. Its files (one similarity
table a view, absent rows left out) are read on the page Data like any others, and completed on Many kernels.
"""

import time

import numpy as np
import threadpoolctl

from kernex_core import complete_views, load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.joint.views.errors import drawn_views, view_errors
from kernex_core.kernels.vectors.distance import Gaussian

NUGGET = 0.02
"""Added to M as our sweeps have it: without it the first mean is singular."""
SHARES = (0.2, 0.4, 0.6)
MOST = 500


def mkmc(kernels, known, tolerance):
    """Kernels (V, n, n) completed by the alternation of the paper."""
    Q = np.where(known[:, :, None] & known[:, None, :], kernels, 0.0)
    for _ in range(MOST):
        before = Q.copy()
        M = Q.mean(axis=0) + NUGGET * np.eye(len(Q[0]))
        for v, has in enumerate(known):
            S, U = np.flatnonzero(has), np.flatnonzero(~has)
            W = np.linalg.inv(M[np.ix_(S, S)]) @ M[np.ix_(S, U)]
            own = Q[v][np.ix_(S, S)]
            Q[v][np.ix_(S, U)] = own @ W
            Q[v][np.ix_(U, S)] = (own @ W).T
            Q[v][np.ix_(U, U)] = M[np.ix_(U, U)] - M[np.ix_(U, S)] @ W + W.T @ own @ W
        if np.linalg.norm(Q - before) < tolerance * np.linalg.norm(Q):
            break
    return Q


def joint(mode):
    return lambda given, known: np.array(list(complete_views(given, mode=mode).kernels.values()))


def peer(tolerance):
    return lambda given, known: mkmc(np.array([K.values for K in given.values()]), known, tolerance)


WAYS = {
    "joint, fast": joint("fast"),
    "joint, tuned": joint("tuned"),
    "MKMC to 1e-3": peer(1e-3),
    "MKMC to 1e-5": peer(1e-5),
}


def main():
    data = load_dataset("digits_in_five_views")
    whole = {name: Gaussian().similarities(part, name=name) for name, part in data.samples.items()}
    truth = np.array([K.values for K in whole.values()])
    print(
        f"{len(whole)} kernels of {data.n} digits; error: mean over kernels of |row made - row|/|row| of missing items"
    )
    for share in SHARES:
        known = drawn_views(data.n, len(whole), share, 0)
        cut = np.where(known[:, :, None] & known[:, None, :], truth, np.nan)
        given = {name: GramMatrix(K, data.ids, name) for name, K in zip(whole, cut, strict=True)}
        print(f"{100 * share:.0f} % missing            CA error       ARE    seconds")
        spent = {}
        for name, work in WAYS.items():
            started = time.process_time()
            Q = work(given, known)
            spent[name] = time.process_time() - started
            errors = [view_errors(K, made, has) for K, made, has in zip(truth, Q, known, strict=True)]
            CA = np.mean([one.alignment_error for one in errors])
            ARE = np.mean([one.relative_error for one in errors])
            print(f"  {name:18s} {CA:12.5f} {ARE:9.4f} {spent[name]:10.2f}")
        print(
            f"  MKMC to 1e-5 takes {spent['MKMC to 1e-5'] / spent['joint, fast']:.1f} times as long as joint, fast"
        )


if __name__ == "__main__":
    with threadpoolctl.threadpool_limits(1):
        main()
