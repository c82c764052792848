from dataclasses import replace

import pytest

from kernex_core.datasets.catalogue import DATASETS
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.samples import Labels
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.completion.study import CompletionConfig


@pytest.mark.parametrize(
    ("y", "judgeable"),
    [("aab", True), ("ab-", False), ("aa-", False), ("---", False), ("1122", True), ("1234", False)],
)
def test_a_classifier_needs_two_classes_and_one_of_several_items(y, judgeable):
    labels = Labels(tuple(map(str, range(len(y)))), ["" if c == "-" else c for c in y])
    data = DataSet("few", labels.ids, labels)
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
