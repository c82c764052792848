from dataclasses import replace

import pytest

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig


@pytest.mark.parametrize(
    ("y", "judgeable"), [(["a", "b", ""], True), (["a", "a", ""], False), (["", "", ""], False)]
)
def test_a_classifier_needs_two_classes(y, judgeable):
    labels = Labels(("1", "2", "3"), y)
    data = DataSet("three", labels.ids, labels)
    assert labels.judgeable is judgeable
    assert data.judgeable is (labels if judgeable else None)
    assert replace(data, labels=None).judgeable is None


@pytest.mark.parametrize("entry", DATASETS, ids=lambda entry: entry.name)
def test_defaults_are_settings_that_the_studies_take(entry):
    given = entry.load().defaults
    CrossValidation(C=given.C, folds=given.folds, repeats=given.repeats)
    CompletionConfig(nugget=given.nugget)


def test_a_data_set_that_says_nothing_starts_as_the_studies_do():
    assert Defaults().nugget == CompletionConfig().nugget
    assert Defaults().C == CrossValidation().C
    assert DataSet("one", ("1",)).defaults == Defaults()
