"""The tables of "Kernel extrapolation" beside made-up scores."""

import numpy as np
import pytest

from kernex_core.learning.chance.interval import Passes, interval_of
from kernex_core.learning.chance.paired import yates_p
from kernex_core.studies.papers.extrapolation.paper import (
    ALONE_AND_JOINT,
    LAMS,
    MISSING_AND_LAM,
    SHARES,
    gap,
    rows_of_table_1,
)
from kernex_core.studies.papers.extrapolation.printed import DECISIONS
from kernex_core.studies.papers.extrapolation.tables import ExtrapolationTables, Measured, column_of
from kernex_core.studies.papers.paper_table import Printed


def test_a_difference_is_a_gap_without_a_verdict():
    """The authors' matrices are not public: nothing that is measured can be inside or outside of what they print."""
    values = np.array([0.97, 0.98, 0.96])
    made = Measured(values, np.tile(values[:, None], (1, 2)), values, interval_of([1.0], Passes(2, 3)))
    assert gap(Printed(0.985, 0.013), made) == pytest.approx(-0.015)
    assert not any(table.data.origin().same for table in (ALONE_AND_JOINT, MISSING_AND_LAM))


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
    assert [row.yates_printed for row in rows[2:]] == [0.0005, 0.0402, 0.7345]
    others = rows_of_table_1(ALONE_AND_JOINT, nothing, LAMS[0], "multi_class")
    assert np.isnan([row.yates_printed for row in others[2:]]).all()
