import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.order import LINKAGES, dendrogram
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from pages.ui.panels.linked import with_groups
from tests.pages.matrices import blobs, head

PAGES = {
    "kernels/kernels.py": "kernels.map",
    "complete/complete.py": "complete.maps",
    "combine/combine.py": "combine.maps",
    "kernels/power/power.py": "diagonals.maps",
}


def items_of(at, key):
    return blobs(at)[head(at, key)["items"]][0]


@pytest.fixture
def pair(small_dataset):
    source = small_dataset.kernels["source"]
    return small_dataset.with_kernel("target", source.renamed("target"))


@pytest.mark.parametrize(("path", "key"), PAGES.items())
def test_every_page_with_matrices_orders_them_by_a_dendrogram_and_keeps_its_groups(
    open_page_test, path, key, pair
):
    at = open_page_test(path, pair, query={"sort": "dendrogram, complete"})
    K = pair.kernels["source"].values
    if path.startswith("com"):  # these pages normalise before they complete or combine
        K = K / np.sqrt(np.outer(np.diag(K), np.diag(K)))
    tree = dendrogram(K, method="complete")
    said = items_of(at, key)
    np.testing.assert_array_equal(said["order"], tree.order)
    np.testing.assert_array_equal(np.array(said["tree"])[:, :2], tree.merges)
    assert head(at, key)["cut"] == pytest.approx(0.7 * tree.top)
    at.slider(key=f"{key}.cut").set_value(40).run()
    groups = tree.groups(0.4 * tree.top)
    at.button(key=f"{key}.groups").click().run()
    assert not at.exception
    kernel = "target" if path == "kernels/kernels.py" else "source"
    name = f"thirty, {groups.max()} groups of {kernel}"
    assert at.sidebar.selectbox(key="data").value == name
    kept = at.session_state["kernex"].entries[name].dataset
    expected = [f"group {g:0{len(str(groups.max()))}d}" for g in groups]
    assert kept.labels.y.tolist() == expected
    # every page says that they are the kernel's own
    assert any("made from a kernel" in badge.value for badge in at.get("badge") or at.markdown)
    assert any("These classes were made of similarities" in m.value for m in at.markdown) or path.startswith(
        "kernels"
    )


@pytest.mark.parametrize("linkage", LINKAGES)
def test_groups_as_labels_say_where_they_come_from_and_stay_so(linkage):
    X = np.random.default_rng(0).normal(size=(12, 3))
    ids = tuple(f"i{k}" for k in range(12))
    K = GramMatrix(X @ X.T, ids, "K")
    data = DataSet("d", ids, Labels(ids, np.repeat(["a", "b"], 6)), kernels={"K": K})
    tree = dendrogram(K.values, method=linkage, kernel="K")
    height = 0.6 * tree.top
    # in another order, and without the last item
    picked = tree.order[:11]
    origin = f"{linkage} linkage on K"
    made = with_groups(data, [ids[k] for k in picked], tree.groups(height)[picked], origin, "K")
    missing = tree.order[11]
    assert made.labels.y[missing] == ""
    for a in picked:
        for b in picked:
            together = tree.groups(height)[a] == tree.groups(height)[b]
            assert (made.labels.y[a] == made.labels.y[b]) == together
    assert linkage in made.labels.made_from
    assert "K" in made.labels.made_from
    assert made.select([0, 3, 5]).labels.made_from == made.labels.made_from
    assert made.name.endswith("groups of K")
