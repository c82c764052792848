"""Sparse vectors for Table 4: every hostile file ends in a sentence, and none takes the machine's memory."""

import contextlib
import gzip
import tracemalloc

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError, KernexError, TooLargeError
from kernex_core.gram.provenance import write_script
from kernex_core.inputs.formats.svmlight import INDEX_LIMIT, class_name
from kernex_core.studies.papers.orthogonal import sparse
from kernex_core.studies.papers.orthogonal import sparse as sparse_lines
from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS
from kernex_core.studies.papers.orthogonal.sparse import read_sparse_vectors
from kernex_core.studies.papers.orthogonal.tables import ThrombinConfig, measuring_table_4


def whole(read):
    """The full table, of which columns that are 0 everywhere were never held."""
    X = np.zeros((read.X.shape[0], read.n_features))
    X[:, read.indices - 1] = read.X.toarray()
    return X


class TestForms:
    @pytest.mark.parametrize(
        "text",
        [
            b"A,0,1,0,1\nI,1,0,0,0\n",
            b"A 2:1 4:1\nI 1:1\n\n",
            b"# comment\nA 4:1 2:1 # end, with a comma\r\nI 1:1.0\r\n",
            b"A 04:1 +2:1 3:0\nI 1:1\n",
            b"A, 0, 1, 0, 1\nI,1,0,0,0\n",
        ],
    )
    @pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
    @pytest.mark.parametrize("packed", [False, True])
    def test_both_forms_give_the_same_vectors(self, text, mark, packed):
        read = read_sparse_vectors(gzip.compress(mark + text) if packed else mark + text, "t.data")
        np.testing.assert_array_equal(whole(read), [[0, 1, 0, 1], [1, 0, 0, 0]])
        assert read.indices.tolist() == [1, 2, 4]
        assert read.labels.y.tolist() == ["A", "I"]
        assert read.share_of_entries == 3 / 8

    def test_other_numbers_than_zero_and_one_are_read(self):
        read = read_sparse_vectors(b"a,0,-2.5,10\nb,1,0,0\n", "t")
        np.testing.assert_array_equal(whole(read), [[0, -2.5, 10], [1, 0, 0]])

    @pytest.mark.parametrize(
        ("written", "name"),
        [
            (("1", "+1", "1.0", "1e0", "01", " 1 "), "1"),
            (("-1", "-1.0", "-01"), "-1"),
            (("0.5", ".5", "+5e-1"), "0.5"),
            (("?", "", "NA", "nan"), ""),
            (("A",), "A"),
            (("1_0",), "1_0"),
            (("1e400",), ""),  # no number that anybody measured: unknown, as a sentinel is
            (("9" * 400,), ""),
        ],
    )
    def test_numbers_that_are_equal_are_one_class(self, written, name):
        assert {class_name(each) for each in written} == {name}

    def test_labels_of_files_are_told_apart_by_their_value(self):
        read = read_sparse_vectors(b"+1 1:1\n1 2:1\n-1 1:2\n1.0 3:1\n", "t.svm")
        assert read.labels.classes == (("1", 3), ("-1", 1))

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
        table = list(measuring_table_4(ThrombinConfig(repeats=1), K, read.labels))[-1]
        assert table.mean(ALL_POINTS)[0] < 0.4


