"""Tables of families that users bring for Table 6, and what is measured on them."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from kernex_core.base.errors import InvalidInputError, KernexError, NotPositiveSemidefiniteError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import Center
from kernex_core.gram.split import split_inductively, split_transductively
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.studies.papers.orthogonal import printed as published
from kernex_core.studies.papers.orthogonal.families import (
    FAMILY_POWERS,
    Families,
    FamiliesConfig,
    measuring_table_6,
    read_families,
)
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS, TRAIN_ONLY


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

    @pytest.mark.parametrize("separator", [",", ";", "\t"])
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    def test_commas_semicolons_and_tabs_tell_the_same(self, separator, mark):
        read = read_families(mark + self.TEXT.replace("\t", separator).encode(), "f.txt")
        np.testing.assert_array_equal(read.roles, read_families(self.TEXT.encode(), "f.tsv").roles)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("id,f\n", "header of family names"),
            ("id f\na +train\n", "2 lines of 1 fields. Put commas"),
            ("id,f\na,1\n", "'1' in column 2 of line 2"),
            ("id,f\n\n\na,x\n", "'x' in column 2 of line 4"),
            ("id,f\na,+train,x\n", "line 2"),
            ("id,f\na,+train\na,-test\n", "one line. Found: 'a' twice"),
            ("id,f,f\na,+train,-test\n", "one column. Found: 'f' twice"),
            ("id,f\n" + "s" * 200_000 + ",+train\n", "short fields.*in line 2"),
            ("id,f\na," + "s" * 5_000 + "\n", "s{40}…' in column 2"),
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
        assert states[-1].not_converged == 0
        assert np.isnan(states[0].roc[ALL_POINTS][:, 1:]).all()
        for column in (ALL_POINTS, TRAIN_ONLY):
            assert (states[-1].roc[column] > 0.9).all()
            assert (states[-1].rfp[column] < 0.2).all()

    @pytest.mark.parametrize("centred", [False, True])
    def test_a_kernel_as_it_is_is_one_machine_for_both_bases(self, centred, rng):
        X = rng.normal(size=(16, 5))
        K = GramMatrix(X @ X.T)
        K = K.then(Center()) if centred else K
        roles = np.array(["+train", "-train", "+test", "-test"] * 4)
        families = Families(K.ids, ("f",), roles[:, None])
        config = FamiliesConfig(asymmetry=0.0, C=0.01)
        first = next(measuring_table_6(config, K, families))
        train, test = np.arange(16) % 4 < 2, np.arange(16) % 4 >= 2
        at_bound = []
        for column, split in ((ALL_POINTS, split_transductively), (TRAIN_ONLY, split_inductively)):
            blocks = split(K, np.flatnonzero(train), np.flatnonzero(test))
            scale = np.diag(blocks.K_train).mean()
            machine = SVC(C=0.01, kernel="precomputed", tol=1e-8).fit(
                blocks.K_train / scale, np.tile([1, 0], 4)
            )
            scores = machine.decision_function(blocks.K_cross / scale)
            assert first.roc[column][0, 0] == pytest.approx(roc_auc_score(np.tile([1, 0], 4), scores))
            at_bound.append(int((np.abs(machine.dual_coef_) > 0.01 * (1 - 1e-6)).sum()))
        # where nothing was done to the kernel, training points alone are the same machine and counted once
        assert first.at_bound == (sum(at_bound) if centred else at_bound[0])

    def test_a_table_goes_on_where_it_was_stopped(self, rng):
        X = rng.normal(size=(16, 5))
        K = GramMatrix(X @ X.T)
        roles = ["+train", "-train", "+test", "-test"] * 4
        text = "id,f,g\n" + "\n".join(f"{i + 1},{role},{role}" for i, role in enumerate(roles))
        families, config = read_families(text.encode(), "f"), FamiliesConfig(asymmetry=0.0)
        states = list(measuring_table_6(config, K, families))
        for stopped in (states[0], states[2], states[-2]):
            rest = list(measuring_table_6(config, K, families, done=stopped))
            assert [s.done for s in rest] == list(range(stopped.done + 1, 15))
            for column in (ALL_POINTS, TRAIN_ONLY):
                np.testing.assert_array_equal(rest[-1].roc[column], states[-1].roc[column])
                np.testing.assert_array_equal(rest[-1].rfp[column], states[-1].rfp[column])
            assert rest[-1].at_bound == states[-1].at_bound
            assert rest[-1].training_errors == states[-1].training_errors
        assert not list(measuring_table_6(config, K, families, done=states[-1]))
        with pytest.raises(InvalidInputError, match="own families"):
            measuring_table_6(config, K, replace(families, names=("h", "i")), done=states[0])

    def test_machines_that_cannot_be_hard_are_counted(self):
        text = "id,f\n1,-train\n2,+train\n3,+test\n4,-test\n"
        K = GramMatrix(np.ones((4, 4)))
        config = FamiliesConfig(asymmetry=0.0)
        found = list(measuring_table_6(config, K, read_families(text.encode(), "f")))[-1]
        assert found.at_bound > 0
        assert found.training_errors > 0

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
        assert tuple(published.TABLE_6) == FAMILY_POWERS
