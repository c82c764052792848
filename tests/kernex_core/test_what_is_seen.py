"""What is declared of kernels, steps, weights and demos is true: an item is taken away, or labels are shuffled.

The states that pages show follow from these declarations (`kernex_core.gram.seen`), so a false one is a false claim.
"""

import dataclasses
import itertools

import numpy as np
import pytest

from kernex_core import (
    DATASETS,
    KERNELS,
    REPAIRS,
    SCHEMES,
    WEIGHTINGS,
    GramMatrix,
    Labels,
    Seen,
    SignedPower,
    Vectors,
    complete_views,
    cosine_normalize,
    extrapolate,
    joint_kernel,
    joint_regularize,
    load_dataset,
    mkl,
    pointwise_product,
    weighted_sum,
)
from kernex_core.completion.complete import Complete
from kernex_core.completion.hide import Hide
from kernex_core.completion.joint import joint_kernel as joint_of
from kernex_core.conditioning.columns_by_labels import ColumnsByLabels
from kernex_core.conditioning.impute import ImputedKernel
from kernex_core.conditioning.network_features import FeaturesOnNetwork
from kernex_core.conditioning.power import Log1p
from kernex_core.gram.combine import BroughtSum, LearnedSum, Product, WeightedSum
from kernex_core.gram.seen import ITEMS, PAIR, SeenArray, seen_of
from kernex_core.inputs.similarities.distance import (
    CentredSquares,
    GaussianOfDistance,
    InverseDistance,
    ReversedDistance,
)
from kernex_core.kernels.base import AbstractKernel
from kernex_core.kernels.graphs.all_walks import GeometricWalk
from kernex_core.kernels.sequences.markov_fisher import MarkovFisher
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.learning.learners.contract import Targets
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.studies.map.study import map_kernel
from kernex_core.workspace.catalogue import STEPS
from tests.kernex_core.kernels.test_catalogue import samples_for
from tests.kernex_core.workspace.examples import samples as workspace_samples

TOLERANCE = 1e-7
"""Relative to the largest entry: far above rounding, far below what an item changes that has a part in it."""


def changes(whole, part):
    """Whether a kernel of part of the items is another one than that part of the kernel of all."""
    size = np.nanmax(np.abs(whole)) or 1.0
    return bool(np.nanmax(np.abs(np.nan_to_num(whole - part)), initial=0.0) > TOLERANCE * size)


def without_each(n):
    return [np.delete(np.arange(n), k) for k in range(n)]


def seen_by_removal(made, n):
    """Whether taking away some item changes what `made(items)` is between others."""
    whole = made(np.arange(n))
    return any(changes(whole[np.ix_(rest, rest)], made(rest)) for rest in without_each(n))


def kernels():
    """Every kernel as it is offered, and with each parameter given that items would set."""
    for kind in KERNELS:
        yield kind()
        if kind.set_by_items and kind is not MarkovFisher:
            yield dataclasses.replace(kind(), **{kind.set_by_items[0]: 0.0123})


@pytest.mark.parametrize("kernel", list(kernels()), ids=repr)
def test_a_kernel_depends_on_what_it_says(kernel, rng):
    data = samples_for(kernel, rng)
    made = kernel.similarities(data)
    found = seen_by_removal(lambda at: kernel.similarities(data.take(at)).values, made.n)
    assert made.has_seen() == Seen(items=found), kernel


def test_every_kernel_on_nodes_is_one_of_a_whole_network():
    assert {kind.depends for kind in KERNELS if kind.data_kind == "network"} == {"network"}
    assert {kind.depends for kind in KERNELS if kind.data_kind != "network"} == {"pair"}


@pytest.mark.parametrize(
    "kernel", [Gaussian(), GeometricWalk(), GeometricWalk(share=0.8), MarkovFisher()], ids=repr
)
def test_a_value_that_items_have_set_is_theirs_however_it_is_written(kernel, rng):
    data = samples_for(kernel, rng)
    spelt = kernel.of(data)
    assert all(getattr(spelt, field) is not None for field in kernel.set_by_items)
    assert spelt.similarities(data).has_seen() == ITEMS


def base(rng, n=9):
    """A kernel that no step finds special: positive, well-conditioned, of uneven diagonal."""
    X = rng.gamma(2.0, size=(n, 4))
    return GramMatrix((X @ X.T) ** 2 + np.diag(rng.gamma(2.0, size=n)), seen=Seen())


def indefinite(rng, n=9):
    K = np.array(base(rng, n).values)
    K[0, 1] = K[1, 0] = 3.0 * np.sqrt(K[0, 0] * K[1, 1])
    return GramMatrix(K, seen=Seen())


