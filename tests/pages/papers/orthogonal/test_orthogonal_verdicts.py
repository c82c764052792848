"""What the page Papers / Almost orthogonal patterns concludes: nothing from one repetition, nothing from other data."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.studies.papers.orthogonal import comparison
from kernex_core.studies.papers.orthogonal.colon import COLON_POWERS, ColonConfig, measuring_table_2
from kernex_core.studies.papers.orthogonal.origin import Origin
from kernex_core.studies.papers.orthogonal.power_table import last
from kernex_core.studies.papers.orthogonal.strings import (
    ALL_POINTS,
    COLUMNS,
    COMPONENTS,
    POWERS,
    TRAIN_ONLY,
    OrthogonalTable,
)
from pages.papers.orthogonal import verdict as verdicts
from pages.papers.orthogonal.files import rows
from pages.papers.orthogonal.measured import Asked
from pages.papers.orthogonal.measured import rows as table_rows
from pages.papers.orthogonal.rows import cell
from pages.papers.orthogonal.strings import TABLE_1, _difference
from pages.papers.orthogonal.tables import TABLE_2, TABLE_4
from tests.pages.papers.orthogonal.test_orthogonal_page import PATH, choose, expression

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


def test_one_trial_is_neither_inside_nor_outside():
    found = made(1)
    assert np.isnan(TABLE_1.limits(found, ALL_POINTS)).all()
    assert TABLE_1.inside(found, ALL_POINTS) == (0, 0)
    assert {row["limit_2_se"] == row["limit_2_se"] for row in rows(TABLE_1, found, settings={})} == {False}


def test_cells_name_mean_standard_error_and_standard_deviation():
    assert cell(0.331, 0.0214, 0.09, bold=True) == "**33.1** ± 2.1 :gray[(9)]"
    assert cell(0.36, np.nan, 0.13, digits=0) == "36 :gray[(13)]"
    assert cell(np.nan, np.nan, np.nan) == "…"


def test_losses_beside_the_table_are_judged_as_if_they_varied_as_ours_do():
    found = made(20)
    losses = dict(found.losses)
    losses[COMPONENTS] = losses[ALL_POINTS] + 0.5
    found = replace(found, losses=losses)
    assert "outside" in _difference(found, COMPONENTS, 0, 0.23)
    assert "outside" not in _difference(found, COMPONENTS, 0, float(found.mean(COMPONENTS)[0]) + 0.01)
    assert _difference(made(1), ALL_POINTS, 0, 0.9) == "—"


def test_trials_that_share_their_strings_are_one_unit():
    rng = np.random.default_rng(1)
    found = made(100)
    sets = np.repeat(0.1 * rng.normal(size=(5, 1)), 20, axis=0)
    losses = {column: values + sets for column, values in found.losses.items()}
    alone = replace(found, losses=losses)
    shared = replace(alone, splits=20)
    assert shared.by_repetition(ALL_POINTS).shape == (5, len(POWERS))
    assert (shared.se(ALL_POINTS) > 2.0 * alone.se(ALL_POINTS)).all()
    # one set is what the paper would have then: its mean varies as ours do from set to set
    among = shared.by_repetition(ALL_POINTS).std(axis=0, ddof=1)
    assert (TABLE_1.printed_se(shared) >= among - 1e-12).all()
    assert (TABLE_1.printed_se(alone) < 0.05).all()
    apart = [comparison.distances(TABLE_1, each)[ALL_POINTS].se for each in (alone, shared)]
    assert apart[1] > 2.0 * apart[0]
    one = replace(made(20), splits=20)
    assert np.isnan(one.se(ALL_POINTS)).all()
    assert TABLE_1.no_error(one) == "one set of strings: no standard error"
    assert _difference(one, ALL_POINTS, 0, 0.9) == "—"


def made(trials, *, shift=0.0, train=0.0, noise=0.1, seed=0):
    """Table 1 with losses that are the printed ones and so much more, on both bases."""
    rng = np.random.default_rng(seed)
    printed = np.array([p.mean for p in TABLE_1.printed])
    common = noise * rng.normal(size=(trials, 1))
    common -= common.mean() if trials > 1 else 0.0
    losses = {column: np.full((trials, len(POWERS)), np.nan) for column in COLUMNS}
    losses[ALL_POINTS] = printed + shift + common
    losses[TRAIN_ONLY] = printed + train + common
    none = np.zeros(trials)
    return OrthogonalTable(losses, none, none, none, none, 0, 0, trials, trials, 1.0)


class TestSumOverRows:
    """The noise of a row's trials is that of all its rows: .1 / √20 each for measured and printed, together .032."""

    @pytest.mark.parametrize(
        ("shift", "train", "said"),
        [
            (0.0, 0.2, verdicts.BETTER[ALL_POINTS]),
            (-0.2, 0.0, verdicts.BETTER[TRAIN_ONLY]),
            (0.0, 0.01, verdicts.CANNOT_TELL),
            (0.0, 0.0, verdicts.CANNOT_TELL),
            (0.2, 0.25, verdicts.NEITHER),
        ],
    )
    def test_the_verdict_is_that_of_the_sum(self, shift, train, said):
        apart = comparison.distances(TABLE_1, made(20, shift=shift, train=train))
        assert verdicts.says(apart) == said
        assert apart[ALL_POINTS].gap == pytest.approx(shift)
        assert apart[TRAIN_ONLY].gap == pytest.approx(train)

    def test_one_row_decides_nothing(self):
        found = made(20)
        losses = dict(found.losses)
        losses[TRAIN_ONLY] = losses[TRAIN_ONLY].copy()
        losses[TRAIN_ONLY][:, 4] += 0.3
        found = replace(found, losses=losses)
        assert TABLE_1.inside(found, TRAIN_ONLY) == (10, 11)
        assert TABLE_1.inside(found, ALL_POINTS) == (11, 11)
        assert verdicts.says(comparison.distances(TABLE_1, found)) == verdicts.CANNOT_TELL

    def test_the_error_is_that_of_repetitions(self):
        found = made(20)
        spread = float(found.losses[ALL_POINTS].mean(axis=1).std(ddof=1))
        apart = comparison.distances(TABLE_1, found)
        assert apart[ALL_POINTS].se == pytest.approx(spread * np.sqrt(1 / 20 + 1 / 20))


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
        assert "by the sum over the rows the numbers" in text
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
    assert TABLE_4.repetitions == 1


def test_the_file_of_a_table_names_settings_data_and_classes_and_has_the_row_without_noise():
    data = expression()
    config = ColonConfig(draws=2, noise=500, seed=4)
    args = (config, data.samples["genes"], data.labels, ())
    found = last(measuring_table_2(*args))
    asked = Asked(TABLE_2, args, COLON_POWERS, 2, Origin(False), "mine")
    made = table_rows(asked, found)
    assert len(made) == 2 * len(COLON_POWERS) + 1
    assert {tuple(row) for row in made} == {tuple(made[0])}
    assert {(row["seed"], row["noise"], row["data"], row["classes"]) for row in made} == {
        (4, 500, "mine", "tumour against normal")
    }
    assert made[-1]["p"] == "as it is, without noise"
    assert made[-1]["loss"] == found.aside.mean()
    assert made[-1]["published"] == 0.18
