"""Incomplete views: error and processor seconds of joint completion, MKMC and CVKT, all in one run on one thread.

python -m benchmarks.views [--shares .4] [--levels .5:.1 1:1] [--cvkt FOLDER] [--digits FOLDER]

Without arguments: digits in five views of ours, 20 to 60 % of the items missing from each; CVKT as `peers/cvkt.py` writes it
(the same descent as the authors' code, in small matrices). With --cvkt the authors' own code is timed as well: FOLDER holds
`cvkt.py` and `cvkt_helpers.py` of https://github.com/RiikkaHuu/CVKT (GPL-3, not part of Kernex), and Pymanopt has to be
installed in the version that these files ask for (0.2.5 for the first of them). With --digits the six kernels of that
repository take the place of ours (FOLDER holds `digits_K_n200.mat` and `digits_MID_missing*_n200.mat`), and the numbers that
are known of them are printed beside.
"""

import argparse
import contextlib
import importlib
import io
import sys
import time
from pathlib import Path

import numpy as np
import threadpoolctl

from benchmarks.peers.cvkt import cvkt
from benchmarks.peers.mkmc import mkmc
from kernex_core import complete_views, load_dataset
from kernex_core.completion.views.methods import REPORTED, drawn_views, view_errors
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Vectors
from kernex_core.kernels.vectors.distance import Gaussian

GOAL = 50
"""Times longer that CVKT has to take."""
LEVELS = tuple((share, rank) for share in (0.2, 0.5, 1.0) for rank in (0.1, 0.5, 1.0))
"""CVKT's share of items of the Nyström features, and of the rank of U."""
TOLERANCE = (2e-5, 5e-4)
EVERY = 1
"""Every how many-th of our digits is taken."""
SMALL = {"EVERY": 5, "LEVELS": ((1.0, 1.0),)}
SMALL_ARGUMENTS = ["--shares", "0.4"]
"""What a test sets them to."""


def joint(mode):
    def complete(cut, known):
        ids = tuple(map(str, range(known.shape[1])))
        given = {f"v{v}": GramMatrix(K, ids) for v, K in enumerate(cut)}
        return np.array(list(complete_views(given, mode=mode).kernels.values()))

    return complete


def authors_code(folder):
    """Their `cvkt_complete` on arrays of ours."""
    sys.path.insert(0, str(Path(folder).resolve()))
    complete = importlib.import_module("cvkt").cvkt_complete

    def run(cut, known, share, rank):
        np.random.seed(0)  # noqa: NPY002  (their code draws from there)
        with contextlib.redirect_stdout(io.StringIO()):
            made = complete(np.nan_to_num(cut).transpose(1, 2, 0), known.T.astype(int), share, rank)
        return made.transpose(2, 0, 1)

    return run


def own_code(cut, known, share, rank):
    return cvkt(cut, known, share, rank, np.random.default_rng(0))


def ways_of(levels, folder):
    """By name, what the rows are."""
    ways = {
        "joint, fast": joint("fast"),
        "joint, tuned": joint("tuned"),
        "MKMC to 1e-3": lambda cut, known: mkmc(cut, known, 1e-3),
        "MKMC to 1e-5": lambda cut, known: mkmc(cut, known, 1e-5),
    }
    codes = {"CVKT, own writing": own_code} | ({"CVKT, authors'": authors_code(folder)} if folder else {})
    for title, code in codes.items():
        for level in levels:
            ways[f"{title}, {level[0]:g}:{level[1]:g}"] = lambda cut, known, code=code, level=level: code(
                cut, known, *level
            )
    return ways


def our_digits(shares):
    """(title, truth (V, n, n), known (V, n), what is expected) of our digits in five views."""
    data = load_dataset("digits_in_five_views")
    parts = [part for part in data.samples.values() if isinstance(part, Vectors)]
    truth = np.array([Gaussian().similarities(part).values[::EVERY, ::EVERY] for part in parts])
    for share in shares:
        yield (
            f"our digits, {100 * share:.0f} % missing",
            truth,
            drawn_views(truth.shape[1], len(truth), share, 0),
            None,
        )


