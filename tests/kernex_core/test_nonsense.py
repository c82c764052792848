"""Nonsense in, a sentence out: every public function refuses with a KernexError, or gives a finite result."""

import dataclasses
import inspect
import math
import warnings

import numpy as np
import pytest

import kernex_core as kx
from kernex_core.base.errors import KernexError
from kernex_core.gram.step import Step

K = np.array([[2.0, 1.0, 0.5], [1.0, 2.0, 0.3], [0.5, 0.3, 2.0]])
T = np.array([[2.0, 0.4], [0.4, 2.0]])
KNOWN = np.array([True, True, False])
Y = np.array(["a", "b", "a", "b"])
GRAM4 = np.eye(4) + 0.1
RNG = np.random.default_rng(0)

CALLS = {
    "GramMatrix": (kx.GramMatrix, {"values": K}),
    "cosine_normalize": (kx.cosine_normalize, {"K": K}),
    "center": (kx.center, {"K": K}),
    "diagnose": (kx.diagnose, {"K": K, "y": ["a", "b", "a"]}),
    "repair_psd": (kx.repair_psd, {"K": K, "method": "clip"}),
    "repair_psd square": (kx.repair_psd, {"K": K, "method": "square"}),
    "signed_power": (kx.signed_power, {"K": K, "p": 0.5}),
    "signed_log": (kx.signed_log, {"K": K, "scale": 10.0}),
    "empirical_map": (kx.empirical_map, {"K": K, "p": 0.5, "basis": [0, 1]}),
    "square_root_map": (kx.square_root_map, {"K": K, "p": 0.5}),
    "approximate": (kx.approximate, {"K": K, "Phi": K[:2], "constraint": "shear"}),
    "extend_kernel": (kx.extend_kernel, {"K": K, "Phi": K[:2], "Phi_new": K[:2], "constraint": "free"}),
    "reduced_set": (kx.reduced_set, {"K": K, "landmarks": [0, 1], "constraint": "shear"}),
    "landmark_errors": (kx.landmark_errors, {"K": K, "counts": [1, 2], "repeats": 2, "seed": 0}),
    "extrapolate": (kx.extrapolate, {"K_source": K, "T_known": T, "known": KNOWN, "nugget": 0.1}),
    "joint_path": (kx.joint_path, {"A": K, "T": K + 1.0, "nugget": 0.1}),
    "joint_kernel": (kx.joint_kernel, {"K_source": K, "T_known": T, "known": KNOWN, "lam": 0.5, "nugget": 0.1}),
    "joint_regularize": (kx.joint_regularize, {"kernels": [K, K + 1.0], "weights": [0.5, 0.5], "nugget": 0.1}),
    "balanced_loss": (kx.balanced_loss, {"y_true": [1, -1, 1], "y_pred": [1, 1, -1]}),
    "roc_score": (kx.roc_score, {"y_true": [1, -1, 1], "scores": [0.1, 0.2, 0.3]}),
    "median_rfp": (kx.median_rfp, {"y_true": [1, -1, 1], "scores": [0.1, 0.2, 0.3]}),
    "one_vs_rest_accuracy": (kx.one_vs_rest_accuracy, {"K": GRAM4, "y": Y, "C": 1.0, "folds": 2, "rng": RNG}),
    "yates_p": (kx.yates_p, {"correct_a": 50.0, "correct_b": 40.0, "n": 100.0}),
    "judge": (kx.judge, {"K": GRAM4, "y": Y, "config": kx.CrossValidation()}),
    "judge_numbers": (kx.judge_numbers, {"K": GRAM4, "y": RNG.normal(size=4), "config": kx.CrossValidation()}),
    "kernel_ridge": (kx.kernel_ridge, {"K": K, "y": [1.0, 2.0, 4.0], "lam": 0.1}),
    "kernel_logistic": (kx.kernel_logistic, {"K": K, "y": ["a", "b", "a"], "lam": 0.1}),
    "mkl": (kx.mkl, {"kernels": [K, K + 1.0], "y": ["a", "b", "a"], "C": 1.0, "tolerance": 1e-3, "loss": "square"}),
    "alignment_weights": (kx.alignment_weights, {"kernels": [K, K + 1.0], "y": ["a", "b", "a"], "way": "each"}),
    "lam_of": (kx.lam_of, {"C": 1.0, "n": 10}),
    "cost_of": (kx.cost_of, {"lam": 1.0, "n": 10}),
    "reliability": (kx.reliability, {"probabilities": [0.1, 0.9], "y": [False, True], "bins": 2}),
    "kernel_pca": (kx.kernel_pca, {"K": K}),
    "fill_unknown": (kx.fill_unknown, {"K": K}),
    "spectral_map": (kx.spectral_map, {"K": K, "p": 0.5}),
    "read_samples": (kx.read_samples, {"data": b",a,b\na,1,2\nb,2,3\n", "filename": "m.csv", "kind": "similarity"}),
    "without_columns": (kx.without_columns, {"vectors": kx.Vectors(("a", "b"), T), "columns": [1]}),
    "read_labels": (kx.read_labels, {"data": b"id,label\na,x\nb,y\n", "filename": "l.csv"}),
    "read_substitution_matrix": (kx.read_substitution_matrix, {"data": b"  A C\nA 1 0\nC 0 1\n", "filename": "m.mat"}),
    "Spectrum": (kx.Spectrum, {"k": 3}),
    "Mismatch": (kx.Mismatch, {"k": 3, "m": 1, "alphabet": "protein"}),
    "Subsequence": (kx.Subsequence, {"length": 3, "decay": 0.25}),
    "LocalAlignment": (kx.LocalAlignment, {"beta": 0.5, "gap_open": 11, "gap_extend": 1, "matrix": "BLOSUM62"}),
    "SmithWaterman": (kx.SmithWaterman, {"gap_open": 11, "gap_extend": 1, "matrix": "BLOSUM62"}),
    "Polynomial": (kx.Polynomial, {"degree": 3, "constant": 1.0}),
    "Gaussian": (kx.Gaussian, {"sigma": 1.0}),
    "CrossValidation": (kx.CrossValidation, {"folds": 2, "repeats": 2, "C": 1.0, "seed": 0}),
    "Spectrum.gram": (kx.Spectrum().gram, {"samples": ["ACDE", "ACDD"]}),
    "Mismatch.gram": (kx.Mismatch().gram, {"samples": ["ACDE", "ACDD"]}),
    "Subsequence.gram": (kx.Subsequence().gram, {"samples": ["ACDE", "ACDD"]}),
    "LocalAlignment.gram": (kx.LocalAlignment().gram, {"samples": ["ACDE", "ACDD"]}),
    "SmithWaterman.gram": (kx.SmithWaterman().gram, {"samples": ["ACDE", "ACDD"]}),
    "Spectrum.cross": (kx.Spectrum().cross, {"samples": ["ACDE"], "others": ["ACDD"]}),
    "Linear.gram": (kx.Linear().gram, {"samples": K}),
    "Gaussian.gram": (kx.Gaussian().gram, {"samples": K}),
    "decompose_network": (kx.decompose_network, {"adjacency": K, "operator": "adjacency"}),
    "chosen_columns": (kx.chosen_columns, {"kernel": kx.Diffusion(), "adjacency": K, "nodes": [0], "tolerance": 1e-9}),
    "Diffusion": (kx.Diffusion, {"tau": 1.0, "laplacian": "normalized"}),
    "VonNeumann": (kx.VonNeumann, {"lam": 0.1}),
    "RegularizedLaplacian": (kx.RegularizedLaplacian, {"c": 1.0}),
    "Diffusion.gram": (kx.Diffusion().gram, {"samples": K}),
    "Exponential.gram": (kx.Exponential().gram, {"samples": K}),
    "LaplacianPseudoinverse.gram": (kx.LaplacianPseudoinverse().gram, {"samples": K}),
    "Polynomial.gram": (kx.Polynomial().gram, {"samples": K}),
}  # fmt: skip

