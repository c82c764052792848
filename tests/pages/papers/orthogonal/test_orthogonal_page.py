import gzip
from dataclasses import replace

import numpy as np
import pytest

from kernex_core.base.errors import KernexError
from kernex_core.datasets.fetched.fetch import PublicDataSet
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.kernels.vectors.dot_product import Linear
from kernex_core.studies.papers.orthogonal.families import FamiliesConfig, measuring_table_6, read_families
from kernex_core.studies.papers.orthogonal.paper import mean_over_families
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY, last
from kernex_core.studies.papers.orthogonal.tables import ColonConfig, HiddenConfig, OrthogonalConfig
from pages.papers.orthogonal.orthogonal import rows, script
from pages.papers.orthogonal.own_data import cell
from pages.papers.orthogonal.subject import TABLES, AskedTable, Brought

PATH = "papers/orthogonal/orthogonal.py"
TABLE = "papers.orthogonal.table"


def asked(number, config, *data, name=""):
    return AskedTable(TABLES[number], config, Brought(data, name), TABLES[number].data.origin(*data))


def measured(question):
    return last(question.paper.study(*question.args))


def choose(at, number):
    control = at.segmented_control(key=TABLE)
    return control.set_value(next(o for o in control.options if o.startswith(str(number)))).run()


def expression(*, missing=0.0, seed=3):
    """Forty samples of two classes, intensities above 0; six genes tell."""
    rng = np.random.default_rng(seed)
    y = np.repeat(["normal", "tumour"], 20)
    X = rng.normal(size=(40, 60))
    X[20:, :6] += 2.0
    X = np.exp(X)
    X[rng.random(X.shape) < missing] = np.nan
    ids = tuple(f"s{i}" for i in range(40))
    return DataSet(
        "Expression", ids, Labels(ids, y), {"genes": Vectors(ids, X)}, {"linear": GramMatrix(np.eye(40), ids)}
    )


def test_the_table_is_measured_at_once_and_shown_beside_what_is_printed(open_page_test):
    at = open_page_test(PATH)
    assert not at.error
    table = at.table[0].value
    assert table["published"].iloc[0] == "36 ± 3.1 :gray[(13)]"
    assert all(" ± " in each for column in (ALL_POINTS, TRAIN_ONLY) for each in table[column])
    assert len(table[ALL_POINTS]) == len(table[TRAIN_ONLY]) == 11
    assert (
        table["difference "].str.contains("outside").sum() > table["difference"].str.contains("outside").sum()
    )
    at.session_state["orthogonal.tab"] = "Beside it"
    at.run()
    assert at.table[0].value["published"].tolist() == [
        "43 ± 3.0 :gray[(6)]", "22 ± 4.3 :gray[(8)]", "17 ± 4.8 :gray[(7)]", "23 ± 3.2 :gray[(7)]",
    ]  # fmt: skip
    at.session_state["orthogonal.tab"] = "Table"
    at.run()
    assert any("20 of 20 trials" in caption.value for caption in at.caption)
    assert any("every margin was hard" in caption.value for caption in at.caption)
    assert any("fit the map on all points better" in text.value for text in at.markdown)


def test_the_seed_moves_the_measured_numbers_only(open_page_test):
    at = open_page_test(PATH)
    before = at.table[0].value
    at.number_input(key="papers.orthogonal.seed").set_value(500).run()
    after = at.table[0].value
    assert list(before["published"]) == list(after["published"])
    assert list(before[ALL_POINTS]) != list(after[ALL_POINTS])


def test_hidden_variables_are_generated(open_page_test):
    at = choose(open_page_test(PATH), 3)
    at.number_input(key="papers.orthogonal.3.data_sets").set_value(2).run()
    assert not at.error
    assert any("2 of 2 data sets" in caption.value for caption in at.caption)
    assert at.table[0].value["published"].iloc[0].endswith(":gray[(12)]")


@pytest.mark.parametrize("number", [2, 4, 5, 6])
def test_what_to_bring_stands_where_nothing_is_open(number, open_page_test):
    at = choose(open_page_test(PATH), number)
    assert not at.error
    assert not at.exception
    assert any("What to bring" in text.value for text in at.markdown)
    assert len(at.info) == 1
    assert "published" in at.table[0].value or "ROC" in at.table[0].value


def test_expression_data_of_the_visitor_fill_tables_2_and_5(open_page_test):
    at = choose(open_page_test(PATH, expression()), 2)
    at.number_input(key="papers.orthogonal.2.draws").set_value(2).run()
    assert not at.error
    assert any("2 of 2 draws" in caption.value for caption in at.caption)
    at.session_state["orthogonal.tab"] = "Beside it"
    at.run()
    assert any("Without noise features" in caption.value for caption in at.caption)
    at.session_state["orthogonal.tab"] = "Table"
    choose(at, 5)
    assert not at.error
    assert any("Every entry is known" in text.value for text in at.markdown)