def their_digits(folder, shares):
    """The same of the digits of CVKT's repository."""
    from scipy.io import loadmat

    truth = loadmat(Path(folder) / "digits_K_n200.mat")["K"].transpose(2, 0, 1)
    for share in shares:
        percent = round(100 * share)
        known = loadmat(Path(folder) / f"digits_MID_missing{percent}_n200.mat")["MID"].T > 0.5
        yield f"CVKT's digits, {percent} % missing", truth, known, REPORTED.get(percent)


def report(title, truth, known, expected, ways):
    """Print a table, and return seconds by name."""
    print(f"{title:40s} CA error       ARE    seconds  times fast  times tuned", flush=True)
    cut = np.where(known[:, :, None] & known[:, None, :], truth, np.nan)
    spent = {}
    for name, work in ways.items():
        started = time.process_time()
        Q = work(cut, known)
        spent[name] = took = time.process_time() - started
        found = [view_errors(K, made, has) for K, made, has in zip(truth, Q, known, strict=True)]
        CA = np.mean([one.alignment_error for one in found])
        ARE = np.nanmean([one.relative_error for one in found])
        factors = f"{took / spent['joint, fast']:11.1f}" + (
            f"{took / spent['joint, tuned']:13.2f}" if "joint, tuned" in spent else ""
        )
        print(f"  {name:38s} {CA:8.5f} {ARE:9.4f} {took:10.2f} {factors}", flush=True)
        if expected and name.startswith("joint"):
            wanted = expected[name.removeprefix("joint, ")]
            apart = abs(CA - wanted.alignment_error), abs(ARE - wanted.relative_error)
            said = "inside" if apart[0] <= TOLERANCE[0] and apart[1] <= TOLERANCE[1] else "OFF"
            print(
                f"    {'expected':36s} {wanted.alignment_error:8.5f} {wanted.relative_error:9.4f} {said:>10s}"
            )
    for title in ("MKMC", "CVKT") if expected else ():
        known = expected[title]
        name = f"{title}, reported, best in hindsight"
        print(f"  {name:38s} {known.alignment_error:8.5f} {known.relative_error:9.4f}")
    return spent


def verdict(tables):
    """Times that CVKT takes of ours, beside the goal: level by level, and all levels, of which it needs the best."""
    for title in ("CVKT, own writing", "CVKT, authors'"):
        for mode in ("fast", "tuned"):
            single, whole = [], []
            for spent in tables:
                levels = [took for name, took in spent.items() if name.startswith(title)]
                single += [took / spent[f"joint, {mode}"] for took in levels]
                whole.append(sum(levels) / spent[f"joint, {mode}"])
            if single:
                reached = sum(one >= GOAL for one in single)
                print(
                    f"{title}: {min(single):.1f} to {max(single):.1f} times as long as joint, {mode} (goal {GOAL}: reached "
                    f"at {reached} of {len(single)} levels and shares); all levels of a share {min(whole):.0f} to "
                    f"{max(whole):.0f} times"
                )


def main():
    parser = argparse.ArgumentParser(prog="python -m benchmarks.views")
    parser.add_argument("--shares", type=float, nargs="+", default=[0.2, 0.4, 0.6])
    parser.add_argument("--levels", nargs="+", metavar="SHARE:RANK", help="of CVKT")
    parser.add_argument("--cvkt", metavar="FOLDER", help="the authors' code")
    parser.add_argument("--digits", metavar="FOLDER", help="the authors' digits")
    asked = parser.parse_args()
    levels = [tuple(map(float, pair.split(":"))) for pair in asked.levels] if asked.levels else LEVELS
    worlds = their_digits(asked.digits, asked.shares) if asked.digits else our_digits(asked.shares)
    ways = ways_of(levels, asked.cvkt)
    verdict([report(title, truth, known, expected, ways) for title, truth, known, expected in worlds])


if __name__ == "__main__":
    with threadpoolctl.threadpool_limits(1):
        main()
