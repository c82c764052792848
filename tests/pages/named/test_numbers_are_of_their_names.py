"""Every number on every page is the number of its name: cells, bars, curves, points, files, and the report.

A page is opened on data of which all numbers differ; what it shows is compared with the fields of the study's result.
"""

import numpy as np
import pytest

from kernex_core import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from pages.server import navigation
from pages.ui import chosen
from tests.pages.named.combine import COMBINE
from tests.pages.named.compared import compare
from tests.pages.named.complete import COMPLETE
from tests.pages.named.data import DATA
from tests.pages.named.diagonals import DIAGONALS
from tests.pages.named.edges import EDGES
from tests.pages.named.evaluate import EVALUATE
from tests.pages.named.extrapolation import EXTRAPOLATION
from tests.pages.named.features import FEATURES
from tests.pages.named.graphs import GRAPHS, molecules
from tests.pages.named.joint import JOINT
from tests.pages.named.kernels import KERNELS
from tests.pages.named.many import MANY
from tests.pages.named.map import GROUPS, MAP, OUTLIERS
from tests.pages.named.networks import NETWORKS
from tests.pages.named.orthogonal import ORTHOGONAL
from tests.pages.named.pairs import SCENES
from tests.pages.named.report import report_tells
from tests.pages.named.seen import watching
from tests.pages.named.sequences import SEQUENCES, strings
from tests.pages.named.together import TOGETHER
from tests.pages.named.whatif import WHATIF


@pytest.fixture(scope="module")
def uneven():
    """Forty-five items in three classes of unlike size, and three kernels that know them more or less well."""
    rng = np.random.default_rng(11)
    y = np.repeat(["a", "b", "c"], [20, 14, 11])
    centres = 1.6 * np.eye(3)[np.searchsorted(["a", "b", "c"], y)]
    ids = tuple(f"item{i}" for i in range(y.size))

    def kernel(name, noise):
        X = np.hstack([centres, np.zeros((y.size, 3))]) + noise * rng.normal(size=(y.size, 6))
        return GramMatrix(X @ X.T, ids, name)

    kernels = {name: kernel(name, noise) for name, noise in (("good", 0.9), ("fair", 1.2), ("poor", 1.6))}
    return DataSet("uneven", ids, Labels(ids, y), kernels=kernels, source="good", target="fair")


@pytest.fixture
def opened(open_page_test, open_panels, open_tabs):
    """Open a page with all its expanders and tabs open, and return all that was seen."""

    def run(path, dataset, query=None, brought=True):
        with watching(dataset) as seen:
            at = open_page_test(path, dataset if brought else None, query=query)
            assert not at.error
        seen.texts = [one.value for one in (*at.markdown, *at.caption)]
        # a name that two numbers of a page have stands in the report once
        assert len(at.metric) == len(seen.counts), sorted(metric.label for metric in at.metric)
        return seen

    return run


PAGES = {
    "evaluate/evaluate.py": (EVALUATE, {}),
    "combine/combine.py": (COMBINE, {"combine_lam": "0.3"}),
    "complete/complete.py": (COMPLETE, {}),
    "combine/many/many.py": (MANY, {}),
    "combine/together/together.py": (TOGETHER, {}),
    "data/data.py": (DATA, {}),
    "kernels/power/power.py": (DIAGONALS, {}),
    "map/map.py": (MAP, {}),
    "map/groups.py": (GROUPS, {}),
    "map/outliers.py": (OUTLIERS, {}),
    "whatif/whatif.py": (WHATIF, {"row": "35"}),
    "kernels/kernels.py": (KERNELS, {"kernel": "rough"}),
}
"""What pages show, by their path, and the address that they are opened by: on the uneven items."""


def given_away(seen):
    """Make the files that are no tables, too: the report says the same, and the figure is one."""
    if "Report" in seen.files:
        report_tells(seen)
    if "Figure" in seen.files:
        assert seen.files["Figure"]().startswith(b"<svg")


DEMOS = {
    "papers/orthogonal/orthogonal.py": (ORTHOGONAL, "protein_world", {}),
    "papers/joint/joint.py": (JOINT, "structure_graphs", {}),
    "papers/extrapolation/extrapolation.py": (EXTRAPOLATION, "protein_world", {}),
    "networks/networks.py": (NETWORKS, "blocks", {}),
    "networks/edges/edges.py": (EDGES, "interacting_genes", {"edge_folds": "2"}),
    "networks/features/features.py": (FEATURES, "expression_on_a_network", {}),
}
"""Pages that open on a demo of their own, which, and the address."""


