"""Every kernel on nodes can be judged by itself, also those without a parameter that is a number."""

import pytest

from kernex_core import CrossValidation, kernels_for, load_dataset, prepare_network, sweeping_network


@pytest.mark.parametrize("kind", kernels_for("network"), ids=lambda kind: kind.__name__)
def test_one_kernel_alone_is_a_sweep(kind):
    data = load_dataset("karate_club")
    prepared = prepare_network(data.samples["network"], kind().operator)
    (found,) = sweeping_network(prepared, (kind(),), data.labels, CrossValidation(C=1.0))
    assert found.failed == ()
    assert found.best == kind()
    assert found.nested.mean == found.judged[0].multi_class.mean  # there was nothing to choose