def distances(rng, n=9):
    X = rng.normal(size=(n, 3))
    return GramMatrix(np.sqrt(((X[:, None] - X) ** 2).sum(axis=2)), seen=Seen())


def with_unknown(rng, n=9):
    K = np.array(base(rng, n).values)
    K[2, 5] = K[5, 2] = K[4, 4] = np.nan
    return GramMatrix(K, seen=Seen())


def half_known(rng, n=9):
    return base(rng, n).then(Hide((7, 8)))


OF_ITSELF = (ImputedKernel, FeaturesOnNetwork, ColumnsByLabels)
WITH_OPERAND = (WeightedSum, LearnedSum, BroughtSum, Product, Complete)
START = {
    **dict.fromkeys((GaussianOfDistance, ReversedDistance, InverseDistance, CentredSquares), distances),
    **dict.fromkeys(("Clip", "Flip", "Shift", "Square", "EmpiricalMap", "StandardisedMap"), indefinite),
    "FillUnknown": with_unknown, "CompletePairs": with_unknown, "Complete": half_known,
}  # fmt: skip


def steps():
    """(kind of start, step) of every step that a file may hold; those with a choice both ways."""
    for kind in STEPS:
        if kind in OF_ITSELF:
            continue
        start = START.get(kind, START.get(kind.__name__, base))
        if kind in WITH_OPERAND:
            yield start, lambda rng, kind=kind: kind(base(np.random.default_rng(7)))
        else:
            yield start, lambda rng, kind=kind: kind()
    yield distances, lambda rng: GaussianOfDistance(gamma=0.3)
    yield distances, lambda rng: ReversedDistance(top=4.0)
    for repair in REPAIRS:
        yield indefinite, lambda rng, repair=repair: repair
    for scheme in SCHEMES:
        for step in scheme.steps(SignedPower(0.5)):
            yield START.get(type(step).__name__, base), lambda rng, step=step: step


@pytest.mark.parametrize(("start", "step"), list(steps()))
def test_a_step_sees_what_it_says(start, step, rng):
    K, made = start(rng), step(rng)
    found = seen_by_removal(lambda at: K.take(at).then(made.take(at)).values, K.n)
    assert (made.sees.rows == "fitted") == found, made
    assert K.then(made).has_seen().items == found


@pytest.mark.parametrize("name", ["imputed", "on network", "chosen"])
def test_a_step_with_its_own_data_sees_what_it_says(name):
    """These stand first, on a matrix of which nothing is known."""
    K = workspace_samples().kernels[name]
    assert K.has_seen().items
    # the middle of the few rows, so that what is filled and scaled has something to change by
    found = seen_by_removal(lambda at: K.take(at).values, K.n) if name != "chosen" else True
    assert found


def test_columns_are_chosen_by_labels_and_say_so(rng):
    ids = tuple(map(str, range(12)))
    X = rng.normal(size=(12, 8))
    y = np.array(["a", "b"] * 6)
    made = {
        order: ColumnsByLabels(Vectors(ids, X), Labels(ids, labels), 2)(np.full((12, 12), np.nan))
        for order, labels in (("as they are", y), ("shuffled", rng.permutation(y)))
    }
    assert changes(made["as they are"], made["shuffled"])
    assert ColumnsByLabels.sees.labels
    assert [
        kind.__name__ for kind in STEPS if kind not in WITH_OPERAND and getattr(kind.sees, "labels", False)
    ] == ["ColumnsByLabels"]


@pytest.mark.parametrize("way", WEIGHTINGS, ids=lambda way: way.__name__)
def test_weights_come_from_labels_where_they_say_so(way, rng):
    x = rng.normal(size=(30, 3))
    stack = KernelStack(np.array([np.outer(c, c) for c in x.T]))
    codes = (x[:, 0] > 0).astype(np.int64)
    weighting = way((0.2, 0.3, 0.5)) if way.__name__ == "GivenWeights" else way()
    one, two = (
        weighting.weigh(stack, Targets(given, 2)).weights for given in (codes, rng.permutation(codes))
    )
    found = not np.allclose(one, two, atol=1e-3)
    assert found == weighting.sees_labels == isinstance(one, SeenArray)
    if found:
        assert seen_of(one).labels


def test_what_is_made_of_several_has_seen_what_they_have_and_more(rng):
    a, b = base(rng), base(rng)
    n = a.n

    def parts(at):
        return a.take(at), b.take(at)

    made = {
        "sum": lambda at: weighted_sum(parts(at)),
        "product": lambda at: pointwise_product(parts(at)),
        "joint": lambda at: joint_of(parts(at), (0.5, 0.5)),
        "joint array": lambda at: joint_regularize(parts(at), (0.5, 0.5)),
    }
    for name, make in made.items():
        found = seen_by_removal(lambda at, make=make: np.asarray(make(at)), n)
        assert seen_of(make(np.arange(n))).items == found == ("joint" in name), name


