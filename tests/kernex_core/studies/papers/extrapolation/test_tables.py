import ast
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import kernex_core
from kernex_core.base.errors import InvalidInputError
from kernex_core.datasets.catalogue import load_dataset
from kernex_core.learning.chance.paired import yates_p
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig, prepare, prepare_source
from kernex_core.studies.papers.extrapolation import printed as published
from kernex_core.studies.papers.extrapolation.tables import measuring


def run(seed=0, repeats=2, shares=(0.25,), lams=(0.1, 0.9), data_seed=0):
    data = load_dataset("protein_world", data_seed)
    states = list(
        measuring(
            CompletionConfig(seed=seed),
            data.kernels[data.source],
            data.kernels[data.target],
            data.labels,
            CrossValidation(C=1.5, repeats=repeats, seed=seed),
            shares=shares,
            lams=lams,
        )
    )
    return data, states


once = cache(run)


def test_a_cell_is_the_judgement_of_its_kernel():
    data, states = once()
    tables = states[-1]
    assert [state.done for state in states] == [1, 2]
    config = CompletionConfig(share=0.25)
    K = prepare(config, prepare_source(config, data.kernels["sequence"]), data.kernels["structure"]).kernel(
        0.1
    )
    single = judge(K, data.labels, CrossValidation(C=1.5, repeats=1))
    first = tables.joint(0.25, 0.1)
    assert first.values[0] == pytest.approx(single.one_vs_rest.mean)
    assert tables.joint(0.25, 0.1, "multi_class").values[0] == pytest.approx(single.multi_class.mean)
    assert first.sd_classes == pytest.approx(np.std(first.by_class.mean(axis=0), ddof=1))
    assert tables.joint(0.5, 0.1) is None


def test_every_p_and_every_interval_is_of_the_measure_that_is_asked_for():
    data, states = once()
    tables = states[-1]
    for measure in ("one_vs_rest", "multi_class"):
        joint, source = tables.joint(0.25, 0.1, measure), tables.alone("source", measure)
        n = 2 * tables.n_items
        expected = yates_p(n * joint.mean, n * source.mean, n)
        assert tables.yates(0.25, 0.1, measure) == expected
        alone = judge(
            prepare_source(CompletionConfig(), data.kernels["sequence"]),
            data.labels,
            CrossValidation(C=1.5, repeats=2),
        )
        assert source.interval == alone.interval(measure)
    assert (
        tables.yates(0.25, 0.1)
        == tables.yates(0.25, 0.1, "one_vs_rest")
        != tables.yates(0.25, 0.1, "multi_class")
    )


def test_another_seed_moves_the_measured_numbers_and_the_same_one_does_not():
    one, again, other = (states[-1] for _, states in (once(), run(), run(seed=7)))
    for role in ("source", "target"):
        np.testing.assert_array_equal(one.alone(role).values, again.alone(role).values)
    np.testing.assert_array_equal(one.joint(0.25, 0.1).values, again.joint(0.25, 0.1).values)
    assert not np.array_equal(one.joint(0.25, 0.1).values, other.joint(0.25, 0.1).values)


def test_published_numbers_are_read_by_displays_and_comparisons_only():
    folder = Path(kernex_core.__file__).parent
    allowed = {*folder.rglob("papers/*/*comparison.py"), *folder.rglob("papers/*/paper.py")}
    allowed |= {folder / "studies/papers/catalogue.py", folder / "__init__.py"}
    # the lesson on errata sets what a paper prints beside what is computed
    allowed.add(folder / "studies/lessons/errata.py")
    for file in set(folder.rglob("*.py")) - allowed:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                imported = [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]
                held = (".printed", ".paper", "comparison", "papers.catalogue", "PAPER_TABLES")
                found = {name for name in imported if "studies.papers" in name and name.endswith(held)}
                # what a printed number is, without any
                assert not found - {"kernex_core.studies.papers.paper_table"}, file


def test_nonsense_is_refused():
    with pytest.raises(InvalidInputError, match="λ"):
        run(lams=(1.5,))
    with pytest.raises(InvalidInputError, match="at least one"):
        run(shares=())
    tables = once()[1][-1]
    with pytest.raises(InvalidInputError, match="measure"):
        tables.alone("source", "accuracy")


@pytest.mark.slow
def test_the_simulated_world_falls_with_the_missing_fraction_and_with_lam():
    tables = run(repeats=5, shares=published.SHARES, lams=published.LAMS)[1][-1]
    grid = np.array([[tables.joint(s, lam).mean for lam in published.LAMS] for s in published.SHARES])
    assert (np.diff(grid, axis=0) < 0).all()
    assert (np.diff(grid, axis=1) < 0).all()
    assert grid[0, 0] > tables.alone("source").mean
    printed = np.array([[p.mean for p in published.TABLE_2[s]] for s in published.SHARES])
    assert abs(grid - printed).max() < 0.016
    assert 0.0 < tables.yates(0.1, 0.1) < 0.01
