"""The tab "New sequences": what is answered, what is refused, and what is said of items that share nothing."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest


def _page(strings: list[str], y: list[str] | None, with_target: bool) -> None:
    import numpy as np

    from kernex_core.gram.matrix import GramMatrix
    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Labels, Sequences
    from kernex_core.kernels.sequences.spectrum import Spectrum
    from pages.kernels.strings.new_items import draw

    ids = tuple(f"s{i}" for i in range(len(strings)))
    samples = Sequences(ids, tuple(strings), "protein")
    labels = None if y is None else Labels(ids, np.array(y))
    kernels, target = {}, None
    if with_target:
        X = np.random.default_rng(0).normal(size=(len(ids), 3))
        T = X @ X.T
        T[0], T[:, 0] = np.nan, np.nan
        kernels, target = {"structure": GramMatrix(T, ids, "structure")}, "structure"
    dataset = DataSet("toy", ids, labels, {"P": samples}, kernels, target=target)
    draw(dataset, samples, "P", Spectrum(k=3).of(samples))


STRINGS = ["ACDEFGHIKACD", "ACDEFGIKLACD", "MNPQRSTVWMNP", "MNPQRSTVWYMN", "ACDEFGHHHACD", "MNPQRSTTTMNP"]
Y = ["a", "a", "b", "b", "a", "b"]


def opened(text: str | None = None, y: Any = Y, *, with_target: bool = False) -> AppTest:
    kwargs = {"strings": STRINGS, "y": y, "with_target": with_target}
    app = AppTest.from_function(_page, kwargs=kwargs).run()
    if text is not None:
        app.text_area[0].set_value(text).run()
    assert not app.exception
    return app


def words(app: AppTest) -> str:
    return " ".join(each.value for each in [*app.markdown, *app.caption])


def test_the_example_is_answered_at_once() -> None:
    app = opened()
    table = app.dataframe[0].value
    assert list(table["new sequence"]) == ["like_s0"]
    assert list(table["class"]) == ["a"]
    assert "C = 10, trained on all 6 labelled items of 2 classes" in words(app)
    assert "share nothing" not in words(app)


def test_items_that_share_nothing_are_named_beside_their_class() -> None:
    app = opened(">alien\nYYYYYYYY\n>near\nACDEFG")
    assert list(app.dataframe[0].value["new sequence"]) == ["alien", "near"]
    assert "share nothing with any item by this kernel\\: 1 \\(alien\\)" in words(app)


def test_a_target_is_carried_over() -> None:
    table = opened(with_target=True).dataframe[0].value
    assert {"joint class", "joint margin", "explained, %"} <= set(table.columns)
    assert table["explained, %"].between(0, 100).all()


def test_without_labels_there_are_neighbours_and_no_classes() -> None:
    app = opened(y=None)
    assert "class" not in app.dataframe[0].value.columns
    assert "Classes need labels" in words(app)


@pytest.mark.parametrize("text", ["", " \n ", ">only a header\n", "<b>12345</b>"])
def test_nothing_to_compare_is_a_sentence(text: str) -> None:
    app = opened(text)
    assert app.error
    assert not app.dataframe


def test_ids_stay_text_and_known_ids_are_told() -> None:
    app = opened("><img/src=x>\nACDEFG\n>s1\nMNPQRS")
    assert list(app.dataframe[0].value["new sequence"]) == ["<img/src=x>", "s1 (new)"]
    assert "<img" not in words(app).replace("\\<img", "")
    assert "Ids that the data have already" in words(app)
