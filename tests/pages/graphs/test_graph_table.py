import pytest
import streamlit as st

from kernex_core.kernels.catalogue import kernels_for
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.graphs.table import GraphTableConfig
from pages.graphs.graphs import judged_table, script

PATH = "graphs/graphs.py"
TABLE = {"graphs_tab": "Every graph kernel"}


def test_a_click_judges_every_kernel_and_says_whether_one_wins(open_page_test, molecules, monkeypatch):
    tall: list[int] = []
    draw_table = st.dataframe
    monkeypatch.setattr(st, "dataframe", lambda *a, **k: tall.append(k["height"]) or draw_table(*a, **k))
    at = open_page_test(PATH, molecules.select(range(16)), TABLE)
    assert not at.dataframe
    assert any(
        "20 steps: 19 kernels of 16 graphs on the same folds, then" in each.value for each in at.caption
    )
    at.button(key="graphs.table.run").click().run()
    assert not at.exception
    assert not at.error
    found = at.dataframe[0].value
    assert set(found["kernel"]) >= {kind.title for kind in kernels_for("graphs")}
    assert len(found) == 19
    assert "β = half of its bound" in set(found["parameters"])
    assert set(tall) == {33 * 20 + 2}  # every row in sight
    assert set(found["tag"]) <= {"inductive", "transductive"}
    said = " ".join(each.value for each in at.caption)
    assert "too optimistic, because it was chosen on the same folds that it is reported on" in said
    assert f"each choosing among {len(found)}" in said
    judged = " ".join(each.value for each in at.markdown)
    assert "Nobody wins" in judged or "told apart from every other row" in judged
    assert "corrected for 171 pairs (Holm)" in said
    assert [button.label for button in at.get("download_button")] == ["Table as CSV", "Report", "Script"]


def test_without_labels_it_says_what_is_missing(open_page_test, molecules):
    at = open_page_test(PATH, molecules.with_labels(None), TABLE)
    shown = " ".join(each.value for each in (*at.error, *at.warning, *at.info))
    assert "no labels in" in shown


def test_the_script_judges_the_same_kernels(molecules, capsys: pytest.CaptureFixture[str]):
    args = (
        GraphTableConfig(more=False, nested=False), molecules.samples["graphs"], molecules.labels,
        CrossValidation(repeats=1),
    )  # fmt: skip
    exec(compile(script(args), "downloaded", "exec"), {})
    printed = capsys.readouterr().out
    rows = judged_table.__wrapped__(*args).table()
    assert rows
    names = (
        "kernel",
        "parameters",
        "multi_class",
        "items",
        "repetitions",
        "multi_class_from",
        "multi_class_to",
    )
    for row in rows:
        assert str(tuple(row[name] for name in names)) in printed
