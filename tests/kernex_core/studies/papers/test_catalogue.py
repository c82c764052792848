"""Every table of PAPER_TABLES: what is printed fits its rows, in shares; what it asks for is there; its study runs."""

import dataclasses
import inspect

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import parameters
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.samples import Labels, Vectors
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.papers.catalogue import PAPER_TABLES, tables_of
from kernex_core.studies.papers.extrapolation.paper import YATES
from kernex_core.studies.papers.orthogonal.families import ROLES, Families
from kernex_core.studies.papers.paper_table import Difference, Origin

paper_tables = pytest.mark.parametrize("table", PAPER_TABLES, ids=lambda table: table.name)

N = 24
IDS = tuple(f"i{k}" for k in range(N))
FEW = {"trials": 1, "draws": 1, "data_sets": 1, "n": 20, "repeats": 1, "noise": 100}


def example(kind):
    """A small example of what a study takes after its configuration."""
    rng = np.random.default_rng(0)
    labels = Labels(IDS, np.repeat(["a", "b"], N // 2))
    X = rng.normal(size=(N, 30)) + np.repeat([0.0, 1.0], N // 2)[:, None]
    K = GramMatrix(X @ X.T, IDS)
    roles = np.array([[ROLES[(i + f) % 4] for f in range(2)] for i in range(N)])
    return {
        "generated": (),
        "vectors": (Vectors(IDS, np.exp(X)), labels, ()),
        "kernel": (K, labels, ()),
        "families": (K, Families(IDS, ("f", "g"), roles)),
        "two kernels": (K, GramMatrix((X @ X.T) ** 3, IDS), labels, CrossValidation(repeats=1)),
    }[kind]


def small(config):
    named = {field.name for field in dataclasses.fields(config)}
    return dataclasses.replace(config, **{name: value for name, value in FEW.items() if name in named})


def test_names_and_files_are_told_apart_and_papers_stand_together():
    names = [table.name for table in PAPER_TABLES]
    assert len(set(names)) == len(names)
    papers = [table.paper.key for table in PAPER_TABLES]
    assert papers == [key for key in dict.fromkeys(papers) for _ in tables_of(key)]
    # tables that one study measures share its widgets and files; no others do
    for one in PAPER_TABLES:
        for other in PAPER_TABLES:
            assert (one.key == other.key) == (one.file == other.file) == (one.study is other.study)


@paper_tables
def test_what_is_printed_has_the_rows_that_are_measured_and_is_a_share(table):
    for values in table.printed.values():
        assert len(values) == len(table.rows)
    printed = [p for values in table.printed.values() for p in values]
    printed += [each.printed for each in table.beside]
    numbers = np.array([(p.mean, p.plus_minus) for p in printed])
    assert np.isfinite(numbers).any()
    assert ((numbers >= 0.0) & (numbers <= 1.0) | np.isnan(numbers)).all()
    # accuracies and losses with decimals of a share, not of a percentage
    assert np.nanmax(numbers[:, 0]) > 0.1


@pytest.mark.parametrize(
    "table", [each for each in PAPER_TABLES if each.repeats.spread], ids=lambda table: table.name
)
def test_each_printed_number_has_its_plus_minus_where_the_table_prints_them(table):
    # a p value has none
    printed = [p for column, values in table.printed.items() if column != YATES for p in values]
    printed += [each.printed for each in table.beside]
    assert all(p.plus_minus > 0.0 for p in printed)


@paper_tables
def test_what_is_asked_for_is_there(table):
    asked = [name for line in table.asked for name in line]
    assert asked
    described = parameters(table.config)
    assert set(asked) <= set(described)
    assert not [name for name in asked if described[name].hidden]
    assert table.data.text.strip()
    assert table.data.public in {"", *(each.name for each in PUBLIC_DATASETS)}


@paper_tables
def test_its_study_runs_on_what_it_says_and_goes_on_from_what_is_done(table):
    config, data = small(table.config), example(table.data.kind)
    assert isinstance(table.quick(config, *data), bool)
    states = list(table.study(config, *data))
    assert [state.done for state in states] == list(range(1, states[-1].total + 1))
    if "done" in inspect.signature(table.study).parameters:
        rest = list(table.study(config, *data, done=states[0]))
        assert [state.done for state in rest] == [state.done for state in states[1:]]
    if hasattr(states[-1], "powers"):
        assert states[-1].powers == table.rows
    if table.data.kind == "two kernels":
        assert (*states[-1].shares,) == table.rows[-3:]


@paper_tables
def test_small_examples_are_not_taken_for_the_paper_s_data(table):
    origin = table.data.origin(*example(table.data.kind))
    assert isinstance(origin, Origin)
    assert origin.same is (table.data.kind == "generated")
    assert origin.same or origin.text.endswith(".")


WITH_CLASSES = [table for table in PAPER_TABLES if table.data.kind in ("vectors", "kernel")]


@pytest.mark.parametrize("table", WITH_CLASSES, ids=lambda table: table.name)
def test_labels_of_one_class_are_no_data_of_the_paper_and_refused_by_the_study(table):
    first, one = example(table.data.kind)[0], Labels(IDS, np.array(["a"] * N))
    assert table.data.origin(first, one, ()) == Origin(False)
    with pytest.raises(InvalidInputError, match="two classes"):
        table.study(table.config, first, one, ())


@pytest.mark.parametrize(
    ("gap", "se", "within", "outside"),
    [(0.02, 0.01, True, False), (-0.021, 0.01, False, True), (0.5, np.nan, False, False), (np.nan, 0.1, False, False)],
)  # fmt: skip
def test_a_difference_is_within_or_outside_two_standard_errors_or_unknown(gap, se, within, outside):
    difference = Difference(gap, se)
    assert (difference.within, difference.outside) == (within, outside)
