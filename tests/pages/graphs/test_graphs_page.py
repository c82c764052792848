import re

import numpy as np
import pytest

from kernex_core import GeometricWalk
from kernex_core.base.parameters import parameters
from kernex_core.kernels.catalogue import kernels_for
from pages.graphs.kernel import KINDS
from pages.server.digits import number
from pages.server.messages import plain

PATH = "graphs/graphs.py"
KERNEL = {"graphs_tab": "Kernel"}
CONDITIONS = ("normalise_strings", "elements", "p", "sort")


@pytest.mark.parametrize("kind", kernels_for("graphs"), ids=lambda kind: kind.__name__)
def test_every_kernel_opens_with_its_matrix_and_accuracy(open_page_test, molecules, kind):
    at = open_page_test(PATH, molecules, {**KERNEL, "graph_kernel": kind.title})
    assert not at.error
    assert at.selectbox(key="graph_kernel").value == kind.title
    at.session_state["graphs_tab"] = "Accuracy"
    at.run()
    assert not at.error
    assert "Multi-class accuracy" in {each.label for each in at.metric}


@pytest.mark.parametrize("nonsense", ["1e400", "nan", "-7", "many", ""])
def test_nonsense_in_the_address_breaks_no_kernel(open_page_test, molecules, nonsense):
    fields = [f"{kind.__name__}.{field}" for kind in KINDS for field in parameters(kind)]
    names = ["graph_kernel", "GeometricWalk.share", *fields, *(f"graphs.{name}" for name in CONDITIONS)]
    for title in ("", "Geometric walk", "Tree patterns"):
        query = {**dict.fromkeys(names, nonsense), **KERNEL}
        at = open_page_test(PATH, molecules, {**query, "graph_kernel": title} if title else query)
        assert not at.error


def test_settings_of_the_address_are_those_of_the_kernel(open_page_test, molecules):
    at = open_page_test(PATH, molecules, {**KERNEL, "graph_kernel": "Walks of n edges", "WalkOfOrder.n": "5"})
    assert at.slider(key="WalkOfOrder.n").value == 5
    assert at.toggle(key="WalkOfOrder.vertex_labels").value


def test_normalisation_and_order_of_the_address_are_those_of_the_matrix(open_page_test, molecules):
    at = open_page_test(
        PATH, molecules, {**KERNEL, "graphs.normalise_strings": "none", "graphs.sort": "similarity"}
    )
    assert at.segmented_control(key="graphs.normalise_strings").value == "none"
    assert at.selectbox(key="graphs.sort").value == "similarity"


def test_beta_is_a_share_of_the_bound_of_all_graphs_and_so_accuracies_are_transductive(
    open_page_test, molecules
):
    graphs = molecules.samples["graphs"]
    kernel = GeometricWalk()
    at = open_page_test(
        PATH, molecules, {**KERNEL, "graph_kernel": "Geometric walk", "GeometricWalk.share": "80 %"}
    )
    bound = kernel.bound_on(graphs.values)
    each = [kernel.bound_on([graph]) for graph in graphs.graphs]
    (said,) = (caption.value for caption in at.caption if "of its bound" in caption.value)
    assert number(0.8 * bound, 4) in said
    assert number(min(each), 4) in said
    assert plain(graphs.ids[int(np.argmin(each))]) in said
    badges = re.findall(r"-badge\[(inductive|transductive)\]", " ".join(each.value for each in at.markdown))
    assert set(badges) == {"transductive"}