def test_a_column_that_says_the_class_is_named(open_page_test):
    data = expression()
    X = np.column_stack([data.samples["genes"].X, np.repeat([1.0, 2.0], 20)])
    data = replace(data, samples={"genes": Vectors(data.ids, X)})
    at = choose(open_page_test(PATH, data), 5)
    said = [text.value for text in at.markdown if "says the class: column 61" in text.value.replace("\\", "")]
    assert ":material/warning:" in said[0]


@pytest.mark.parametrize("number", [2, 5])
def test_the_paper_s_data_are_fetched_by_a_button(number, open_page_test, monkeypatch):
    at = choose(open_page_test(PATH), number)
    monkeypatch.setattr(PublicDataSet, "load", lambda self: replace(expression(), name=self.title))
    at.button(key=f"papers.orthogonal.{number}.fetch").click().run()
    assert not at.error
    assert not at.info
    assert any("every margin was hard" in caption.value for caption in at.caption)


def test_without_a_connection_the_page_says_so(open_page_test, monkeypatch):
    def offline(self):
        raise KernexError("Kernex needs a connection", "no answer", "Download it by hand")

    at = choose(open_page_test(PATH), 2)
    monkeypatch.setattr(PublicDataSet, "load", offline)
    at.button(key="papers.orthogonal.2.fetch").click().run()
    assert not at.exception
    assert "by hand" in at.error[0].value


def test_unknown_entries_say_how_they_were_filled_and_table_2_refuses_them(open_page_test):
    at = choose(open_page_test(PATH, expression(missing=0.05)), 5)
    assert not at.error
    assert any(
        "filled by column mean, from the training rows of each fold" in text.value for text in at.markdown
    )
    at.toggle(key="papers.orthogonal.5.inside").set_value(False).run()
    assert any("from all rows, test rows included" in text.value for text in at.markdown)
    choose(at, 2)
    assert "149 unknown ones" in at.error[0].value


def test_a_kernel_of_the_visitor_fills_table_4(open_page_test):
    data = expression()
    X = np.log(data.samples["genes"].X)
    data = data.with_kernel("linear", GramMatrix(X @ X.T, data.ids))
    at = choose(open_page_test(PATH, data), 4)
    assert not at.error
    assert any("3 of 3 repetitions" in caption.value for caption in at.caption)


def test_a_matrix_that_is_no_kernel_is_refused_by_table_4(open_page_test):
    data = expression()
    data = data.with_kernel("linear", GramMatrix(1.0 - np.eye(40), data.ids))
    at = choose(open_page_test(PATH, data), 4)
    assert len(at.error) == 1
    assert "on the page Kernels" in at.error[0].value
    assert not at.exception


def test_hard_cases_end_with_numbers_and_say_what_went_wrong(open_page_test):
    """A zero diagonal, negative entries, exact zeros, contradictory duplicates."""
    data = expression()
    X = np.repeat(np.eye(10), 4, axis=0)
    X[0] = 0.0
    X[4:8] *= -1.0
    X[8:12, 1] = 1.0
    y = np.array(["normal"] * 40)
    y[[3, 6, 9, 12, 15, 18, 21, 24]] = "tumour"
    hard = data.with_kernel("linear", GramMatrix(X @ X.T, data.ids)).with_labels(Labels(data.ids, y))
    at = choose(open_page_test(PATH, hard), 4)
    assert not at.error
    assert not at.exception
    assert any("3 of 3 repetitions" in caption.value for caption in at.caption)
    assert any("training decisions are wrong" in caption.value for caption in at.caption)


@pytest.mark.parametrize(("number", "folds"), [(2, 10), (4, 8), (5, 10)])
def test_classes_smaller_than_the_folds_are_refused_without_a_button(number, folds, open_page_test):
    data = expression()
    data = data.with_labels(Labels(data.ids, np.where(np.arange(40) < 7, "tumour", "normal")))
    at = choose(open_page_test(PATH, data), number)
    assert "7 of 'tumour'" in at.error[0].value.replace("\\", "")
    assert not [
        b
        for b in at.button
        if b.key in (f"papers.orthogonal.{number}.run", f"papers.orthogonal.{number}.stop")
    ]
    # what the paper prints stays
    assert "published" in at.table[0].value


