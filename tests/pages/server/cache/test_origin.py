"""What visitors share, and that nothing of an upload is in it."""

import gc
from dataclasses import dataclass

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig
from pages.server import cache as origin
from pages.server import cached as module
from pages.server import workspace
from pages.server.cache import BoundedCache
from pages.server.cached import cached
from pages.ui import frame


@pytest.fixture(autouse=True)
def stores(monkeypatch):
    """The shared store and the session's, both empty."""
    shared, own = BoundedCache(100, 10_000_000), BoundedCache(100, 10_000_000)
    monkeypatch.setattr(module, "_shared", shared)
    monkeypatch.setattr(workspace, "session_cache", lambda make: own)
    return shared, own


IDS = ("a", "b", "c")


def kernel():
    return GramMatrix(np.diag([3.0, 2.0, 1.0]), IDS, "k")


@dataclass(frozen=True)
class Made:
    K: GramMatrix
    scaled: np.ndarray


@cached(public=True)
def scaled(K, factor=1.0, config=None):
    return Made(K, factor * K.values)


@cached(public=True)
def total(values):
    return float(values.sum())


def test_results_of_a_demo_are_all_visitors_and_so_is_what_is_made_of_them(stores):
    shared, own = stores
    K = origin.public(kernel())
    made = scaled(K, 2.0, CompletionConfig())
    assert (len(shared), len(own)) == (1, 0)
    assert total(made.scaled) == 12.0
    assert total(K.values) == 6.0
    assert (len(shared), len(own)) == (3, 0)


def test_an_upload_stays_with_its_visitor_also_where_its_bytes_are_those_of_a_demo(stores):
    shared, own = stores
    demo, upload = origin.public(kernel()), kernel()
    assert demo.digest == upload.digest
    theirs = scaled(demo)
    assert scaled.peek(upload) is None  # what was computed of the demo is not told to who brought the same
    mine = scaled(upload)
    assert mine is not theirs
    assert (len(shared), len(own)) == (1, 1)
    assert total(mine.scaled) == 6.0
    scaled.keep(mine, upload, 3.0)
    assert len(shared) == 1


@pytest.mark.parametrize(
    "derived",
    [
        lambda K: K.take([0, 1]),
        lambda K: K.renamed("what a visitor typed"),
        lambda K: GramMatrix(K.values, IDS, "k"),
        lambda K: np.array(K.values),
        lambda K: K.values[:2],
    ],
    ids=["selected", "renamed", "made of its array", "copied", "a view"],
)
def test_what_a_page_derives_of_a_demo_is_its_own(stores, derived):
    assert not total.is_shared(derived(origin.public(kernel())))


def test_a_demo_beside_an_upload_is_private():
    K, labels = origin.public(kernel()), Labels(IDS, np.array(["x", "y", "x"]))
    sequences = Sequences(IDS, ("ACD", "EFG", "HIK"))
    for upload in (labels, sequences, kernel(), labels.y, {"k": kernel()}, (kernel(),), "A" * 65, b"x", IDS):
        assert not origin.is_public([K, upload]), upload
        assert not origin.is_public([upload]), upload
    for setting in (1, 0.5, None, True, "clip", CompletionConfig(), CrossValidation(), (0.1, 0.2)):
        assert origin.is_public([K, setting]), setting
        assert not origin.is_public([setting]), setting  # nothing says that it is of a demo
    assert origin.is_public([{"k": K}, (K, K)])


def test_a_mark_ends_with_its_value():
    before = len(origin._marked)
    K = origin.public(kernel())
    assert len(origin._marked) > before
    del K
    gc.collect()
    assert len(origin._marked) == before


def test_both_stores_are_bounded(stores):
    shared, own = stores
    shared.max_bytes = own.max_bytes = 30_000
    K = np.zeros(1_000)
    for factor in range(20):
        keep = origin.public(K + factor)
        total(keep)
        scaled.keep(Made(kernel(), keep), origin.public(kernel()), float(factor))
    assert shared.bytes <= shared.max_bytes
    assert shared.bytes == sum(size for _, size, _ in shared._entries.values())


def test_demos_are_public_and_a_label_of_a_visitor_makes_it_private():
    data = frame.demo("An indefinite matrix", "An indefinite matrix")
    K = next(iter(data.kernels.values()))
    assert origin.is_public([K, data.labels])
    own = data.with_labels(Labels(data.ids, np.array(["x", "y"] * len(data.ids))[: len(data.ids)]))
    assert not origin.is_public([K, own.labels])
    assert not origin.is_public([own])
    assert not origin.is_public([data.select([0, 1, 2]).kernels[K.name]])


def test_what_is_new_beside_something_marked_is_marked_too():
    known = origin.public(Made(kernel(), np.zeros(3)))
    new = np.ones(3)
    origin.public((known, {"new": new, "again": known}))
    assert origin.is_public([new])
    assert origin.is_public([known.K, known.K.values, known.scaled])
    assert not origin.is_public([np.ones(3)])