class TestHostileFiles:
    @pytest.mark.parametrize("index", [10**6, 2 * 10**8, 10**12, INDEX_LIMIT])
    def test_memory_goes_with_the_entries_and_not_with_the_largest_index(self, index):
        lines = [f"{'AB'[i % 2]} 1:1 {index - i}:{i + 1}" for i in range(20)]
        tracemalloc.start()
        read = read_sparse_vectors("\n".join(lines).encode(), "t.svm")
        K = read.kernel()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 2_000_000
        assert read.X.shape == (20, 21)
        assert read.n_features == index
        np.testing.assert_array_equal(K.values, 1.0 + np.diag(np.arange(1.0, 21.0) ** 2))

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (b"", "one labelled vector a line. Found: none"),
            (b"A\nB\n", "one labelled vector a line. Found: 2 lines of a label alone"),
            (b"A,0,1\nB,0,1,1\n", "2 values. Found: 3 in line 2"),
            (b"A,0,x\n", "finite number. Found: 'x' in column 3 of line 1"),
            (b"A,0,,1\n", "finite number. Found: nothing in column 3 of line 1"),
            (b"A,0,nan\n", "finite number. Found: 'nan' in column 3 of line 1"),
            (b"\n# x\n\nA 1:1\nB 2:x\n", "finite number. Found: 'x' at index 2 of line 5"),
            (b"A 1:1 7:nan\n", "finite number. Found: 'nan' at index 7 of line 1"),
            (b"A 1:-inf\n", "finite number. Found: '-inf' at index 1 of line 1"),
            (b"A 1:1_0\n", "finite number. Found: '1_0' at index 1"),
            (b"A 1:1\nB 0:1\n", "begin with 1. Found: index 0 in line 2"),
            (b"A -3:1\n", "begin with 1. Found: index -3 in line 1"),
            (b"A 1:1 1:2\n", "stands once. Found: index 1 twice in line 1"),
            (b"A 5:1 05:2\n", "stands once. Found: index 5 twice in line 1"),
            (
                b"A 9223372036854775808:1\n",
                "at most 9,223,372,036,854,775,807. Found: index 9223372036854775808",
            ),
            (
                b"A 1:1\nB 100000000000000000000:1\n",
                "at most .* Found: index 100000000000000000000 in line 2",
            ),
            (b"A " + b"9" * 6_000 + b":1\n", "at most .* Found: index 9{40}… in line 1"),
            (b"A 1:1 x\n", "label index:value .* Found: 'x' in line 1"),
            (b"A qid:1 1:1\n", "label index:value .* Found: 'qid:1' in line 1"),
            (b"A 1_0:1\n", "label index:value .* Found: '1_0:1'"),
            (b"\xff\xfa 1:1\n", "labels of t.data have to be text in UTF-8.* in line 1"),
            ("A 1:1\n".encode("utf-16"), "mark of UTF-16"),
            (gzip.compress(b"A,0,1\n" * 50)[:-9], "whole gzip"),
        ],
    )
    def test_what_is_wrong_is_said_with_its_line(self, text, said):
        with pytest.raises(InvalidInputError, match=said):
            read_sparse_vectors(text, "t.data")

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (b"A,0,0\nB,0,0\n", "0 everywhere"),
            (b"A 1:0\nB 2:0\n", "0 everywhere"),
            (b"A 1:1e-200\nB 2:2e-200\n", "the kernel is all 0, for its values go up to 2e-200 only"),
            (b"A 1:1\nB 2:1e-200 3:1e-170\n", "vector 2 times itself is 0, for its values go up to 1e-170"),
            (b"A 1:1\nB 2:-1e200\n", "infinite for vector 2, whose largest value is 1e\\+200"),
        ],
    )
    def test_a_kernel_that_rounding_made_is_refused(self, text, said):
        read = read_sparse_vectors(text, "t.svm")
        with pytest.raises(InvalidInputError, match=said):
            read.kernel()

    def test_a_vector_that_is_0_is_one(self):
        read = read_sparse_vectors(b"A 1:2\nB\n", "t.svm")
        np.testing.assert_array_equal(read.kernel().values, [[4.0, 0.0], [0.0, 0.0]])

    @pytest.mark.parametrize(
        ("module", "limit", "value"),
        [
            (sparse_lines, "UNPACKED_LIMIT", 10),
            (sparse, "ENTRY_LIMIT", 2),
            (sparse_lines, "LINE_LIMIT", 6),
        ],
    )
    def test_too_much_is_refused_before_it_is_held(self, module, limit, value, monkeypatch):
        monkeypatch.setattr(module, limit, value)
        with pytest.raises(TooLargeError):
            read_sparse_vectors(gzip.compress(b"A,1,1,1\nB,1,1,1\n"), "t.data")

    @pytest.mark.parametrize("seed", range(40))
    def test_any_damage_ends_in_a_kernel_or_a_sentence(self, seed):
        rng = np.random.default_rng(seed)
        text = bytearray(b"A 1:1 2:0.5\n+1 3:1e3 4:-2\nB 1:1\n" if seed % 2 else b"A,0,1\nB,1,0\nC,2.5,0\n")
        for _ in range(3):
            text[rng.integers(len(text))] = rng.integers(256)
        with contextlib.suppress(KernexError):  # nothing else may come out
            assert read_sparse_vectors(bytes(text), "t").kernel().n > 0
