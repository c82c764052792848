"""Every state through every way in that scripts have: judged, combined, completed, saved and opened, run anew."""

import contextlib
import io
import itertools

import numpy as np
import pytest

from kernex_core import (
    KERNELS,
    CrossValidation,
    Diffusion,
    EqualWeights,
    Gaussian,
    GramMatrix,
    InvalidInputError,
    Labels,
    LearnedWeights,
    Linear,
    OpenData,
    Seen,
    Together,
    Workspace,
    alignment_weights,
    expand,
    from_labels,
    judge,
    judge_many,
    judge_numbers,
    load_dataset,
    mkl,
    mkl_path,
    pointwise_product,
    read_samples,
    read_workspace,
    square_loss_mkl,
    weighted_sum,
    write_workspace,
)
from kernex_core.completion.joint import joint_kernel
from kernex_core.completion.views.methods import completed_kernel
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.gram.provenance import write_script
from kernex_core.learning.leakage import EXPLANATIONS, State, evaluation_state, state_of
from kernex_core.learning.mkl.base_kernels import KernelStack
from kernex_core.studies.combination import KINDS, CombinationConfig, prepare_combination
from kernex_core.studies.evaluation import EvaluationConfig, evaluating
from kernex_core.workspace.file import later, with_seen
from tests.kernex_core.states import BOTH, BROUGHT, INDUCTIVE, LEAK, STATES, TRANSDUCTIVE, planted, worst

CONFIG = CrossValidation(folds=2, repeats=1)
every_state = pytest.mark.parametrize("state", STATES)
pairs = list(itertools.product(STATES, repeat=2))


@pytest.fixture(scope="module")
def data():
    return planted()


def said(K, data, config=CONFIG):
    return judge(K, data.labels, config).state.words


@every_state
def test_it_is_judged_as_what_it_is(data, state):
    K = data.kernels[state]
    assert said(K, data) == state
    assert judge(K, data.labels, CONFIG).mode == state.split(",")[0]
    numbers = judge_numbers(K, np.arange(24.0), CONFIG)
    assert (numbers.mode, numbers.state.words) == (state.split(",")[0], state)


@every_state
def test_fitted_inside_the_folds_only_the_steps_are_forgiven(data, state):
    """A centring is fitted anew; a network, learned weights and a matrix from outside stay what they are."""
    assert said(data.kernels[state], data, CrossValidation(folds=2, repeats=1, inductive=True)) == (
        BROUGHT if state == BOTH else state
    )


@every_state
def test_parts_names_and_pair_steps_change_nothing(data, state):
    K = data.kernels[state]
    at = np.arange(0, 24, 2)
    for made in (K.take(at), K.renamed("other"), K.then(CosineNormalize()), expand(K, K.ids)):
        assert state_of(made.has_seen()).words == state


@every_state
def test_a_workspace_file_keeps_it(data, state):
    opened = read_workspace(
        write_workspace(Workspace((OpenData(data, {"kept": data.kernels[state]}),)))
    ).data[0]
    assert said(opened.kernels["kept"], data) == said(opened.dataset.kernels[state], data) == state


@every_state
def test_a_script_that_is_run_anew_says_the_same(data, state):
    printed = io.StringIO()
    made = judge(data.kernels[state], data.labels, CONFIG)
    with contextlib.redirect_stdout(printed):
        exec(write_script([made.recipe], heading="states", prints=["$0.state.words"]), {})
    assert printed.getvalue().strip() == state


@pytest.mark.parametrize(("one", "two"), pairs)
def test_what_is_made_of_two_has_the_worse_state(data, one, two):
    both = [data.kernels[one], data.kernels[two]]
    wanted = worst(one, two)
    assert state_of(pointwise_product(both).has_seen()).words == wanted
    assert state_of(weighted_sum(both).has_seen()).words == wanted
    assert state_of(joint_kernel(both, (0.5, 0.5)).has_seen()).words == worst(one, two, TRANSDUCTIVE)
    assert evaluation_state(*both, inductive=False).words == wanted
    together = judge_many(both, data.labels, CONFIG, Together(EqualWeights())).judgement
    assert together.state.words == wanted
    combination = prepare_combination(CombinationConfig(), *both)
    for kind in KINDS:
        assert combination.state(kind) == evaluation_state(combination.kernel(kind, 0.4), inductive=False)