def test_completions_have_seen_all_items(rng):
    a, lacking = base(rng), np.array(base(rng).values)
    lacking[0], lacking[:, 0] = np.nan, np.nan
    both = {"a": a, "b": GramMatrix(lacking, seen=Seen())}
    found = complete_views(both).kernels
    assert seen_of(found["a"]) == PAIR
    assert seen_of(found["b"]) == ITEMS
    known = np.arange(9) > 2
    T = base(rng).take(known)
    assert seen_of(joint_kernel(a, T, known, 0.5)) == seen_of(extrapolate(a, T, known).T_hat) == ITEMS
    assert map_kernel(Vectors(a.ids, rng.normal(size=(9, 3))), 3).has_seen() == ITEMS


def test_a_matrix_that_nobody_recorded_is_as_brought_whatever_is_made_of_it(rng):
    bare, known = GramMatrix(base(rng).values), base(rng)
    assert bare.has_seen() == Seen(brought=True)
    assert bare.take([1, 2, 3]).renamed("part").has_seen() == Seen(brought=True)
    for both in ((bare, known), (known, bare)):
        assert pointwise_product(both).has_seen() == Seen(brought=True)
        assert joint_of(both, (0.5, 0.5)).has_seen() == Seen(items=True, brought=True)


def same_where_known(values, part):
    """Whether a matrix has these values wherever it is known."""
    known = ~np.isnan(part)
    return np.allclose(values[known], part[known], rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("demo", DATASETS, ids=lambda demo: demo.name)
def test_the_kernels_of_a_demo_say_what_their_makers_say(demo, monkeypatch):
    """Each is what a kernel class computed, with its record, or says that items were seen, or that it was brought."""
    computed = []
    similarities = AbstractKernel.similarities

    def remembered(self, data, **keywords):
        made = similarities(self, data, **keywords)
        computed.append(made)
        return made

    monkeypatch.setattr(AbstractKernel, "similarities", remembered)
    for name, K in demo.load(0).kernels.items():
        maker = next(
            (made for made in computed for values in (made.values, Log1p()(made.values), cosine_normalize(made.values))
             if values.shape == K.values.shape and same_where_known(values, K.values)), None,
        )  # fmt: skip
        if maker is None:
            assert K.has_seen().items or K.has_seen().brought, name
        else:
            assert K.has_seen() == maker.has_seen(), name


def test_the_kernel_of_blocks_is_transductive_and_that_of_clear_is():
    assert load_dataset("blocks").kernels["diffusion"].has_seen() == ITEMS
    assert (
        load_dataset("three_sources").kernels["clear"].has_seen() == ITEMS
    )  # its width is the median distance


def test_learned_numbers_stay_learned_through_what_is_computed_from_them(rng):
    x = rng.normal(size=(20, 2))
    kernels = [np.outer(c, c) for c in x.T]
    made = mkl(kernels, np.where(x[:, 0] > 0, "a", "b"))
    for array in (
        made.weights,
        made.weights[::-1],
        made.weights * 0.5 + 0.1,
        made.weights / made.weights.sum(),
        made.course[-1],
    ):
        assert seen_of(array).labels
    stack = np.array(kernels)
    for K in (
        made.kernel, made.kernel.T, made.kernel * 2.0, made.kernel + kernels[0], made.kernel @ np.eye(20),
        np.tensordot(made.weights, stack, axes=1), np.einsum("m,mij->ij", made.weights, stack),
        np.where(made.kernel > 0, made.kernel, 0.0), np.stack([made.kernel, kernels[0]])[0],
    ):  # fmt: skip
        assert seen_of(K).labels
        assert GramMatrix((K + K.T) / 2.0).has_seen().labels
    plain = [np.asarray(made.weights), made.weights.tolist(), [float(w) for w in made.weights]]
    assert [seen_of(weights) for weights in plain] == [Seen(brought=True)] * 3


def test_an_array_that_says_nothing_counts_as_brought_beside_one_that_does(rng):
    K = base(rng).values
    views = complete_views({"a": base(rng), "b": half_known(rng)}).kernels["b"]
    assert seen_of(views * 2.0) == ITEMS
    assert seen_of(views * K) == Seen(items=True, brought=True)


def test_combinations_of_seen_are_the_union():
    for one, two in itertools.product(itertools.product((False, True), repeat=3), repeat=2):
        assert Seen(*one) | Seen(*two) == Seen(*np.logical_or(one, two).tolist())
