"""What the page Papers / Almost orthogonal patterns concludes: nothing from one repetition, nothing from other data."""

import numpy as np
import pandas as pd
import pytest

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.papers.orthogonal.paper import LossComparison
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS
from kernex_core.studies.papers.orthogonal.tables import (
    COLON_POWERS,
    ColonConfig,
    OrthogonalConfig,
    measuring_table_1,
)
from kernex_core.studies.papers.paper_table import Difference
from pages.papers.orthogonal.losses import cell, gap_cell, no_error
from pages.papers.orthogonal.orthogonal import rows
from pages.papers.orthogonal.subject import TABLES as PAPER_TABLES
from tests.pages.papers.orthogonal.test_orthogonal_page import PATH, asked, choose, expression, measured

TABLES = {1: "papers.orthogonal.trials", 3: "papers.orthogonal.3.data_sets", 4: "papers.orthogonal.4.repeats"}
CONCLUSIONS = ("within 2 SE", "Rows within", "the numbers", ":orange[outside]")


def written(at):
    return "\n".join(
        [*(each.value for each in (*at.markdown, *at.caption)), *(str(t.value.to_dict()) for t in at.table)]
    )


def setting(at, key):
    return next(each for each in (*at.number_input, *at.slider) if each.key == key)


@pytest.mark.parametrize("number", TABLES)
def test_one_repetition_has_no_standard_error_and_no_verdict(number, open_page_test):
    at = choose(open_page_test(PATH, expression()), number)
    setting(at, TABLES[number]).set_value(1).run()
    assert not at.error
    if number != 4:
        assert "no standard error" in written(at)
    assert "within 2 SE" not in written(at)
    assert "outside" not in str(at.table[0].value.to_dict())
    assert "± nan" not in written(at)


def test_a_file_of_one_trial_has_no_limits():
    question = asked(1, OrthogonalConfig(trials=1))
    limits = [row["limit_2_se"] for row in rows(question, measured(question))]
    assert {limit is None or np.isnan(limit) for limit in limits} == {True}


def test_cells_name_mean_standard_error_and_standard_deviation():
    assert cell(0.331, 0.0214, 0.09, bold=True) == "**33.1** ± 2.1 :gray[(9)]"
    assert cell(0.36, np.nan, 0.13, digits=0) == "36 :gray[(13)]"
    assert cell(np.nan, np.nan, np.nan) == "…"


def test_gaps_are_points_with_a_sign_and_what_is_unknown_is_a_dash():
    assert gap_cell(Difference(0.0921, 0.01)) == "+9.2 :orange[outside]"
    assert gap_cell(Difference(-0.0921, 0.1)) == "−9.2"
    assert gap_cell(Difference(-0.0002, 0.1)) == gap_cell(Difference(0.0002, 0.1)) == "0.0"
    assert gap_cell(Difference(0.1, np.nan)) == gap_cell(Difference(np.nan, 0.1)) == "—"


@pytest.mark.parametrize(
    ("splits", "said"), [(1, "one trial: no standard error"), (20, "one set of strings: no standard error")]
)
def test_what_was_not_repeated_is_named(splits, said):
    found = next(measuring_table_1(OrthogonalConfig(trials=3, splits=splits)))
    assert no_error(LossComparison(PAPER_TABLES[1], found)) == said


def lymphoma(shared, labels):
    table = pd.read_csv(shared / "data" / "lymphoma" / "lymphoma_96x4026.csv.gz")
    ids = tuple(table["sample"].astype(str))
    y = table["class_name"] if labels == "class_name" else np.where(table["dettling62"] == 1, "ill", "well")
    X = table.iloc[:, 4:].to_numpy(float)
    return DataSet("Blood", ids, Labels(ids, np.asarray(y, dtype=str)), {"genes": Vectors(ids, X)})


class TestOtherData:
    @pytest.mark.parametrize(("number", "name"), [(2, "colon"), (5, "lymphoma"), (4, "thrombin")])
    def test_they_are_named_and_not_judged(self, number, name, open_page_test):
        at = choose(open_page_test(PATH, expression()), number)
        assert not at.error
        text = written(at).replace("\\", "")
        if number == 4:
            assert "This is not thrombin: 20 and 20 items" in text
        else:
            assert f"These are not the paper's {name} data: 40 × 60 instead of" in text
        assert not [each for each in CONCLUSIONS if each in written(at)]
        assert f"published, {name}" in at.table[0].value
        assert at.table[0].value.shape[1] == 4

    @pytest.mark.parametrize("number", [2, 5])
    def test_the_paper_s_can_be_fetched_all_the_same(self, number, open_page_test):
        at = choose(open_page_test(PATH, expression()), number)
        assert at.button(key=f"papers.orthogonal.{number}.fetch")

    def test_the_paper_s_data_with_its_classes_are_judged(self, open_page_test, shared):
        at = choose(open_page_test(PATH, lymphoma(shared, "dettling")), 5)
        setting(at, "papers.orthogonal.5.repeats").set_value(2).run()
        assert not at.error
        text = written(at)
        assert "within 2 SE" in text
        assert "by the sum over the rows" in text
        assert "not the paper" not in text
        assert not [b for b in at.button if b.key == "papers.orthogonal.5.fetch"]

    def test_the_paper_s_data_with_other_classes_begin_with_the_malignant_ones(self, open_page_test, shared):
        at = choose(open_page_test(PATH, lymphoma(shared, "class_name")), 5)
        chosen = at.multiselect(key="papers.orthogonal.5.positive.Blood").value
        assert sorted(chosen) == ["CLL", "DLBCL", "FL"]
        text = written(at).replace("\\", "")
        assert "66 items against 30" in text
        assert "the classes are not: 66 and 30 samples instead of 62 malignant and 34 others" in text
        assert "within 2 SE" not in text


def test_table_4_has_a_standard_error_by_default(open_page_test):
    at = choose(open_page_test(PATH, expression()), 4)
    measured = at.table[0].value[ALL_POINTS]
    assert all(" ± " in each for each in measured)
    assert PAPER_TABLES[4].repeats.printed == 1


def test_the_file_of_a_table_names_settings_data_and_classes_and_has_the_row_without_noise():
    data = expression()
    config = ColonConfig(draws=2, noise=500, seed=4)
    question = asked(2, config, data.samples["genes"], data.labels, (), name="mine")
    found = measured(question)
    made = rows(question, found)
    assert len(made) == 2 * len(COLON_POWERS) + 1
    assert {tuple(row) for row in made} == {tuple(made[0])}
    assert {(row["seed"], row["noise"], row["data"], row["classes"]) for row in made} == {
        (4, 500, "mine", "tumour against normal")
    }
    assert made[-1]["p"] == "as it is, without noise"
    assert made[-1]["loss"] == found.aside.mean()
    assert made[-1]["published"] == 0.18
    assert {row["published_se"] for row in made} == {None}