@every_state
def test_a_completion_from_it_is_transductive_and_what_it_was(data, state):
    lacking = np.array(data.kernels[INDUCTIVE].values)
    lacking[0], lacking[:, 0] = np.nan, np.nan
    kernels = [data.kernels[state], GramMatrix(lacking, data.ids, seen=Seen())]
    assert said(completed_kernel(kernels, 1), data) == worst(state, TRANSDUCTIVE)
    assert said(completed_kernel(kernels, 0), data) == state


@every_state
def test_evaluate_finds_it(data, state):
    found = list(evaluating(EvaluationConfig(), {state: data.kernels[state]}, data.labels, CONFIG))[-1]
    assert found.judgements[state].state.words == state


def learned(data):
    """Weights that labels made, by every way there is."""
    kernels, y = [data.kernels[INDUCTIVE], data.kernels[TRANSDUCTIVE]], data.labels.y
    stack = KernelStack(np.array([K.values for K in kernels]))
    yield mkl(kernels, y).weights
    yield mkl(kernels, y, loss="square").weights
    yield list(mkl_path(kernels, y, [0.1, 1.0]))[-1].weights
    yield square_loss_mkl(stack, np.where(y == "a", 1.0, -1.0), 0.1).weights
    yield alignment_weights(kernels, y).weights
    yield judge_many(kernels, y, CONFIG, Together(LearnedWeights())).weights.mean
    yield from_labels([0.3, 0.7])


def test_learned_weights_are_a_leak_without_an_argument_to_remember(data):
    kernels = [data.kernels[INDUCTIVE], data.kernels[BROUGHT]]
    for weights in learned(data):
        made = weighted_sum(kernels, weights)
        product = pointwise_product([data.kernels[INDUCTIVE], made])
        for K in (
            made,
            product,
            joint_kernel(kernels, weights),
            made.take(np.arange(24)),
            made.then(CosineNormalize()),
        ):
            assert said(K, data) == LEAK
            assert said(K, data, CrossValidation(folds=2, repeats=1, inductive=True)) == LEAK
        # that it is said to be none helps nothing
        assert said(weighted_sum(kernels, weights, from_labels=False), data) == LEAK


def test_the_kernel_of_learned_weights_is_a_leak_too(data):
    kernels = [data.kernels[INDUCTIVE], data.kernels[TRANSDUCTIVE]]
    K = mkl(kernels, data.labels.y).kernel
    for each in (
        K,
        GramMatrix(K, data.ids),
        GramMatrix(K, data.ids).then(CosineNormalize()),
        K * kernels[0].values,
    ):
        assert judge(each, data.labels.y, CONFIG).mode == LEAK
    assert judge_numbers(K, np.arange(24.0), CONFIG).mode == LEAK
    assert said(pointwise_product([GramMatrix(K, data.ids), kernels[0]]), data) == LEAK
    kept = Workspace((OpenData(data, {"kept": GramMatrix(K, data.ids)}),))
    assert said(read_workspace(write_workspace(kept)).data[0].kernels["kept"], data) == LEAK


def test_one_kernel_that_labels_chose_is_a_leak_and_a_weight_of_0_adds_nothing(data):
    kernels = [data.kernels[INDUCTIVE], data.kernels[TRANSDUCTIVE]]
    made = weighted_sum(kernels, from_labels([1.0, 0.0]))
    assert said(made, data) == LEAK
    np.testing.assert_array_equal(made.values, kernels[0].values)


def test_of_other_weights_nobody_knows_unless_it_is_said(data):
    kernels = [data.kernels[INDUCTIVE], data.kernels[INDUCTIVE].then(CosineNormalize())]
    bare = np.asarray(from_labels([0.3, 0.7])).tolist()  # a plain list cannot say
    assert said(weighted_sum(kernels, bare), data) == BROUGHT
    assert said(joint_kernel(kernels, bare), data) == BOTH
    assert said(weighted_sum(kernels, bare, from_labels=True), data) == LEAK
    assert said(weighted_sum(kernels, bare, from_labels=False), data) == INDUCTIVE
    assert said(weighted_sum(kernels), data) == said(weighted_sum(kernels, [0.5, 0.5]), data) == INDUCTIVE


