import numpy as np
import pytest

from kernex_core import (
    GramMatrix,
    InvalidInputError,
    Labels,
    Sequences,
    Vectors,
    align,
    align_with,
    expand,
    read_samples,
)
from kernex_core.gram.normalize import Center, CosineNormalize
from kernex_core.gram.provenance import write_script
from tests.kernex_core.inputs.dialects import matrix_bytes


def gram(ids, rng, name="k"):
    A = rng.normal(size=(len(ids), len(ids)))
    return GramMatrix(A @ A.T, tuple(ids), name)


def at(K, rows):
    place = [K.ids.index(name) for name in rows]
    return K.values[np.ix_(place, place)]


def test_intersection_lists_what_each_source_loses(rng):
    sequence, structure = gram("abcdef", rng), gram("fcax", rng)
    made = align({"sequence": sequence, "structure": structure}, Labels(tuple("fedcba"), list("uvwxyz")))
    assert made.data.ids == ("a", "c", "f")
    np.testing.assert_array_equal(made.data.kernels["structure"].values, at(structure, "acf"))
    np.testing.assert_array_equal(made.data.kernels["sequence"].values, at(sequence, "acf"))
    assert made.data.labels.y.tolist() == ["z", "x", "u"]
    assert made.dropped == {"sequence": ("b", "d", "e"), "structure": ("x",)}
    assert not made.missing
    assert any("3 of 6 items" in note.text and "b, d, e" in note.text for note in made.data.notes)


def test_union_leaves_wholly_unknown_rows(rng):
    sequence, structure = gram("abcdef", rng), gram("fca", rng)
    made = align({"sequence": sequence, "structure": structure}, how="union")
    K = made.data.kernels["structure"]
    assert K.ids == made.data.ids == tuple("abcdef")
    np.testing.assert_array_equal(K.known, [True, False, True, False, False, True])
    np.testing.assert_array_equal(at(K, "fca"), structure.values)
    assert made.missing == {"structure": ("b", "d", "e")}
    assert not made.dropped
    assert any("no similarities for 3 items" in note.text for note in made.notes)


def test_union_keeps_only_items_that_samples_have(rng):
    sequences = Sequences(tuple("abcd"), ("AC", "GT", "CC", "AA"))
    made = align({"residues": sequences, "structure": gram("dbz", rng)}, how="union")
    assert made.data.ids == tuple("abcd")
    assert made.dropped == {"structure": ("z",)}
    assert made.data.samples["residues"].strings == sequences.strings
    assert made.missing["structure"] == ("a", "c")


@pytest.mark.parametrize("how", ["union", "intersection"])
def test_whoever_follows_a_warning_keeps_the_items(rng, how):
    parts = {"structure": gram(["a", "b", "c"], rng), "values": Vectors(("b", "c"), rng.normal(size=(2, 2)))}
    (note,) = align(parts, how=how).notes
    assert "a" in note.text
    assert "gaps" in note.choice
    assert "values" in note.choice
    parts["values"] = Vectors(("a", "b", "c"), rng.normal(size=(3, 2)))
    assert align(parts, how=how).data.ids == ("a", "b", "c")

    kernels = {"structure": gram(["a", "b", "c"], rng), "sequence": gram(["b", "c"], rng)}
    (note,) = align(kernels).notes
    assert "Keep all items" in note.choice
    assert align(kernels, how="union").data.ids == ("a", "b", "c")


def test_labels_of_a_source_are_used(rng):
    labels = Labels(("b", "a"), ["x", "y"])
    vectors = Vectors(("b", "a"), np.eye(2), labels=labels)
    made = align({"k": gram("ab", rng), "points": vectors})
    assert made.data.labels.y.tolist() == ["y", "x"]
    np.testing.assert_array_equal(made.data.samples["points"].X, np.eye(2)[::-1])


def test_steps_are_kept(rng):
    K = gram("abc", rng).then(CosineNormalize())
    wide = expand(K, tuple("xcab"))
    assert wide.provenance.steps == K.provenance.steps
    np.testing.assert_allclose(at(wide, "abc"), K.values)
    assert np.isnan(wide.values[0]).all()
    with pytest.raises(InvalidInputError, match="not in it: c"):
        expand(K, tuple("abd"))
    with pytest.raises(InvalidInputError):
        expand(gram("abc", rng).then(Center()), tuple("abcd"))


def test_nothing_in_common_and_nothing_at_all(rng):
    with pytest.raises(InvalidInputError, match="p: a, b; q: x, y"):
        align({"p": gram("ab", rng), "q": gram("xy", rng)})
    with pytest.raises(InvalidInputError, match="at least one source"):
        align({})


def test_a_source_is_added_to_a_data_set(rng):
    data = align({"sequence": gram("abcd", rng)}, Labels(tuple("abcd"), list("xxyy")), name="mine").data
    made = align_with(data, "structure", gram("db", rng), how="union")
    assert made.data.name == "mine"
    assert list(made.data.kernels) == ["sequence", "structure"]
    assert made.data.labels.y.tolist() == list("xxyy")
    assert made.data.kernels["structure"].unknown.wholly_unknown.tolist() == [0, 2]
    smaller = align_with(made.data, "structure", gram("abc", rng))
    assert smaller.data.ids == tuple("abc")
    assert smaller.data.kernels["structure"].unknown.complete


def test_the_script_of_an_aligned_kernel_gives_it_again(rng, tmp_path, monkeypatch):
    data = matrix_bytes(gram("cab", rng).values, "cab")
    (tmp_path / "s.csv").write_bytes(data)
    structure = read_samples(data, "s.csv")
    made = align({"sequence": gram("abcd", rng), "structure": structure}, how="union")
    K = made.data.kernels["structure"]
    monkeypatch.chdir(tmp_path)
    names = {}
    exec(compile(write_script([K.recipe], heading="x"), "script", "exec"), names)
    assert any(getattr(value, "digest", "") == K.digest for value in names.values())


def test_half_a_real_structure_matrix(shared, rng):
    folder = shared / "data" / "scop_tim_barrel"
    sequence = read_samples((folder / "c1_sw_blosum62_score.csv.gz").read_bytes(), "sequence.csv")
    structure = read_samples((folder / "c1_sw_foldseek3di_score.csv.gz").read_bytes(), "structure.csv")
    half = structure.take(rng.permutation(373)[:180])
    made = align({"sequence": sequence, "structure": half}, how="union")
    assert made.data.n == 373
    assert made.data.kernels["structure"].known.sum() == 180
    assert made.data.ids == sequence.ids


def test_no_matrix_is_spelled_out_before_somebody_asks_for_its_script(rng, monkeypatch):
    def written(script, value):
        pytest.fail(f"{value!r} was written out")

    K = gram("abc", rng).then(CosineNormalize())
    with monkeypatch.context() as patch:
        patch.setattr("kernex_core.gram.provenance._Script.source", written)
        made = align({"k": K, "l": gram("bcde", rng, "l")}, how="union").data.select([1, 2, 4])
    again = []
    recipes = [kernel.recipe for kernel in made.kernels.values()]
    exec(write_script(recipes, heading="x", prints=["$0", "$1"]), {"print": again.append})
    for one, other in zip(again, made.kernels.values(), strict=True):
        np.testing.assert_array_equal(one.values, other.values)