def test_the_toy_finds_feature_1_when_p_falls(open_page_test):
    at = open_page_test(PATH)
    at.session_state["orthogonal.tab"] = "The toy"
    at.run()
    for p, f in ((0.1, "0.743"), (0.5, "0.130"), (1.0, "0.0008")):
        at.slider(key="toy").set_value(p).run()
        assert any(f"**f = {f}**" in text.value for text in at.markdown)


def test_the_script_and_the_download_hold_the_table(capsys):
    question = asked(1, OrthogonalConfig(trials=2))
    exec(script(question), {})
    assert TRAIN_ONLY in capsys.readouterr().out
    made = rows(question, measured(question))
    assert len(made) == 11 + 11 + 11 + 1
    assert made[0]["published"] == 0.36
    beside = [row for row in made if row["column"] not in (ALL_POINTS, TRAIN_ONLY) and row["published"]]
    assert sorted((row["published"], row["published_plus_minus"]) for row in beside) == [
        (0.17, 0.07), (0.22, 0.08), (0.23, 0.07), (0.43, 0.06),
    ]  # fmt: skip
    assert {(row["trials"], row["seed"], row["C"]) for row in made} == {(2, 0, 1e6)}


def test_scripts_of_the_other_tables_print_what_the_page_shows(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    question = asked(3, HiddenConfig(data_sets=1, n=40))
    exec(script(question), {})
    assert repr(measured(question).mean(TRAIN_ONLY).round(3)) in capsys.readouterr().out
    assert "It reads from the folder" not in script(question)
    data = expression()
    lines = ["label," + ",".join(f"g{j}" for j in range(60))]
    values = zip(data.labels.y, data.samples["genes"].X, strict=True)
    lines += [f"{label}," + ",".join(map(repr, row.tolist())) for label, row in values]
    (tmp_path / "colon.csv.gz").write_bytes(gzip.compress("\n".join(lines).encode()))
    read = read_samples((tmp_path / "colon.csv.gz").read_bytes(), "colon.csv.gz")
    question = asked(2, ColonConfig(draws=1, noise=1000), read, read.labels, ())
    exec(script(question), {})
    assert repr(measured(question).mean(ALL_POINTS).round(3)) in capsys.readouterr().out
    assert "It reads from the folder in which it is started: colon.csv.gz" in script(question)


def test_rows_of_families_name_family_power_and_basis():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(12, 4))
    text = "id,f\n" + "\n".join(
        f"{i + 1},{role}" for i, role in enumerate(["+train", "-train", "+test", "-test"] * 3)
    )
    question = asked(6, FamiliesConfig(), GramMatrix(X @ X.T), read_families(text.encode(), "f.csv"))
    made = rows(question, measured(question))
    assert len(made) == 2 * 7
    assert {row["family"] for row in made} == {"f"}
    assert all(0.0 <= row["roc"] <= 1.0 for row in made)


def test_the_script_of_table_6_measures_it_again(tmp_path, monkeypatch, capsys):
    X = np.random.default_rng(0).normal(size=(12, 4))
    lines = ["label," + ",".join(f"g{j}" for j in range(4))]
    lines += [f"{'ab'[i % 2]}," + ",".join(map(repr, row)) for i, row in enumerate(X.tolist())]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "v.csv").write_text("\n".join(lines))
    vectors = read_samples((tmp_path / "v.csv").read_bytes(), "v.csv")
    K = Linear().similarities(vectors)
    roles = zip(vectors.ids, ["+train", "-train", "+test", "-test"] * 3, strict=True)
    text = "id,f\n" + "\n".join(f"{name},{role}" for name, role in roles)
    (tmp_path / "f.csv").write_text(text)
    families = read_families(text.encode(), "f.csv")
    exec(script(asked(6, FamiliesConfig(), K, families)), {})
    found = list(measuring_table_6(FamiliesConfig(), K, families))[-1]
    assert repr(found.roc[ALL_POINTS].round(4)) in capsys.readouterr().out
    with pytest.raises(KernexError, match="SHA-256"):
        read_families(text.encode() + b"\n", "f.csv", sha256="0000")


def test_a_mean_far_from_the_printed_one_is_outside_and_one_family_has_no_verdict():
    near, far = np.array([0.5, 0.6, 0.7]), np.array([0.1, 0.1, 0.11])
    assert "outside" not in cell(mean_over_families(near, 0.65), judged=True)
    assert "outside" in cell(mean_over_families(far, 0.65), judged=True)
    assert "outside" not in cell(mean_over_families(far, 0.65))
    assert cell(mean_over_families(np.array([0.1, np.nan]), 0.65), judged=True) == "**0.1000**"
    assert cell(mean_over_families(np.array([np.nan]), 0.65), judged=True) == "…"
