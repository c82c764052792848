import numpy as np
import pytest

from kernex_core import DATASETS, load_dataset
from kernex_core.base.errors import InvalidInputError
from kernex_core.gram.provenance import write_script

NAMES = [entry.name for entry in DATASETS]
WHOLE = {"karate_club", "les_miserables", "florentine_families"}
"""Real data of which nothing is drawn."""


@pytest.fixture(scope="module", params=DATASETS, ids=NAMES)
def entry(request):
    return request.param


@pytest.fixture(scope="module")
def data(entry):
    return entry.load(0)


def test_names_and_titles_are_distinct():
    assert len(set(NAMES)) == len(NAMES)
    assert len({entry.title for entry in DATASETS}) == len(NAMES)


def test_every_data_set_says_what_it_is(entry, data):
    assert data.name == entry.title
    assert data.description.endswith(".")
    assert entry.question.endswith("?")
    assert data.simulated == data.description.startswith("Simulated")
    assert (data.labels is None) == (entry.name == "florentine_families")
    assert data.defaults.C > 0


def test_source_and_target_exist_where_they_are_named(entry, data):
    assert {data.source, data.target} - {""} <= set(data.kernels)
    if entry.about == "completion":
        assert data.kernels[data.source].unknown.complete
        assert data.target


def test_the_name_and_the_seed_decide(entry, data):
    assert load_dataset(entry.name).digest == data.digest
    assert (entry.load(1).digest == data.digest) == (entry.name in WHOLE)


def test_every_part_is_reproduced_by_its_script(data):
    parts = [] if data.labels is None else [data.labels.recipe]
    parts += [part.recipe for part in [*data.samples.values(), *data.kernels.values()]]
    script = write_script(parts, heading="test")
    namespace = {}
    exec(script, namespace)
    assert script.count("load_dataset(") == 1
    if data.labels is not None:
        assert namespace["labels"].digest == data.labels.digest
    made = [value.digest for name, value in namespace.items() if hasattr(value, "digest")]
    wanted = [part.digest for part in [*data.samples.values(), *data.kernels.values()]]
    assert set(wanted) <= set(made)


def test_a_selection_still_knows_where_it_comes_from(data):
    chosen = data.select(np.arange(10))
    namespace = {}
    for K in chosen.kernels.values():
        exec(write_script([K.recipe], heading="test"), namespace)
    for name, K in chosen.kernels.items():
        np.testing.assert_array_equal(K.values, data.kernels[name].values[:10, :10])


def test_an_unknown_name_is_answered_with_the_names():
    with pytest.raises(InvalidInputError, match="protein_world"):
        load_dataset("proteins")


def test_bad_seeds_are_refused():
    with pytest.raises(InvalidInputError, match="seed"):
        load_dataset("protein_world", seed=-3)
