"""Whatever is set on a page is set when its link is opened, after a restart, and where its saved workspace is opened."""

from dataclasses import replace

import numpy as np
import pytest

from kernex_core import load_dataset
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences, Vectors
from kernex_core.workspace.file import read_workspace, write_workspace
from pages.server.navigation import LESSONS, PAGES
from pages.server.visitors.contents import Contents
from pages.server.visitors.keep import Keeper
from pages.server.visitors.tab import added, carried, named
from tests.pages.settings.travel import Moved, Spy, with_data

pytestmark = pytest.mark.usefixtures("kept_results")

VISITOR = "a" * 40


def kernels(n, names, rng, gone=()):
    X = rng.normal(size=(n, 4)) + 2.0 * np.eye(3)[:, [0, 1, 2, 0]].repeat(n // 3, axis=0)
    ids = tuple(f"item{i}" for i in range(n))
    made = {}
    for k, name in enumerate(names):
        Z = X + 0.4 * k * rng.normal(size=X.shape)
        K = Z @ Z.T + 0.1 * np.eye(n)
        if name in gone:
            K[::5], K[:, ::5] = np.nan, np.nan
        made[name] = GramMatrix(K, ids, name)
    return ids, X, made


def three(gone=(), names=("first", "second", "third"), numbers=False, indefinite=False):
    """Thirty items in three classes, with three kernels and vectors."""
    rng = np.random.default_rng(7)
    ids, X, made = kernels(30, names, rng, gone)
    if indefinite:
        K = made["first"].values + 3.0 * np.eye(30)[::-1]
        made["first"] = GramMatrix((K + K.T) / 2.0, ids, "first")
    y = rng.normal(size=30).round(3).astype(str) if numbers else np.repeat(["a", "b", "c"], 10)
    samples = {"vectors": Vectors(ids, X, columns=("p", "q", "r", "s")), "others": Vectors(ids, X[:, :3])}
    return DataSet("three", ids, Labels(ids, y), kernels=made, samples=samples)


def strings():
    """Twelve short proteins in two classes, in two alphabets."""
    rng = np.random.default_rng(3)
    ids = tuple(f"s{i}" for i in range(12))
    words = tuple("".join(rng.choice(list("ACDEFGHIKL"), size=14)) for _ in ids)
    both = {"one": Sequences(ids, words), "two": Sequences(ids, tuple(word[::-1] for word in words))}
    K = np.diag(np.arange(1.0, 13.0)) + 0.2
    made = {"first": GramMatrix(K, ids, "first"), "second": GramMatrix(K * K, ids, "second")}
    return DataSet("strings", ids, Labels(ids, np.repeat(["a", "b"], 6)), kernels=made, samples=both)


def gaps():
    """The same, of the first of which single pairs are unknown."""
    data = three()
    K = np.array(data.kernels["first"].values)
    K[3, 7] = K[7, 3] = K[12, 20] = K[20, 12] = np.nan
    kernels = {**data.kernels, "first": GramMatrix(K, data.ids, "first")}
    return replace(data, kernels=kernels, target="first")


def part(name, n):
    data = load_dataset(name)
    return data.select(np.linspace(0, data.n - 1, n).astype(int))


def network():
    data = load_dataset("karate_club")
    rng = np.random.default_rng(1)
    return replace(
        data, samples={**data.samples, "measured": Vectors(data.ids, rng.normal(size=(data.n, 3)))}
    )


SCENES = [
    ("data/data.py", three, {}),
    ("kernels/kernels.py", three, {}),
    ("kernels/kernels.py", three, {"look": "Eigenvector"}),
    ("kernels/kernels.py", lambda: three(indefinite=True), {}),
    ("kernels/kernels.py", lambda: three(gone=("first", "second")), {}),
    ("kernels/kernels.py", strings, {"kernel": "new, from samples …"}),
    ("kernels/strings/strings.py", strings, {}),
    ("kernels/strings/strings.py", strings, {"tab": "Why similar?"}),
    ("kernels/strings/strings.py", strings, {"tab": "Why this class?"}),
    ("kernels/strings/strings.py", strings, {"tab": "New sequences"}),
    ("kernels/strings/strings.py", strings, {"tab": "Every string kernel"}),
    ("kernels/power/power.py", three, {}),
    ("complete/complete.py", three, {}),
    ("complete/complete.py", lambda: three(gone=("third",)), {}),
    ("complete/complete.py", gaps, {}),
    ("complete/complete.py", gaps, {"tab": "What next"}),
    ("combine/combine.py", three, {}),
    ("combine/many/many.py", three, {}),
    ("combine/together/together.py", lambda: three(gone=("first", "second", "third")), {}),
    ("networks/networks.py", network, {}),
    ("networks/features/features.py", lambda: load_dataset("expression_on_a_network"), {}),
    ("networks/edges/edges.py", lambda: part("interacting_genes", 24), {}),
    ("graphs/graphs.py", lambda: part("like_beside_like", 12), {}),
    ("graphs/graphs.py", lambda: part("like_beside_like", 12), {"graphs_tab": "Kernel"}),
    ("graphs/graphs.py", lambda: part("like_beside_like", 12), {"graphs_tab": "Why similar?"}),
    ("graphs/graphs.py", lambda: part("like_beside_like", 12), {"graphs_tab": "Every graph kernel"}),
    ("map/map.py", three, {}),
    ("map/groups.py", three, {}),
    ("map/groups.py", three, {"method": "k-means"}),
    ("map/groups.py", three, {"by": "height"}),
    ("map/outliers.py", three, {}),
    ("evaluate/evaluate.py", three, {}),
    ("evaluate/evaluate.py", lambda: three(numbers=True), {}),
    ("evaluate/tournament/tournament.py", three, {}),
    ("evaluate/tournament/tournament.py", lambda: three(numbers=True), {}),
    ("whatif/whatif.py", three, {}),
    ("whatif/whatif.py", lambda: three(gone=("third",)), {"down": "nugget"}),
    ("whatif/whatif.py", three, {"along": "p", "down": "labels"}),
    ("whatif/whatif.py", network, {"along": "τ"}),
    ("whatif/whatif.py", three, {"along": "w", "down": "C"}),
    ("papers/extrapolation/extrapolation.py", three, {}),
    ("papers/orthogonal/orthogonal.py", three, {}),
    ("papers/joint/joint.py", lambda: part("structure_graphs", 16), {}),
]
"""Pages with data on which they show their controls, and what is chosen before all others are moved."""


@pytest.fixture
def spy(monkeypatch):
    made = Spy()
    made.watch(monkeypatch)
    return made


def scene_name(scene):
    path, _, first = scene
    return f"{path.split('/')[-1].removesuffix('.py')}{SCENES.index(scene)}{''.join(first.values())}"


@pytest.mark.parametrize("scene", SCENES, ids=scene_name)
def test_what_is_set_comes_back(spy, open_panels, tmp_path, scene):
    path, dataset, first = scene
    there_and_back(spy, tmp_path, path, dataset(), first)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_what_is_set_in_a_lesson_comes_back(spy, open_panels, tmp_path, lesson):
    there_and_back(spy, tmp_path, "learn/lesson.py", None, {}, address=lesson.key, query={"bet": "-"})


def there_and_back(spy, tmp_path, path, dataset, first, **how):
    page = Moved(spy, path, with_data(dataset), **how)
    usual = page.values
    if first:
        page.set(**first)
    moved = page.move_all(usual, leave=first)
    values, contents = page.values, page.contents
    assert {name for name in set(values) & moved if values[name] == usual.get(name, object())} == set()
    address = how.get("address")
    again = Moved(spy, path, with_data(dataset), address=address, query=page.link)
    told = {name for name, each in again.registry.declared.items() if each.in_address}
    assert again.tab is not page.tab
    assert {name: again.values.get(name) for name in values if name in told} == {
        n: v for n, v in values.items() if n in told
    }
    assert not {name for name in page.link if name != "settings"} - told
    for back in (restarted(contents, tmp_path), elsewhere(contents)):
        again = Moved(spy, path, back, address=address)
        assert again.values == values
    shown = page.registry.sheet({})
    assert [name for name in values if page.registry.settings[name][0] not in shown] == []
    labels = [label for label, _ in page.registry.settings.values()]
    assert len(set(labels)) == len(labels), sorted(label for label in labels if labels.count(label) > 1)


def restarted(contents, folder) -> Contents:
    """What the next server reads from the folder of KERNEX_KEEP."""
    keeper = Keeper(folder)
    keeper.note(VISITOR, Contents(), contents)
    keeper.finish()
    return Keeper(folder).read(VISITOR)


def elsewhere(contents) -> Contents:
    """What another visitor has who opens the saved workspace."""
    file = write_workspace(carried(contents, contents.last))
    return added(Contents(), named(read_workspace(file))).contents


def test_every_page_is_in_the_scenes():
    without = {
        "start/start.py",
        "learn/learn.py",
        "learn/lecture.py",
        "learn/glossary.py",
        "evaluate/predict.py",
    }  # nothing is set there
    assert {path for path, _, _ in SCENES} == {entry.path for entry in PAGES} - without
