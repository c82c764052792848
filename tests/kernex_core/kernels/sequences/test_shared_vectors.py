"""Local alignment and Smith-Waterman against the shared vectors of more.json."""

from __future__ import annotations

import numpy as np

from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from tests.oracles.vectors import load


def test_local_alignments_are_those_of_the_vectors() -> None:
    listed = load().values()
    chosen = [
        each for each in listed if isinstance(each.get("expected"), dict) and "log_K" in each["expected"]
    ]
    chosen = [each for each in chosen if isinstance(each["expected"]["log_K"], float)]
    assert len(chosen) >= 4
    for each in chosen:
        given, expected = each["inputs"], each["expected"]
        settings = {
            name: given[name] for name in ("beta", "gap_open", "gap_extend", "matrix") if name in given
        }
        x, y = [given["x"]], [given["y"]]
        logarithm = LocalAlignment(**settings, log=True).cross(x, y)[0, 0]
        if "log_K" in expected:
            np.testing.assert_allclose(logarithm * given["beta"], expected["log_K"], rtol=1e-10, atol=1e-10)
        if "K" in expected and expected.get("log_K", 0.0) < 700.0:
            np.testing.assert_allclose(
                LocalAlignment(**settings).cross(x, y)[0, 0],
                expected["K"],
                rtol=max(each["tolerance"], 1e-10),
            )


def test_long_alignments_fit_at_every_beta_and_bound_smith_waterman() -> None:
    case = load()["local alignment long, log K and SW"]
    given, expected = case["inputs"], case["expected"]
    x, y = [given["x"]], [given["y"]]
    best = SmithWaterman().cross(x, y)[0, 0]
    assert best == expected["smith_waterman"]
    for beta, log_K in zip(given["beta"], expected["log_K"], strict=True):
        found = LocalAlignment(beta, log=True).cross(x, y)[0, 0]
        np.testing.assert_allclose(found * beta, log_K, rtol=1e-10)
        assert -1e-9 <= found - best <= expected["log_binomial"] / beta


def test_letters_that_make_no_kernel_are_found() -> None:
    case = load()["local alignment kernel is not PSD with B, Z, X at small beta"]
    kernel, strings = LocalAlignment(case["inputs"]["beta"]), case["inputs"]["strings"]
    smallest = np.linalg.eigvalsh(kernel.gram(strings))[0]
    np.testing.assert_allclose(smallest, case["expected"]["min_eigenvalue"], rtol=1e-6)
    assert not kernel.is_kernel(strings).positive_semidefinite
