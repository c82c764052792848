"""SVM-Fisher on a page: nothing runs before a click, its weakness is said, and the script finds the same."""

from __future__ import annotations

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.sequences.fisher import FisherConfig
from pages.kernels.strings.fisher import judged_fisher, script


def _page() -> None:
    import numpy as np

    from kernex_core.inputs.dataset import DataSet
    from kernex_core.inputs.samples import Labels, Sequences
    from pages.kernels.strings import fisher

    ids = tuple(f"s{i}" for i in range(12))
    samples = Sequences(ids, tuple(("AT" if i % 2 else "CG") * 5 + "ACGT"[i % 4] for i in range(12)), "dna")
    labels = Labels(ids, np.array(["gc", "at"] * 6))
    fisher.draw(DataSet(name="toy", ids=ids, samples={"DNA": samples}, labels=labels), samples)


def test_a_click_judges_every_class() -> None:
    app = AppTest.from_function(_page).run()
    assert not app.exception
    assert not app.dataframe
    assert "Its weakness" in app.caption[0].value
    assert any("4 profiles, each read by 12 sequences: about 1 s." in each.value for each in app.caption)
    app.button(key="sequences.fisher.run").click().run()
    assert not app.exception
    assert not app.error
    table = app.dataframe[0].value
    assert list(table.columns) == ["method", "mean", "at (6)", "gc (6)"]
    assert list(table["method"]) == ["Spectrum 3, SVM", "Profile, log-odds", "Profile, Fisher, SVM"]
    assert table["mean"].min() > 0.9
    assert [button.label for button in app.get("download_button")] == ["Table as CSV", "Report", "Script"]


def test_the_script_judges_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    ids = tuple(f"s{i}" for i in range(8))
    samples = Sequences(ids, tuple(("AT" if i % 2 else "CG") * 4 + "ACGT"[i % 4] for i in range(8)), "dna")
    labels = Labels(ids, np.array(["gc", "at"] * 4))
    args = (FisherConfig(rounds=1), samples, labels, CrossValidation(repeats=1))
    exec(compile(script(args), "downloaded", "exec"), {})
    printed = capsys.readouterr().out
    rows = judged_fisher.__wrapped__(*args).table()
    assert len(rows) == 9
    for row in rows:
        assert str((row["method"], row["class"], row["auc"])) in printed
