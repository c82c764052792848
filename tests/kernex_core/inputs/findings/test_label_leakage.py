"""Columns that say the class, and those that only look so."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

from kernex_core import InvalidInputError, Labels, SparseVectors, Vectors, read_samples, without_columns
from kernex_core.gram.provenance import write_script
from kernex_core.inputs import label_leakage
from kernex_core.inputs.items.selection import column_keys
from kernex_core.inputs.label_leakage import (
    _chance,
    class_numbers,
    leak_groups,
    leak_note,
    leak_warnings,
    leaking_columns,
)
from kernex_core.studies.data import assemble, dataset_script

CODES = np.repeat([0, 1], 10)
NINE = np.repeat(np.arange(9), [46, 11, 10, 9, 6, 6, 4, 2, 2])


def vectors(*columns, names=()):
    X = np.column_stack([np.asarray(column, dtype=float) for column in columns])
    return Vectors(tuple(map(str, range(len(X)))), X, names)


def look(column, codes=CODES):
    """Kind of the column, which stands beside a measurement."""
    gene = np.random.default_rng(0).normal(size=len(codes))
    found = leaking_columns(vectors(gene, column, names=("gene", "suspect")), codes)
    assert [each.name for each in found] in ([], ["suspect"])
    return found[0].kind if found else None


@pytest.mark.parametrize(
    "column", [CODES, 5.0 - CODES, -0.25 * CODES, np.r_[np.nan, np.nan, CODES[2:]], 1e300 * CODES]
)
def test_one_value_a_class_is_a_code(column):
    assert look(column) == "code"


def test_codes_of_nine_classes_are_found_whatever_their_order():
    assert look(np.array([4, 1, 8, 0, 3, 7, 2, 6, 5])[NINE], NINE) == "code"


@pytest.mark.parametrize(
    ("column", "codes", "how"),
    [
        (np.repeat([1, 2, 3, 4], 5), CODES, "each of its 4 values occurs in one class alone"),
        (np.r_[1, CODES[1:]], CODES, "19 of 20 items have the class that is usual for their value"),
        (NINE < 4, NINE, "all items of a class have the same value"),
        (np.r_[0, (NINE < 4)[1:]], NINE, "95 of 96 items have the value that is usual in their class"),
        # more values than classes, one of them mixed
        (
            NINE,
            np.r_[0, 0, 0, 0, NINE[4:] < 3],
            "92 of 96 items have the class that is usual for their value",
        ),
    ],
)
def test_a_few_values_that_say_the_class_in_other_words_or_nearly_are_asked_about(column, codes, how):
    (found,) = leaking_columns(vectors(column), codes)
    assert (found.kind, found.how) == ("doubt", how)


@pytest.mark.parametrize(
    "column",
    [
        np.r_[1, 1, CODES[2:]],  # two items of twenty speak against it
        np.ones(20),
        np.r_[CODES[:1], np.full(18, np.nan), CODES[-1:]],
        np.r_[np.full(10, np.nan), CODES[10:]],
        np.tile([0, 1], 10),
        np.full(20, np.nan),
    ],
)
def test_what_is_no_code_is_left_alone(column):
    assert look(column) is None


def test_a_class_in_a_stretch_of_its_own_is_asked_about_and_never_called_a_code():
    rng = np.random.default_rng(3)
    gene = rng.normal(size=20) + 100.0 * CODES
    assert look(gene) == "order"
    assert look(np.arange(20)) == "order"  # a row number of sorted items
    shuffled = rng.permutation(20)
    assert look(gene[shuffled], CODES[shuffled]) == "order"
    gene[3] = gene[12]  # the same value in both classes
    assert look(gene) is None
    assert look(np.r_[200.0, gene[1:]]) is None
    three = np.repeat([0, 1, 2], 8)
    assert look(np.arange(24.0), three) == "order"
    assert look(np.arange(24.0), np.repeat([0, 1, 0], 8)) is None


@pytest.mark.parametrize("few", [True, False])
def test_in_a_small_table_chance_does_the_same_and_nothing_is_said(few):
    rng = np.random.default_rng(1)
    codes = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    X = rng.integers(0, 2, (8, 2000)) if few else rng.normal(size=(8, 2000))
    separated = [all(len(set(codes[x == v])) == 1 for v in set(x)) for x in X.T] if few else [
        min(x[4:].min() - x[:4].max(), 0.0) == 0.0 or min(x[:4].min() - x[4:].max(), 0.0) == 0.0 for x in X.T
    ]  # fmt: skip
    assert sum(separated) > 10
    assert leaking_columns(vectors(*X.T), codes) == ()


def test_the_number_of_columns_of_the_same_sort_counts():
    codes = np.repeat([0, 1], 5)
    noise = np.random.default_rng(2).normal(size=(10, 500))
    assert [each.column for each in leaking_columns(vectors(codes, *noise.T), codes)] == [0]
    binary = np.random.default_rng(2).integers(0, 2, (10, 500))
    assert leaking_columns(vectors(codes, *binary.T), codes) == ()


def test_the_bound_on_chance_holds_where_every_labelling_can_be_counted():
    x, sizes = np.array([0, 0, 0, 1, 1, 2, 2, 2]), (5, 3)
    labellings = set(itertools.permutations([0] * sizes[0] + [1] * sizes[1]))
    assert len(labellings) == math.comb(8, 3)
    for odd in (0, 1, 2):
        right = [
            sum(max(np.bincount(np.array(y)[x == v], minlength=2)) for v in range(3)) >= 8 - odd
            for y in labellings
        ]
        bound = float(np.exp(_chance(*map(np.array, ([8], [3], [2], [sizes], [odd]))))[0])
        assert np.mean(right) <= bound


def test_random_labels_find_something_in_at_most_one_table_of_twenty():
    rng = np.random.default_rng(7)
    false = 0
    for _ in range(100):
        X = np.c_[rng.integers(0, 2, (24, 30)), rng.integers(0, 4, (24, 30)), rng.normal(size=(24, 30))]
        false += bool(leaking_columns(vectors(*X.T), rng.permutation(np.repeat([0, 1, 2], 8))))
    assert false <= 5


def test_labels_that_are_all_different_or_all_the_same_say_nothing():
    column = np.arange(20) % 4
    assert leaking_columns(vectors(column, np.arange(20)), [str(k) for k in range(20)]) == ()
    assert leaking_columns(vectors(column, np.arange(20)), ["a"] * 20) == ()
    assert leaking_columns(vectors(column), [""] * 20) == ()
    assert leaking_columns(vectors(column), Labels(tuple(map(str, range(20))), np.full(20, ""))) == ()


def test_items_without_a_class_are_not_looked_at():
    assert look(np.r_[7.0, CODES[1:]], np.r_[-1, CODES[1:]]) == "code"
    words = np.r_[[""], np.where(CODES[1:] == 1, "x", "y")]
    assert look(np.r_[7.0, CODES[1:]], words) == "code"
    assert class_numbers(words).tolist() == [-1, *(1 - CODES[1:])]


def test_many_columns_are_looked_at_in_pieces(monkeypatch):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 5, (96, 300)).astype(float)
    X[:, [7, 150, 299]] = NINE[:, None]
    X[:, 151] = NINE < 4
    X[:, 152] = np.arange(96) + 0.5
    X[rng.random(X.shape) < 0.02] = np.nan
    whole = leaking_columns(vectors(*X.T), NINE)
    assert [each.column for each in whole] == [7, 150, 151, 152, 299]
    monkeypatch.setattr("kernex_core.inputs.label_leakage.BLOCK", 500)
    assert leaking_columns(vectors(*X.T), NINE) == whole


def test_columns_without_names_are_counted():
    assert [each.name for each in leaking_columns(vectors(CODES, CODES), CODES)] == ["column 1", "column 2"]
    assert leaking_columns(vectors(CODES, CODES, names=("", "b")), CODES)[0].name == "column 1"


def test_a_note_a_kind_and_many_columns_are_cut():
    X = [*[CODES] * 10, np.repeat([1, 2, 3, 4], 5), np.arange(20)]
    groups = leak_groups(leaking_columns(vectors(*X), CODES))
    assert [(kind, len(members)) for kind, members in groups] == [("code", 10), ("doubt", 1), ("order", 1)]
    notes = [leak_note(*group) for group in groups]
    assert notes[0].text.startswith(
        "These columns say the class: column 1 (each of its 2 values is one class), "
    )
    assert notes[0].text.endswith("and 2 more.")
    assert notes[1].text.startswith("Does this column say the class in other words? column 11 (")
    assert [note.severity for note in notes] == ["warning", "warning", "note"]
    for note in notes:
        assert "worth nothing" in note.action
    assert leak_groups(()) == ()
    assert leak_warnings(leaking_columns(vectors(*X), CODES))[0] == notes[0]


def test_columns_are_left_out_and_a_script_does_the_same(tmp_path, monkeypatch):
    rows = [f"s{k},{'xy'[c]},{c},{k / 7:.3f},{c}" for k, c in enumerate(CODES)]
    data = "\n".join(["id,class,code,gene,code", *rows]).encode()
    found = read_samples(data, "v.csv")
    assert found.columns == ("code", "gene", "code")
    told = leaking_columns(found, found.labels)
    keys = column_keys(found, [each.column for each in told])
    assert keys[::2] == (1, 3)  # two columns of one name
    less = without_columns(found, [1, 3])
    assert less.columns == ("gene",)
    assert less.labels.y.tolist() == found.labels.y.tolist()
    assert found.columns == ("code", "gene", "code")
    assert less.digest != found.digest
    assert "code, code" in less.notes[-1].text
    (tmp_path / "v.csv").write_bytes(data)
    monkeypatch.chdir(tmp_path)
    made = assemble({"v": found}).data
    made = made.with_samples("v", without_columns(made.samples["v"], [1, 3]))
    for script in (write_script([less.recipe], heading="test"), dataset_script(made)):
        names = {}
        exec(compile(script, "script", "exec"), names)
        assert less.digest in [getattr(value, "digest", "") for value in names.values()]
        assert "without_columns(" in script


def test_columns_are_left_out_by_name_or_by_number():
    table = vectors(CODES, CODES + 1, CODES + 2, names=("a", "2", "1"))
    assert column_keys(table, [0, 1, 2]) == ("a", "2", "1")
    assert without_columns(table, ("1",)).columns == ("a", "2")
    assert without_columns(table, [1]).columns == ("2", "1")
    assert without_columns(table, [np.int64(3)]).columns == ("a", "2")
    assert without_columns(table, ()) is table
    bare = without_columns(vectors(CODES, CODES + 1), [2])
    assert (bare.columns, bare.X.shape, bare.recipe) == ((), (20, 1), None)
    assert "column 2" in bare.notes[-1].text


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [(["b"], "the columns are a"), ([0], "1 to 1"), ([2], "1 to 1"), ("a", "list of names"), ([True], "list"),
     ([1.5], "list"), (None, "list"), (["a"], "At least one column has to stay")],
)  # fmt: skip
def test_columns_that_cannot_be_left_out_are_refused(columns, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        without_columns(vectors(CODES, names=("a",)), columns)
    with pytest.raises(InvalidInputError, match="Vectors"):
        without_columns(None, ["a"])


def test_real_tables_name_their_codes_and_no_gene(shared):
    def read(path):
        return read_samples((shared / "data" / path).read_bytes(), path)

    lymphoma = read("lymphoma/lymphoma_96x4026.csv.gz")
    told = {each.name: each.kind for each in leaking_columns(lymphoma, lymphoma.labels)}
    assert told == {"class_code": "code", "dettling62": "doubt"}
    # asked about 62 malignant samples, the code of nine classes says nearly that
    by_62 = leaking_columns(lymphoma, lymphoma.X[:, 1].astype(int))
    assert {each.name: each.kind for each in by_62} == {"class_code": "doubt", "dettling62": "code"}
    colon = read("colon/colon_62x2000.csv.gz")
    assert leaking_columns(colon, colon.labels) == ()
    rounded = vectors(*np.round(np.log2(colon.X)).T)  # few values each, as of array software that rounds
    assert leaking_columns(rounded, colon.labels) == ()


# Sparse vectors: the same columns are found, and none is written out that cannot tell the class.


def sparse_of(X, names=()):
    return SparseVectors(tuple(map(str, range(len(X)))), csr_array(np.array(X, dtype=float)), names)


SPARSE = {
    "a bit of one class": lambda codes: [codes == 0],
    "a bit of all other classes": lambda codes: [codes != 0],
    "codes": lambda codes: [codes],
    "codes in other words": lambda codes: [codes + 10.0 * (np.arange(codes.size) % 2)],
    "nearly": lambda codes: [np.where(np.arange(codes.size) == 1, 1 - (codes == 0), codes == 0)],
    "ranges": lambda codes: [100.0 * codes + np.arange(codes.size) % 37],
    "measured": lambda codes: [np.random.default_rng(3).normal(size=codes.size)],
    "few items": lambda codes: [np.arange(codes.size) == 1],
}


@pytest.mark.parametrize("name", SPARSE)
@pytest.mark.parametrize("codes", [CODES, NINE, np.repeat([0, 1], [95, 5])], ids=["two", "nine", "rare"])
def test_sparse_columns_are_found_as_dense_ones_are(name, codes):
    rng = np.random.default_rng(0)
    noise = rng.random((codes.size, 12)) < 0.3
    X = np.column_stack([noise, *SPARSE[name](codes)]).astype(float)
    found = [(each.column, each.kind, each.how) for each in leaking_columns(sparse_of(X), codes)]
    expected = [(each.column, each.kind, each.how) for each in leaking_columns(vectors(*X.T), codes)]
    assert found == expected


@given(st.data())
def test_no_column_that_tells_the_class_is_left_out_of_the_look(data):
    codes = np.sort(np.array(data.draw(st.lists(st.integers(0, 3), min_size=20, max_size=40))))
    codes = np.unique(codes, return_inverse=True)[1]
    values = st.sampled_from([0.0, 0.0, 1.0, 2.0])
    of_class = data.draw(st.lists(values, min_size=4, max_size=4))
    X = np.array([of_class[c] for c in codes])
    for k in data.draw(st.lists(st.integers(0, codes.size - 1), max_size=2)):
        X[k] = 3.0 - X[k]
    X = np.column_stack(
        [X, np.arange(codes.size) % 2]
    )  # both have entries, as long as one is not 0 throughout
    found = [each.column for each in leaking_columns(sparse_of(X), codes)]
    expected = [each.column for each in leaking_columns(vectors(*X.T), codes)]
    # as many tests or more are counted: what is found is found among dense ones, too, and what is sure is found
    assert set(found) <= set(expected)
    if X[:, 0].any():
        assert found == expected or len(expected) > len(found)


def test_what_is_looked_at_of_many_sparse_columns_is_little(monkeypatch):
    rng = np.random.default_rng(0)
    codes = np.repeat([0, 1], [360, 40])
    places = (rng.integers(0, 400, 40_000), rng.integers(0, 20_000, 40_000))
    X = csr_array(coo_array((np.ones(40_000), places), shape=(400, 20_001)))
    X = csr_array(X + coo_array((codes[360:], (np.arange(360, 400), np.full(40, 20_000))), shape=X.shape))
    looked = []
    whole = label_leakage._looked
    monkeypatch.setattr(
        label_leakage, "_looked", lambda part, *args: looked.append(part.shape[1]) or whole(part, *args)
    )
    made = SparseVectors(tuple(map(str, range(400))), X)
    (found,) = leaking_columns(made, codes)
    assert (found.column, found.name, found.kind) == (20_000, "column 20001", "code")
    assert sum(looked) < 10
    left = without_columns(made, column_keys(made, [found.column]))
    assert left.X.shape == (400, 20_000)
    assert leaking_columns(left, codes) == ()
    assert "column 20001" in left.notes[-1].text


def test_sparse_columns_are_left_out_by_number_or_name():
    made = sparse_of([[1, 0, 2], [0, 3, 0]])
    assert without_columns(made, [2]).X.toarray().tolist() == [[1, 2], [0, 0]]
    assert without_columns(made, ["2"]).X.toarray().tolist() == [[1, 2], [0, 0]]
    named = sparse_of([[1, 0, 2], [0, 3, 0]], ("u", "v", "w"))
    assert without_columns(named, ["w"]).columns == ("u", "v")
    for wrong in ([4], [0], ["w"], [1, 2, 3]):
        with pytest.raises(InvalidInputError):
            without_columns(made, wrong)
