"""Columns that say the class."""

import numpy as np
import pytest

from kernex_core.inputs.samples import Vectors
from kernex_core.learning.evaluate import Coded
from kernex_core.studies.telltale import telltale_columns, telltale_notes

CODES = np.repeat([0, 1], 10)


def look(column, codes=CODES):
    X = np.column_stack([np.random.default_rng(0).normal(size=codes.size), column])
    vectors = Vectors(tuple(map(str, range(codes.size))), X, ("gene", "suspect"))
    return telltale_columns(vectors, Coded(codes, ("a", "b")))


@pytest.mark.parametrize(
    "column",
    [CODES * 1.0, 5.0 - CODES, np.repeat([1.0, 2.0, 3.0, 4.0], 5), np.r_[np.nan, np.nan, CODES[2:]]],
)
def test_a_code_of_the_class_is_found(column):
    assert look(column) == ("suspect",)


@pytest.mark.parametrize(
    "column",
    [
        np.r_[1.0, CODES[1:]],  # one item speaks against it
        np.arange(20.0),  # a measurement: every value occurs once
        np.ones(20),
        np.r_[CODES[:1], np.full(18, np.nan), CODES[-1:]],
    ],
)
def test_what_is_no_code_is_left_alone(column):
    assert look(column) == ()


def test_items_without_a_class_are_not_looked_at():
    assert look(np.r_[1.0, 1.0 * CODES[1:]], np.r_[-1, CODES[1:]]) == ("suspect",)


def test_columns_without_names_are_counted_and_many_are_cut():
    X = np.repeat(CODES[:, None] * 1.0, 5, axis=1)
    (note,) = telltale_notes(Vectors(tuple(map(str, range(20))), X), Coded(CODES, ("a", "b")))
    assert "column 1, column 2, column 3 and 2 more" in note
