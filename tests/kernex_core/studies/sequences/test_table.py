"""The table of all string kernels: its rows are what `judge` says, its grid is whole, and it can be left at any time."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.conditioning.power import SignedPower
from kernex_core.conditioning.repairs import Clip
from kernex_core.datasets.fetched.sequences import read_promoters
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.learning.compare import compare_all
from kernex_core.learning.evaluate import judge
from kernex_core.learning.folds import CrossValidation
from kernex_core.studies.sequences.table import (
    StringTable,
    StringTableConfig,
    string_kernel_grid,
    string_table,
)

VALIDATION = CrossValidation(folds=2, repeats=2)


def two_families(alphabet: str = "dna") -> tuple[Sequences, Labels]:
    rng = np.random.default_rng(0)
    ids = tuple(f"s{i}" for i in range(16))
    strings = [
        "".join(rng.choice(list("ACGT"), 20, p=[0.4, 0.1, 0.1, 0.4] if i % 2 else [0.1, 0.4, 0.4, 0.1]))
        for i in range(16)
    ]
    return Sequences(ids, tuple(strings), alphabet), Labels(ids, np.array(["at", "gc"] * 8)[::-1])  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def made() -> StringTable:
    sequences, labels = two_families()
    *_, last = string_table(StringTableConfig(longest=2), sequences, labels, VALIDATION)
    return last


def test_rows_are_what_judge_says(made: StringTable) -> None:
    sequences, labels = two_families()
    assert not made.refused
    assert made.done == made.total == len(made.rows)
    plain, powered = made.rows[2:4]  # spectrum, k = 2
    K = Spectrum(k=2, alphabet="dna").similarities(sequences).then(CosineNormalize())
    assert (plain.power, plain.repaired) == (1.0, False)
    assert plain.judgement.one_vs_rest == judge(K, labels, VALIDATION).one_vs_rest
    assert (powered.power, powered.repaired) == (0.3, True)
    P = K.then(SignedPower(0.3)).then(Clip())
    assert powered.judgement.multi_class == judge(P, labels, VALIDATION).multi_class


def test_every_row_is_a_candidate_of_the_verdict(made: StringTable) -> None:
    verdict = made.verdict()
    assert verdict is not None
    assert len(verdict.candidates) == len(made.rows)
    assert verdict.best.value == max(row.judgement.one_vs_rest.mean for row in made.rows)
    pairs = compare_all(made.by_name, "one_vs_rest")
    best = {pair.first: pair.p for pair in pairs if pair.second == verdict.best.name}
    best |= {pair.second: pair.p for pair in pairs if pair.first == verdict.best.name}
    assert {each.name: each.p for each in verdict.candidates[1:]} == pytest.approx(best)
    assert replace(made, done=made.done - 1).verdict() is None


def test_a_similarity_is_normalised_and_repaired(made: StringTable) -> None:
    sequences, labels = two_families()
    row = next(
        row
        for row in made.rows
        if row.candidate.kernel == LocalAlignment(beta=0.2, log=True, matrix="NUC.4.4")
    )
    K = row.candidate.kernel.similarities(sequences).then(CosineNormalize()).then(Clip())
    assert row.repaired
    assert row.judgement.balanced == judge(K, labels, VALIDATION).balanced


def test_the_file_says_what_every_number_rests_on(made: StringTable) -> None:
    for row in made.table():
        assert (row["folds"], row["repetitions"], row["seed"], row["items"]) == (2, 2, 0, 16)
        assert row["all_negative_floor"] == row["majority_floor"] == 0.5
        assert row["tag"] in ("inductive", "transductive")
        assert (row["repair"] == "clip") == (
            row["power"] != 1.0 or row["kernel"] in ("Smith-Waterman", "Local alignment")
        )
    best = made.best
    assert best is not None
    assert best.judgement.one_vs_rest.mean == max(row["one_vs_rest"] for row in made.table())  # type: ignore[type-var]


def test_the_grid_fits_the_letters() -> None:
    kinds = {
        alphabet: {type(each.kernel).__name__ for each in string_kernel_grid(StringTableConfig(), alphabet)}
        for alphabet in ("dna", "protein", "structure", "text")
    }
    everything = {"Spectrum", "SpectrumSum", "Mismatch", "Subsequence", "LocalAlignment", "SmithWaterman"}
    assert kinds["dna"] == kinds["protein"] == kinds["structure"] == everything
    assert kinds["text"] == {"Spectrum", "SpectrumSum", "Subsequence"}
    titles = [each.title for each in string_kernel_grid(StringTableConfig(), "protein")]
    assert len(titles) == len(set(titles))


def test_a_kernel_that_cannot_be_computed_is_told_and_the_others_go_on() -> None:
    sequences, labels = two_families("protein")
    digits = Sequences(sequences.ids, tuple("1" + s for s in sequences.strings), "structure")
    *_, made = string_table(StringTableConfig(longest=1, power=1.0), digits, labels, VALIDATION)
    assert made.done == made.total
    assert len(made.rows) + len(made.refused) == made.total
    assert made.rows


def test_labels_of_other_items_are_refused() -> None:
    sequences, labels = two_families()
    with pytest.raises(InvalidInputError, match="same items"):
        next(string_table(StringTableConfig(), sequences.take(range(8)), labels, VALIDATION))


def test_leaving_the_table_ends_its_threads() -> None:
    sequences, labels = two_families()
    states = string_table(StringTableConfig(), sequences, labels, VALIDATION)
    next(states)
    states.close()  # type: ignore[attr-defined]
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("kernex-table")]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_promoters_are_told_apart_above_90_percent(shared: Path, seed: int) -> None:
    data = read_promoters((shared / "data" / "promoters" / "promoters.data").read_bytes())
    K = Spectrum(k=4).similarities(data.samples["DNA"]).then(CosineNormalize())
    found = judge(K, data.labels, CrossValidation(folds=10, repeats=1, seed=seed))
    assert found.multi_class.mean > 0.9
    assert found.multi_class.floor == 0.5


def test_long_words_of_promoters_recognise_overlaps(shared: Path) -> None:
    data = read_promoters((shared / "data" / "promoters" / "promoters.data").read_bytes())
    assert data.labels is not None
    K = Spectrum(k=6).similarities(data.samples["DNA"]).then(CosineNormalize())
    random, together = (
        judge(K, data.labels, CrossValidation(folds=10, repeats=1, grouped=grouped)).multi_class.mean
        for grouped in (False, True)
    )
    assert random > 0.95
    assert together < 0.75


def test_the_choice_among_the_rows_is_judged_inside_the_training_folds(made: StringTable) -> None:
    sequences, labels = two_families()
    assert made.choice is None
    *_, nested = string_table(StringTableConfig(longest=2, nested=True), sequences, labels, VALIDATION)
    choice, best = nested.choice, nested.best
    assert choice is not None
    assert best is not None
    assert len(choice.names) == len(nested.rows) == len(made.rows)
    shown = [row.judgement.one_vs_rest.mean for row in made.rows]
    np.testing.assert_allclose(choice.alone.mean(axis=1), shown)
    assert choice.best == (f"{best.candidate.title}, power {best.power:g}", pytest.approx(max(shown)))
    assert nested.table()[0].keys() == made.table()[0].keys()