def test_the_record_of_a_joint_kernel_keeps_what_was_said_of_its_weights(data):
    kernels = [data.kernels[INDUCTIVE], data.kernels[TRANSDUCTIVE]]
    cases = ((from_labels([0.3, 0.7]), None), ([0.3, 0.7], None), ([0.3, 0.7], False), ([0.5, 0.5], None))
    for weights, known in cases:
        K, namespace = joint_kernel(kernels, weights, from_labels=known), {}
        exec(write_script([K.recipe], heading="joint"), namespace)
        assert namespace["joint"].has_seen() == K.has_seen()


def test_an_uploaded_matrix_is_as_brought_and_a_kernel_of_uploaded_vectors_is_not():
    read = read_samples(
        b",a,b,c,d\na,2,1,0,0\nb,1,2,0,0\nc,0,0,2,1\nd,0,0,1,2\n", "matrix.csv", kind="similarity"
    )
    assert state_of(read.gram.has_seen()).words == BROUGHT
    y = Labels(read.ids, ["x", "x", "y", "y"])
    assert judge(read.gram, y, CONFIG).mode == judge(read.gram.values, y.y, CONFIG).mode == BROUGHT
    vectors = read_samples(b"id,u,v\na,1,2\nb,2,1\nc,5,5\nd,6,5\n", "vectors.csv", kind="vectors")
    assert judge(Linear().similarities(vectors), y, CONFIG).mode == INDUCTIVE
    assert judge(Gaussian(sigma=2.0).similarities(vectors), y, CONFIG).mode == INDUCTIVE
    assert judge(Gaussian().similarities(vectors), y, CONFIG).mode == TRANSDUCTIVE


def test_the_diffusion_kernel_of_blocks_is_transductive():
    blocks = load_dataset("blocks")
    network = blocks.samples["network"]
    kernel = Diffusion(tau=1.0)
    for K in (
        blocks.kernels["diffusion"], kernel.similarities(network), kernel.gram(network), kernel.gram(network.adjacency)
    ):  # fmt: skip
        for inductive in (False, True):
            assert (
                judge(K, blocks.labels.y, CrossValidation(folds=2, repeats=1, inductive=inductive)).mode
                == TRANSDUCTIVE
            )


def test_what_is_said_of_a_state():
    assert set(EXPLANATIONS) == {INDUCTIVE, TRANSDUCTIVE, LEAK, BROUGHT}
    assert "?" in EXPLANATIONS[BROUGHT]  # it asks
    assert State(TRANSDUCTIVE, True).words == BOTH
    assert "labels nobody here knows" in State(TRANSDUCTIVE, True).sentence
    assert State(LEAK, True).sentence == EXPLANATIONS[LEAK]
    assert State(INDUCTIVE).sentence == EXPLANATIONS[INDUCTIVE]


@every_state
def test_a_file_of_the_first_format_says_what_its_recipes_tell(data, state):
    """It held a flag for parameters alone; a matrix without a recipe is as brought."""
    base = data.kernels[state].base
    given = {
        "values": base.values, "ids": base.ids, "name": base.name, "origin": base.origin, "_base": None, "_steps": (),
        "set_by_items": False,
    }  # fmt: skip
    assert GramMatrix(**with_seen(given)).seen == base.seen
    assert GramMatrix(**with_seen({**given, "set_by_items": True})).seen == base.seen | Seen(items=True)
    assert GramMatrix(**with_seen({**given, "origin": None})).seen == Seen(brought=True)
    part = base.take(np.arange(12))
    origin = later({"function": "take", "arguments": (np.arange(12),), "owner": base}, {})
    cut = {**given, "values": part.values, "ids": part.ids, "origin": origin}
    assert GramMatrix(**with_seen(cut)).seen == base.seen


def test_weights_have_to_be_weights(data):
    with pytest.raises(InvalidInputError, match="one weight of at least 0 a kernel"):
        joint_kernel([data.kernels[INDUCTIVE]] * 2, [1.0])


@pytest.mark.parametrize("kind", [each for each in KERNELS if each.data_kind == "network"])
def test_what_every_kernel_on_nodes_makes_of_a_network_is_transductive_without_a_name(kind):
    # common neighbours multiplies the network itself, past the decomposition that says so of the others
    data = load_dataset("blocks")
    made = judge(
        kind().gram(data.samples["network"]),
        data.labels,
        CrossValidation(folds=2, repeats=1),
        allow_indefinite=True,
    )
    assert made.mode == TRANSDUCTIVE