@pytest.mark.parametrize("path", DEMOS)
def test_what_a_page_shows_of_its_demo_is_what_it_says(opened, path):
    named, demo, query = DEMOS[path]
    seen = opened(path, load_dataset(demo), query, brought=False)
    compare(named, seen)
    given_away(seen)


@pytest.mark.parametrize("path", PAGES)
def test_what_a_page_shows_is_what_it_says(opened, uneven, path):
    named, query = PAGES[path]
    dataset = uneven
    if path == "kernels/kernels.py":  # a doctor needs somebody who is ill
        noise = np.random.default_rng(3).normal(size=(uneven.n, uneven.n))
        rough = uneven.kernels["fair"].values + 0.6 * (noise + noise.T)
        dataset = uneven.with_kernel("rough", GramMatrix(rough, uneven.ids, "rough"))
    if path == "combine/together/together.py":  # "fair" lacks every fourth item, "poor" others
        for name, gone in (("fair", slice(0, None, 4)), ("poor", slice(1, None, 5))):
            K = np.array(uneven.kernels[name].values)
            K[gone], K[:, gone] = np.nan, np.nan
            dataset = dataset.with_kernel(name, GramMatrix(K, uneven.ids, name))
    if path == "kernels/power/power.py":  # items of three kinds have nothing in common: entries that are 0
        kind = np.arange(uneven.n) % 3
        apart = uneven.kernels["good"].values * (kind[:, None] == kind)
        dataset = uneven.with_kernel("good", GramMatrix(apart, uneven.ids, "good"))
    seen = opened(path, dataset, query)
    compare(named, seen)
    given_away(seen)


TABS = {
    "kernels/strings/strings.py": (SEQUENCES, strings, "sequences.tab"),
    "graphs/graphs.py": (GRAPHS, molecules, "graphs_tab"),
}
"""Pages of tabs, of which one is drawn: what each shows, of which items, and where the open one is remembered."""


@pytest.mark.parametrize("path", TABS)
def test_what_every_tab_of_a_page_shows_is_what_it_says(open_page_test, path):
    tabs, made, remembered = TABS[path]
    dataset = made()
    with watching(dataset) as seen:
        at = open_page_test(path, dataset)
        for tab, (named, click) in tabs.items():
            at.session_state[remembered] = tab
            at.run()
            if click is not None:
                click(at)
            assert not at.exception
            assert not at.error
            seen.texts = [one.value for one in (*at.markdown, *at.caption)]
            if {"CSV", "NPZ"} <= set(
                seen.files
            ):  # of one kernel: what the doctor says is compared on the page Kernels
                seen.tables.clear()
                seen.counts.clear()
            compare(named, seen)
            given_away(seen)


@pytest.mark.parametrize("scene", SCENES.values(), ids=[f"pairs-{name}" for name in SCENES])
def test_what_the_page_shows_of_single_pairs_is_what_it_says(
    open_page_test, open_panels, open_tabs, monkeypatch, scene
):
    monkeypatch.setattr(chosen, "pair", lambda ids: scene.pair)
    with watching(scene.dataset) as seen:
        seen.pair = scene.pair
        at = open_page_test("complete/complete.py", scene.dataset, query=scene.query)
        if scene.click:
            at.button(key="complete.pairs.curve.run").click().run()
        assert not at.exception
        assert not at.error
    seen.texts = [one.value for one in (*at.markdown, *at.caption)]
    assert len(at.metric) == len(seen.counts)
    compare(scene.named, seen)
    given_away(seen)


WITHOUT = {
    "start/start.py": "no study",
    "evaluate/tournament/tournament.py": "waits for a click; compared in tests/pages/evaluate/test_tournament_page.py",
    "evaluate/predict.py": "asks for two files; compared in tests/pages/evaluate/test_predict_page.py",
    "learn/learn.py": "no study; lessons have tests of their own",
    "learn/lecture.py": "no study",
    "learn/glossary.py": "no study",
}
"""Pages whose numbers are not compared here, and why."""


def test_every_page_is_in_a_list():
    listed = [*PAGES, *DEMOS, *TABS, *WITHOUT]
    assert sorted(listed) == sorted(entry.path for entry in navigation.PAGES)
