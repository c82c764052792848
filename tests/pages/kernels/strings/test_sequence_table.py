"""The table of all string kernels on a page: nothing runs before a click, every row is shown, and the file is whole."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.sequences.table import StringTableConfig
from pages.kernels.strings.table import judged_table, script


def _page() -> None:
    import numpy as np
    import streamlit as st

    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Labels, Sequences
    from pages.kernels.strings import table as sequence_table

    ids = tuple(f"s{i}" for i in range(12))
    strings = tuple(("AT" if i % 2 else "CG") * 5 + "ACGT"[i % 4] for i in range(12))
    samples = Sequences(ids, strings, "dna")
    labels = Labels(ids, np.array(["gc", "at"] * 6))
    data = DataSet(name="toy", ids=ids, labels=labels, samples={"DNA": samples})
    sequence_table.draw(data, samples, (st.container(), st.container()))


def _without_labels() -> None:
    import streamlit as st

    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Sequences
    from pages.kernels.strings import table as sequence_table

    samples = Sequences(("a", "b"), ("ACGT", "CGTA"), "dna")
    data = DataSet(name="toy", ids=("a", "b"), samples={"DNA": samples})
    sequence_table.draw(data, samples, (st.container(), st.container()))


def test_a_click_judges_every_kernel_and_says_what_the_numbers_rest_on() -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert not app.dataframe
    assert "70 judgements of 12 sequences" in app.caption[0].value
    app.button(key="sequences.table.run").click().run()
    assert not app.exception
    assert not app.error
    table = app.dataframe[0].value
    assert len(table) == 70
    assert set(table["tag"]) == {"inductive", "transductive"}
    said = app.caption[0].value
    # of two classes both measures have one floor
    assert "floor: the largest class 50.0\u00a0%" in said
    assert "too optimistic, because it was chosen on the same folds that it is reported on" in said
    assert "One-vs-rest accuracy; " in app.caption[1].value
    assert "each choosing among 70" in app.caption[1].value
    assert [button.label for button in app.get("download_button")] == ["Table as CSV", "Report", "Script"]


def test_the_script_judges_the_same_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    ids = tuple(f"s{i}" for i in range(8))
    samples = Sequences(ids, tuple(("AT" if i % 2 else "CG") * 4 + "ACGT"[i % 4] for i in range(8)), "dna")
    labels = Labels(ids, np.array(["gc", "at"] * 4))
    config = StringTableConfig(longest=2, power=1.0, alignments=False)
    args = (config, samples, labels, CrossValidation(repeats=1), None)
    exec(compile(script(args), "downloaded", "exec"), {})
    printed = capsys.readouterr().out
    rows = judged_table.__wrapped__(*args).table()
    assert rows
    for row in rows:
        shown = ("kernel", "parameters", "power", "one_vs_rest", "multi_class", "items", "repetitions")
        ends = ("multi_class_from", "multi_class_to")
        assert str(tuple(row[name] for name in (*shown, *ends))) in printed


def test_without_labels_it_says_what_is_missing() -> None:
    app = AppTest.from_function(_without_labels).run()
    assert not app.exception
    shown = " ".join(each.value for each in (*app.error, *app.warning, *app.info))
    assert "no labels in" in shown
