"""Downloads that stand, or change, only after a click: each study of each page is started, what is given away is read."""

from inspect import isfunction

import numpy as np
import pytest

from kernex_core import DATASETS, load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels
from kernex_core.learning import permutations
from kernex_core.studies import against_chance
from kernex_core.studies.graphs import table as of_graphs
from kernex_core.studies.sequences import table as of_sequences
from pages.server.navigation import PAGES
from pages.ui import widgets
from pages.ui.figures.still.chart import unknown
from tests.pages import test_every_download as at_once
from tests.pages.conftest import OpenPanel
from tests.pages.test_every_download import OWN, READ

offered, drawn = at_once.offered, at_once.drawn

STARTS = ":material/play_arrow:"
CHOOSES = "Choose "
"""A button that starts a study has this icon; one that chooses opens a dialog, and what was chosen is given away, too."""


@pytest.fixture
def few(monkeypatch):
    """Nine permutations: their number does not tell how files are written."""
    for module in (permutations, against_chance, of_graphs, of_sequences):
        for each in filter(isfunction, vars(module).values()):
            if "permutations" in (each.__kwdefaults__ or {}):
                monkeypatch.setitem(each.__kwdefaults__, "permutations", 9)


@pytest.fixture
def fifteen():
    rng = np.random.default_rng(26)
    X = rng.normal(size=(15, 4)) + 2.0 * np.repeat(np.eye(4)[:3], 5, axis=0)
    target = (X + 0.3 * rng.normal(size=X.shape)) @ X.T
    target = target @ target.T / 30.0
    target[::5] = np.nan
    target[:, ::5] = np.nan
    ids = tuple(f"item{i}" for i in range(15))
    values = {
        "source": X @ X.T,
        "target": target,
        "again": np.exp(-np.square(X[:, None] - X).sum(axis=2) / 8.0),
    }
    kernels = {name: GramMatrix(K, ids, name) for name, K in values.items()}
    labels = Labels(ids, np.repeat(["a", "b", "c"], 5))
    return DataSet("fifteen", ids, labels, kernels=kernels, source="source", target="target")


def startable(at, clicked):
    return [
        each
        for each in at.button
        if each.key not in clicked
        and not each.disabled
        and (each.proto.icon == STARTS or each.label.startswith(CHOOSES))
    ]


STARTED = {
    "kernels/kernels.py": {"kernels.chance.run", "fill.run"},
    "complete/complete.py": {"complete.chance.run"},
    "combine/combine.py": {"combine.chance.run"},
    "combine/many/many.py": {"many.choose", "many.chance.run"},
    "combine/together/together.py": {"many.ways.run"},
    "networks/networks.py": {"networks.chance.run"},
    "networks/features/features.py": {"features.choose", "features.lasso.run"},
    "networks/edges/edges.py": {"edges.missing.run"},
    "evaluate/evaluate.py": {"evaluate.choose", "evaluate.chance.run"},
    "evaluate/tournament/tournament.py": {"tournament.run", "tournament.choice.run"},
}
"""What has to be started at least, so that nobody renames a button past this test."""


ONE_TAB = ("graphs/graphs.py", "kernels/strings/strings.py")
"""Pages whose tabs cannot stand open beside each other, since each has a verdict."""
ASKED = [(entry.path, tab) for entry in PAGES for tab in (range(3) if entry.path in ONE_TAB else (None,))]


@pytest.fixture
def open_tab(monkeypatch):
    """Open one tab alone, or all of them."""

    def open_it(tab):
        def tabs(name, titles, key=None):
            made = [OpenPanel(title) for title in titles]
            for place, each in enumerate(made):
                each.open = tab is None or place == min(tab, len(made) - 1)
            return made

        monkeypatch.setattr(widgets, "tabs", tabs)

    return open_it


@pytest.mark.parametrize(("path", "tab"), ASKED)
def test_what_a_study_gives_away_arrives_and_can_be_read(
    open_page_test, open_panels, open_tab, few, fifteen, path, tab, offered, drawn
):
    open_tab(tab)
    dataset = None if path.startswith(OWN) else fifteen
    if "strings" in path:
        dataset = load_dataset("almost_orthogonal_strings")
        dataset = dataset.select(range(0, len(dataset.ids), 4))
    clicked = start_all(open_page_test(path, dataset))
    assert STARTED.get(path, set()) <= set(clicked)
    read_all(offered, drawn)


GAPS = {
    "gapped_matrix": (["complete.pairs.curve.run"], "pairs-to-measure.csv"),
    "structure_hits": ([], "missed-pairs.csv"),
}
"""Demos whose single pairs are completed: what is started there, and the end of a file that no other data have."""


@pytest.mark.parametrize("demo", GAPS)
def test_what_single_pairs_give_away_can_be_read(
    open_page_test, open_panels, open_tabs, demo, offered, drawn
):
    started, file = GAPS[demo]
    assert start_all(open_page_test("complete/complete.py", load_dataset(demo))) == started
    assert {name.rpartition(".")[2] for name in offered} == {"csv", "html", "npz", "py", "svg"}
    assert [name for name in offered if name.endswith(file)], list(offered)
    read_all(offered, drawn)


def start_all(at):
    """Start whatever can be started, take what was chosen, and return the keys that were clicked."""
    clicked = []
    while buttons := startable(at, clicked):
        clicked.append(buttons[0].key)
        buttons[0].click().run()
        assert not at.exception, clicked[-1]
        for picked in [each for each in at.button if each.key.endswith(".choose.use")]:
            picked.click().run()
            assert not at.exception, clicked[-1]
    return clicked


def read_all(offered, drawn):
    for name, build in offered.items():
        data = build() if callable(build) else build
        content = data if isinstance(data, bytes) else data.encode()
        assert content, name
        READ[name.rpartition(".")[2]](content)
    assert sorted({key for figure in drawn for key in unknown(figure)}) == []


PAPERS = {
    "papers/extrapolation/extrapolation.py": {"extrapolation-tables"},
    "papers/orthogonal/orthogonal.py": {"patterns-table-1", "patterns-table-3"},
    "papers/joint/joint.py": {"regularization-figure-1"},
}
"""What is given away at least; other tables of papers wait for their data."""


@pytest.mark.parametrize("path", PAPERS)
def test_what_every_table_of_a_paper_gives_away_can_be_read(
    open_page_test, open_panels, open_tabs, few, path, offered, drawn
):
    at = open_page_test(path)
    for key, option in [
        (each.key, option.content) for each in at.button_group for option in each.proto.options
    ]:
        for found in [each for each in at.button_group if each.key == key]:
            found.set_value(option).run()
            assert not at.exception, (key, option)
    assert all(any(part in name for name in offered) for part in PAPERS[path])
    read_all(offered, drawn)


@pytest.mark.parametrize("demo", [each.name for each in DATASETS])
def test_what_data_of_every_kind_give_away_can_be_read(
    open_page_test, open_panels, open_tabs, demo, offered, drawn
):
    open_page_test("data/data.py", load_dataset(demo))
    assert {name.rpartition(".")[2] for name in offered} >= {"csv", "py", "kernex"}
    read_all(offered, drawn)
