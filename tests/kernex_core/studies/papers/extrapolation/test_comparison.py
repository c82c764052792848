"""The tables of "Kernel extrapolation" beside made-up scores."""

import numpy as np
import pytest

from kernex_core.learning.chance.tests import yates_p
from kernex_core.studies.papers.extrapolation.comparison import column_of, difference, rows_of_table_1
from kernex_core.studies.papers.extrapolation.paper import ALONE_AND_JOINT, LAMS, MISSING_AND_LAM, SHARES
from kernex_core.studies.papers.extrapolation.printed import DECISIONS
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured
from kernex_core.studies.papers.printed import Printed


def measured(values):
    values = np.asarray(values, dtype=float)
    return Measured(values, np.tile(values[:, None], (1, 2)), values)


def test_a_difference_has_the_errors_of_both_means():
    values = [0.97, 0.98, 0.96, 0.99, 0.975]
    made = difference(MISSING_AND_LAM, Printed(0.985, 0.013), measured(values))
    assert made.gap == pytest.approx(np.mean(values) - 0.985)
    assert made.se == pytest.approx(np.sqrt(np.var(values, ddof=1) / 5 + 0.013**2 / 5))
    assert made.within
    assert difference(MISSING_AND_LAM, Printed(0.90, 0.013), measured(values)).outside


def test_one_repetition_is_neither_inside_nor_outside():
    made = difference(MISSING_AND_LAM, Printed(0.5, 0.013), measured([0.97]))
    assert (made.within, made.outside) == (False, False)


def test_the_first_column_of_table_2_is_the_joint_row_of_table_1():
    joint = ALONE_AND_JOINT.printed["accuracy"][2:]
    assert joint == MISSING_AND_LAM.printed[column_of(LAMS[0])]
    assert ALONE_AND_JOINT.rows[2:] == MISSING_AND_LAM.rows == SHARES


def test_printed_p_values_follow_from_the_printed_accuracies():
    printed = ALONE_AND_JOINT.printed
    for accuracy, p in list(zip(printed["accuracy"], printed["Yates p"], strict=True))[2:]:
        found = yates_p(DECISIONS * accuracy.mean, DECISIONS * printed["accuracy"][1].mean, DECISIONS)
        assert found == pytest.approx(p.mean, abs=3e-4)


def test_rows_of_table_1_name_what_is_not_measured_yet():
    floor = {"one_vs_rest": 0.5, "multi_class": 0.5}
    nothing = ExtrapolationTables(SHARES, LAMS, 5, {}, {}, 206, floor, 0, 15, 0.0)
    rows = rows_of_table_1(ALONE_AND_JOINT, nothing, LAMS[0], "one_vs_rest")
    assert [row.name for row in rows] == ["target", "source", *SHARES]
    assert {row.measured for row in rows} == {None}
    assert [row.yates is None for row in rows] == [True, True, False, False, False]
    assert np.isnan([row.yates for row in rows[2:]]).all()
