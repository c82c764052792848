"""What users bring for Tables 4 and 6: sparse vectors and tables of families."""

import gzip

import numpy as np
import pytest

from kernex_core.errors import InvalidInputError, KernexError, NotPositiveSemidefiniteError, TooLargeError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import write_script
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.studies import orthogonal_sparse, published
from kernex_core.studies.orthogonal_families import (
    FAMILY_POWERS,
    FamiliesConfig,
    measuring_table_6,
    read_families,
)
from kernex_core.studies.orthogonal_patterns import ALL_POINTS, TRAIN_ONLY
from kernex_core.studies.orthogonal_sparse import read_sparse_vectors
from kernex_core.studies.orthogonal_thrombin import ThrombinConfig, measuring_table_4


class TestSparseVectors:
    @pytest.mark.parametrize(
        "text",
        [b"A,0,1,0,1\nI,1,0,0,0\n", b"A 2:1 4:1\nI 1:1\n\n", b"# comment\nA 4:1 2:1 # end\r\nI 1:1.0\r\n"],
    )
    @pytest.mark.parametrize("packed", [False, True])
    def test_both_forms_give_the_same_vectors(self, text, packed):
        read = read_sparse_vectors(gzip.compress(text) if packed else text, "t.data")
        np.testing.assert_array_equal(read.X.toarray(), [[0, 1, 0, 1], [1, 0, 0, 0]])
        assert read.labels.y.tolist() == ["A", "I"]
        assert read.share_of_entries == 3 / 8

    def test_other_numbers_than_zero_and_one_are_read(self):
        read = read_sparse_vectors(b"a,0,-2.5,10\nb,1,0,0\n", "t")
        np.testing.assert_array_equal(read.X.toarray(), [[0, -2.5, 10], [1, 0, 0]])

    def test_the_kernel_is_linear_and_its_script_makes_it_again(self, rng, tmp_path, monkeypatch):
        X = (rng.random((30, 200)) < 0.05).astype(int)
        X[:15, :4] |= rng.random((15, 4)) < 0.7
        lines = [f"{'A' if i < 15 else 'I'}," + ",".join(map(str, row)) for i, row in enumerate(X.tolist())]
        data = "\n".join(lines).encode()
        read = read_sparse_vectors(data, "thrombin.data")
        K = read.kernel()
        np.testing.assert_array_equal(K.values, X @ X.T)
        monkeypatch.chdir(tmp_path)
        (tmp_path / "thrombin.data").write_bytes(data)
        made = {}
        exec(write_script([K.recipe, read.labels.recipe], heading="x"), made)
        np.testing.assert_array_equal(made["k"].values, K.values)
        (tmp_path / "thrombin.data").write_bytes(data + b"\n")
        with pytest.raises(InvalidInputError, match="SHA-256"):
            exec(write_script([K.recipe], heading="x"), {})
        table = list(measuring_table_4(ThrombinConfig(), K, read.labels))[-1]
        assert table.mean(ALL_POINTS)[0] < 0.4

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (b"", "one labelled vector a line"),
            (b"A\nB\n", "one labelled vector a line"),
            (b"A,0,1\nB,0,1,1\n", "2 values"),
            (b"A,0,x\n", "line 1"),
            (b"A,0,,1\n", "line 1"),
            (b"A,0,nan\n", "line 1"),
            (b"A 0:1\n", "line 1"),
            (b"A 1:1\nB 2:x\n", "line 2"),
            (b"A 1:1 1:2\n", "line 1"),
            (gzip.compress(b"A,0,1\n" * 50)[:-9], "whole gzip"),
        ],
    )
    def test_other_files_are_refused(self, text, said):
        with pytest.raises(InvalidInputError, match=said):
            read_sparse_vectors(text, "t.data")

    @pytest.mark.parametrize(
        ("limit", "value"), [("UNPACKED_LIMIT", 10), ("ENTRY_LIMIT", 2), ("LINE_LIMIT", 6)]
    )
    def test_too_much_is_refused_before_it_is_held(self, limit, value, monkeypatch):
        monkeypatch.setattr(orthogonal_sparse, limit, value)
        with pytest.raises(TooLargeError):
            read_sparse_vectors(gzip.compress(b"A,1,1,1\nB,1,1,1\n"), "t.data")


