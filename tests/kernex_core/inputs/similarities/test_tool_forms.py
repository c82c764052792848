"""Distances of NEXUS, R and Orange, in every form that these have."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import read_samples
from kernex_core.base.errors import InvalidInputError

SQUARE = np.array([[0, 1, 2, 4], [1, 0, 3, 5], [2, 3, 0, 6], [4, 5, 6, 0]], float)
TAXA = "BEGIN TAXA;\nDIMENSIONS NTAX=4;\nTAXLABELS a b 'c d' e;\nEND;\n"


def block(form, rows, taxa=TAXA):
    return f"#NEXUS\n{taxa}BEGIN DISTANCES;\nFORMAT {form};\nMATRIX\n{rows}\n;\nEND;\n".encode()


def distances(n, data):
    entries = st.integers(1, 999).map(lambda k: k / 8)
    K = np.zeros((n, n))
    half = n * (n - 1) // 2
    K[np.triu_indices(n, 1)] = data.draw(st.lists(entries, min_size=half, max_size=half))
    return K + K.T


def test_nexus_without_names_and_diagonal_has_all_items():
    text = block("TRIANGLE=LOWER NODIAGONAL NOLABELS", "1\n2 3\n4 5 6").replace(b"'c d' e", b"c d")
    found = read_samples(text, "x.nex", meaning="similarity")
    assert found.ids == ("a", "b", "c", "d")
    np.testing.assert_array_equal(found.gram.values, SQUARE)
    assert any("look like distances" in note.text for note in found.notes)


@given(
    st.integers(2, 7),
    st.sampled_from(["LOWER", "UPPER", "BOTH"]),
    st.booleans(),
    st.sampled_from(["NOLABELS", "LABELS=NO", "no labels", "LABELS", "LABELS=RIGHT", ""]),
    st.sampled_from(["\n", " ", "\n[a comment]  "]),
    st.booleans(),
    st.data(),
)
def test_nexus_in_every_form(n, triangle, diagonal, labels, end, counted, data):
    K = distances(n, data)
    names = [f"item {k}'s" for k in range(n)]
    quoted = ["'" + name.replace("'", "''") + "'" for name in names]
    which = {"LOWER": lambda i: range(i + 1), "UPPER": lambda i: range(i, n), "BOTH": lambda i: range(n)}
    own = "DIAGONAL" if diagonal else "NODIAGONAL"
    rows = []
    for i in range(n):
        cells = [str(K[i, j]) for j in which[triangle](i) if diagonal or i != j]
        left = [quoted[i]] if labels in ("LABELS", "") else []
        rows.append(" ".join([*left, *cells, *([quoted[i]] if "RIGHT" in labels else [])]))
    taxa = f"BEGIN TAXA;\nDIMENSIONS NTAX={n};\nTAXLABELS {' '.join(quoted)};\nEND;\n" if counted else ""
    form = f"TRIANGLE={triangle} {own} {labels}"
    found = read_samples(block(form, end.join(rows), taxa), "x.nex", meaning="similarity")
    named = counted or labels in ("LABELS", "", "LABELS=RIGHT")
    assert found.ids == tuple(names if named else map(str, range(1, n + 1)))
    np.testing.assert_array_equal(found.gram.values, K)


@pytest.mark.parametrize(
    ("form", "rows", "sentence"),
    [
        ("TRIANGLE=LOWER NODIAGONAL NOLABELS", "1\n2 3", "4 items without the diagonal, without names"),
        ("TRIANGLE=BOTH NOLABELS", "0 1\n1 0", "square of 4 items with the diagonal"),
        ("TRIANGLE=LOWER INTERLEAVE", "a 0\nb 1 0", "INTERLEAVE.*Save it without"),
        ("TRIANGLE=LOWER", "a 0\nb 1 0", "lower triangle of 4 items"),
    ],
)
def test_nexus_that_is_not_what_its_format_says_is_refused(form, rows, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        read_samples(block(form, rows), "x.nex")


def printed(K, ids, width, diagonal=False, upper=False):
    """What R prints: print.dist, in blocks of columns that fit a width."""
    n = len(ids)
    rows = range(n) if diagonal or upper else range(1, n)
    columns = range(n) if diagonal or upper else range(n - 1)

    def cell(i, j):
        return f"{K[i, j]:.3f}" if j < i or (i == j and diagonal) or (j > i and upper) else ""

    left = max(len(ids[i]) for i in rows)
    sizes = [max(len(ids[j]), *(len(cell(i, j)) for i in rows)) for j in columns]
    blocks, size = [[]], left
    for j, wide in zip(columns, sizes, strict=True):
        if blocks[-1] and size + 1 + wide > width:
            blocks.append([])
            size = left
        blocks[-1].append((j, wide))
        size += 1 + wide
    lines = []
    for block_ in blocks:
        lines.append(" " * left + "".join(" " + ids[j].rjust(wide) for j, wide in block_))
        lines += [
            ids[i].ljust(left) + "".join(" " + cell(i, j).rjust(wide) for j, wide in block_) for i in rows
        ]
    return "\n".join(lines) + "\n"


@given(
    st.integers(2, 12), st.sampled_from([20, 40, 80]), st.booleans(), st.booleans(), st.booleans(), st.data()
)
def test_distances_that_r_prints(n, width, numbered, diagonal, upper, data):
    if diagonal and upper:
        return  # a square with ids on top and on the left
    K = distances(n, data)
    ids = [str(k + 1) if numbered else f"item{'x' * (k % 3)}{k}" for k in range(n)]
    found = read_samples(printed(K, ids, width, diagonal, upper).encode(), "d.txt", meaning="similarity")
    assert found.kind == "similarity"
    assert found.ids == tuple(ids)
    np.testing.assert_array_equal(found.gram.values, K)
    assert any("R prints" in note.text for note in found.notes)


@pytest.mark.parametrize("separator", [",", "\t", ";"])
@pytest.mark.parametrize("corner", ['""', ""])
@pytest.mark.parametrize("ids", [("a", "b", "c", "d"), ("1", "2", "3", "4")])
def test_half_a_table_of_r_is_its_square(separator, corner, ids):
    rows = [["", *ids[:3]], [ids[1], "1", "NA", "NA"], [ids[2], "2", "3", "NA"], [ids[3], "4", "5", "6"]]
    text = "\n".join(
        separator.join(f'"{f}"' if k == 0 or j == 0 else f for j, f in enumerate(row))
        for k, row in enumerate(rows)
    )
    text = text.replace('""', corner, 1)
    found = read_samples(text.encode(), "d.csv", meaning="similarity")
    assert found.ids == ids
    np.testing.assert_array_equal(found.gram.values, SQUARE)
    two = read_samples(b'"","a","b","c"\n"b",1,NA,NA\n"c",2,3,NA\n', "d.csv", meaning="similarity")
    np.testing.assert_array_equal(two.gram.values, SQUARE[:3, :3])


LOWER, FULL = "0\n1\t0\n2\t3\t0\n4\t5\t6\t0\n", "0\t1\t2\t4\n1\t0\t3\t5\n2\t3\t0\t6\n4\t5\t6\t0\n"


@pytest.mark.parametrize(
    "flags", ["", " asymmetric", " symmetric", " axis=1", " axis=0 symmetric", " Asymmetric"]
)
@pytest.mark.parametrize("body", [LOWER, FULL, FULL.replace("\t", " ")])
def test_orange_without_labels(flags, body):
    found = read_samples(f"4{flags}\n{body}".encode(), "o.dst", meaning="similarity")
    assert found.kind == "similarity"
    np.testing.assert_array_equal(found.gram.values, SQUARE)
    assert any("Orange" in note.text for note in found.notes)


def test_orange_with_labels_and_what_stands_above_the_diagonal():
    text = "3 symmetric row_labels\nA\t0\t9\nB\t1\t0\t9\nC\t2\t3\t0\n"
    found = read_samples(text.encode(), "o.dst", meaning="similarity")
    assert found.ids == ("A", "B", "C")
    np.testing.assert_array_equal(found.gram.values, SQUARE[:3, :3])
    phylip = read_samples(b"3\n7\n8 1\n9 2 3\n", "k.txt", meaning="similarity")
    assert phylip.ids == ("7", "8", "9")


def test_rows_of_a_kernel_are_no_sparse_vectors_and_the_reverse():
    text = "1 0:1 1:2 2:0.5\n-1 0:2 1:0.5 2:1\n"
    made = read_samples(text.encode(), "k.svm")
    assert (made.kind, made.gram.values.tolist()) == ("similarity", [[2, 0.5], [0.5, 1]])
    text = "1 0:1 1:2 2:0.5\n-1 0:2 1:0.5\n1 5:1\n"  # features from 0 on
    assert read_samples(text.encode(), "k.svm").kind == "vectors"