NONSENSE = {
    "None": None,
    "text": "many",
    "bytes": b"\x00\xff",
    "NaN": math.nan,
    "inf": math.inf,
    "huge": 1e308,
    "tiny": 5e-324,
    "negative": -3,
    "huge int": 10**400,
    "True": True,
    "complex": 1j,
    "empty list": [],
    "list of text": ["a", None],
    "ragged": [[1.0, 2.0], [1.0]],
    "objects": np.array([object(), object(), object()]),
    "complex matrix": K + 1j * np.eye(3),
    "huge matrix": 1e300 * K,
    "NaN matrix": np.full((3, 3), np.nan),
    "masked matrix": np.ma.masked_array(K, mask=np.eye(3, dtype=bool)),
    "masked list": np.ma.masked_array([0.1, 0.2, 0.3], mask=[False, True, False]),
    "wide matrix": np.ones((2, 3)),
    "zero by zero": np.zeros((0, 0)),
    "cube": np.ones((2, 2, 2)),
    "dates": np.array(["2026-01-01"] * 3, dtype="datetime64[D]"),
    "dictionary": {"a": 1},
    "a class": int,
}  # fmt: skip

ARGUMENTS = [(title, name) for title, (_, arguments) in CALLS.items() for name in arguments]


@pytest.mark.parametrize(("title", "name"), ARGUMENTS)
@pytest.mark.no_cover
def test_nonsense_is_refused_with_a_sentence_or_gives_a_finite_result(title, name):
    function, arguments = CALLS[title]
    for kind, value in NONSENSE.items():  # one test each would take longer than all of them together
        try:
            ask(function, arguments, name, value)
        except BaseException as error:
            error.add_note(f"{title}({name}={kind})")
            raise