class TestFamilies:
    TEXT = "id\tf1\tf2\na\t+train\t-test\nb\t-train\t\nc\t+test\t+test\nd\t−test\t-train\ne\t\t+train\n"

    def test_a_table_says_who_trains_and_tests_what(self):
        read = read_families(self.TEXT.encode(), "f.tsv")
        assert (read.ids, read.names) == (("a", "b", "c", "d", "e"), ("f1", "f2"))
        assert read.roles[:, 0].tolist() == ["+train", "-train", "+test", "-test", ""]
        assert (
            read_families(self.TEXT.replace("\t", ",").encode(), "f.csv").roles.tolist()
            == read.roles.tolist()
        )

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("id,f\n", "header of family names"),
            ("id,f\na,1\n", "line 2"),
            ("id,f\na,+train,x\n", "line 2"),
            ("id,f\na,+train\na,-test\n", "one line"),
        ],
    )
    def test_other_tables_are_refused(self, text, said):
        with pytest.raises(InvalidInputError, match=said):
            read_families(text.encode(), "f.csv")

    def test_families_are_scored_by_both_bases(self, rng):
        strings, roles = [], []
        for i in range(48):
            core = "ACDEFG" * 2 if i % 2 == 0 else ""
            strings.append(core + "".join(rng.choice(list("ACDEFGHIKLMNPQRSTVWY"), 20)))
            roles.append(("+" if i % 2 == 0 else "-") + ("train" if i < 32 else "test"))
        K = GramMatrix(Spectrum(3).gram(tuple(strings)))
        text = "id,f\n" + "\n".join(f"{i + 1},{role}" for i, role in enumerate(roles))
        families = read_families(text.encode(), "f.csv")
        states = list(measuring_table_6(FamiliesConfig(), K, families))
        assert [s.done for s in states] == list(range(1, 8))
        assert np.isnan(states[0].roc[ALL_POINTS][:, 1:]).all()
        for column in (ALL_POINTS, TRAIN_ONLY):
            assert (states[-1].roc[column] > 0.9).all()
            assert (states[-1].rfp[column] < 0.2).all()

    def test_a_side_that_does_not_train_tells_nothing_apart(self):
        text = "id,f\n1,-train\n2,-train\n3,+test\n4,-test\n"
        found = list(
            measuring_table_6(FamiliesConfig(), GramMatrix(np.eye(4)), read_families(text.encode(), "f"))
        )[-1]
        np.testing.assert_array_equal(found.roc[ALL_POINTS], 0.5)

    def test_a_test_side_that_is_missing_has_no_score(self):
        text = "id,f\n1,-train\n2,+train\n3,+test\n"
        found = list(
            measuring_table_6(FamiliesConfig(), GramMatrix(np.eye(3)), read_families(text.encode(), "f"))
        )[-1]
        assert np.isnan(found.roc[TRAIN_ONLY]).all()
        assert np.isnan(found.rfp[TRAIN_ONLY]).all()

    def test_what_does_not_fit_the_kernel_is_refused(self):
        families = read_families(self.TEXT.encode(), "f.tsv")
        cases = [
            (GramMatrix(np.eye(2), ("a", "b")), InvalidInputError),
            (GramMatrix(np.ones((5, 5)) - np.eye(5), families.ids), NotPositiveSemidefiniteError),
            (GramMatrix(np.full((5, 5), np.nan), families.ids), InvalidInputError),
        ]
        for K, error in cases:
            with pytest.raises(error):
                next(measuring_table_6(FamiliesConfig(), K, families))
        only = read_families(b"id,f\na,+train\n", "f.csv")
        with pytest.raises(KernexError, match="training and test"):
            next(measuring_table_6(FamiliesConfig(), GramMatrix(np.eye(1), ("a",)), only))
        with pytest.raises(InvalidInputError):
            FamiliesConfig(asymmetry=-1.0)

    def test_what_is_printed_has_the_rows_that_are_measured(self):
        assert tuple(published.ORTHOGONAL_TABLE_6) == FAMILY_POWERS