def ask(function, arguments, name, value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            made = function(**arguments | {name: value})
        except KernexError as error:
            made, sentence = None, str(error)
        else:
            sentence = "no error, but a result that is sound"
    assert len(sentence) > 20
    assert_finite(made, name, value)


def assert_finite(made, name, value):
    """Infinite values nowhere; NaN only where the result says "unknown" or the score is undefined."""
    for array in numbers_in(made):
        assert array.dtype.kind != "c"
        assert not np.isinf(array).any(), f"infinite result from {name}={value!r}"


def numbers_in(made):
    if isinstance(made, np.ndarray):
        yield made
    elif isinstance(made, float | int) and not isinstance(made, bool):
        yield np.array(float(made))
    elif dataclasses.is_dataclass(made) and not isinstance(made, type):
        for field in dataclasses.fields(made):
            held = getattr(made, field.name)
            if isinstance(held, np.ndarray) and held.dtype.kind in "fc":
                yield held


@pytest.mark.parametrize("title", CALLS)
def test_the_sound_call_works(title):
    function, arguments = CALLS[title]
    function(**arguments)


def test_what_a_mask_hides_is_unknown():
    held = kx.GramMatrix(np.ma.masked_array(K, mask=[[0, 0, 1], [0, 0, 0], [1, 0, 0]]))
    assert held.unknown.unknown_pairs == 1
    with pytest.raises(KernexError, match="finite"):
        kx.roc_score([1, -1, 1], np.ma.masked_array([0.1, 0.2, 0.3], mask=[False, True, False]))


def is_kernel(value):
    return (
        isinstance(value, np.ndarray)
        and value.ndim == 2
        and np.array_equal(value, value.T)
        and value.size > 1
    )


def asymmetric(value):
    """The same matrix with one entry that differs from its mirror image."""
    other = value.copy()
    other[0, 1] += 0.3
    return other


KERNELS = [
    pytest.param(function, arguments | {name: asymmetric(value)}, id=f"{title}({name})")
    for title, (function, arguments) in CALLS.items()
    if not title.endswith(".gram")
    for name, value in arguments.items()
    if is_kernel(value)
]


def made_without_arguments(kind):
    """Every step that needs nothing to be made, and those below it."""
    for step in kind.__subclasses__():
        if not inspect.isabstract(step) and all(
            field.default is not dataclasses.MISSING for field in dataclasses.fields(step)
        ):
            yield step()
        yield from made_without_arguments(step)


KERNELS += [
    pytest.param(step, {"K": asymmetric(K)}, id=type(step).__name__)
    for step in made_without_arguments(Step)
    if type(step).__module__.startswith("kernex_core")
]


@pytest.mark.parametrize(("function", "arguments"), KERNELS)
def test_what_is_no_kernel_because_it_is_not_symmetric_is_refused(function, arguments):
    with pytest.raises(KernexError, match="symmetric"):
        function(**arguments)


def test_every_public_function_of_a_kernel_is_asked():
    """A function that joins the public names with a K joins the calls above."""
    names = {"K", "A", "K_source"}
    taking = {
        name
        for name in kx.__all__
        if inspect.isfunction(found := getattr(kx, name)) and names & set(inspect.signature(found).parameters)
    }
    asked = {function.__name__ for function, _ in CALLS.values()}
    # studies, and these, take a GramMatrix alone, which is symmetric
    taking -= {
        name for name in taking - asked if getattr(kx, name).__module__.startswith("kernex_core.studies")
    }
    assert taking - asked | {"place_nodes"} == {
        "classes_differ",
        "expand",
        "pairs_differ",
        "place_nodes",
        "predict_numbers",
        "predict_unlabelled",
    }


def test_examples_that_were_let_through():
    for function in (kx.cosine_normalize, kx.center, kx.fill_unknown):
        with pytest.raises(KernexError, match="symmetric"):
            function([[1, 0.5], [0.2, 1]])
