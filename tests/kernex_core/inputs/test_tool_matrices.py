"""Squares and triangles as tools write them, and texts of formats that are refused by name."""

import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import mmwrite

from kernex_core import read_samples
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.tables.foreign import FOREIGN, foreign
from kernex_core.inputs.upload import Upload

nan = np.nan
SQUARE = np.array([[0, 1, 2, 4], [1, 0, 3, 5], [2, 3, 0, 6], [4, 5, 6, 0]], float)
OWN = SQUARE + 9 * np.eye(4)
RISING = np.array([[9, 10, 11, 12], [10, 9, 10, 11], [11, 10, 9, 10], [12, 11, 10, 9]], float)
IDS = ("a", "b", "c", "d")

FILES = {
    "Orange": ("4 labelled\na\t0\t1\t2\t4\nb\t1\t0\t3\t5\nc\t2\t3\t0\t6\nd\t4\t5\t6\t0\n", IDS, SQUARE),
    "Orange, labels on top": ("4 axis=0 col_labels\na\tb\tc\td\n9\n1\t9\n2\t3\t9\n4\t5\t6\t9\n", IDS, OWN),
    "Clustal": ("#\n# Percent\n\n 1: a 9 1 2 4\n 2: b 1 9 3 5\n 3: c 2 3 9 6\n 4: d 4 5 6 9\n", IDS, OWN),
    "PHYLIP": ("   4\na    0 1 2 4\nb    1 0 3 5\nc    2 3 0 6\nd    4 5 6 0\n", IDS, SQUARE),
    "PHYLIP, broken rows": ("4\na 0 1\n  2 4\nb 1 0\n  3 5\nc 2 3\n  0 6\nd 4 5\n  6 0\n", IDS, SQUARE),
    "PHYLIP, blanks in names": ("3\nH s 0 1 2\nP t 1 0 3\nG 2 3 0\n", ("H s", "P t", "G"), SQUARE[:3, :3]),
    "PHYLIP, lower": ("4\na\nb 1\nc 2 3\nd 4 5 6\n", IDS, SQUARE),
    "PHYLIP, upper": ("4\na 1 2 4\nb 3 5\nc 6\nd\n", IDS, SQUARE),
    "Mash": ("\t4\na\nb\t1\nc\t2\t3\nd\t4\t5\t6\n", IDS, SQUARE),
    "triangle of numbers": ("9\n1 9\n2 3 9\n4\t5\t6\t9\n".replace(" ", "\t"), ("1", "2", "3", "4"), OWN),
    "upper triangle of numbers": ("9,1,2,4\n9,3,5\n9,6\n9\n", ("1", "2", "3", "4"), OWN),
    "upper triangle of numbers, with blanks": ("9 10 11 12\n9 10 11\n9 10\n9\n", ("1", "2", "3", "4"), RISING),
    "triangle with ids": ("a,9\nb,1,9\nc,2,3,9\nd,4,5,6,9\n", IDS, OWN),
    "triangle with ids on both sides": (",a,b,c,d\na,9\nb,1,9\nc,2,3,9\nd,4,5,6,9\n", IDS, OWN),
    "R": ("    a   b   c\nb 1.0        \nc 2.0 3.0    \nd 4.0 5.0 6.0\n", IDS, SQUARE),
    "R, in blocks": ("  a b\nb 1  \nc 2 3\nd 4 5\n  c\nb  \nc  \nd 6\n", IDS, SQUARE),
    "R, upper": ("  b c d\na 1 2 4\nb   3 5\nc     6\n", IDS, SQUARE),
    "NEXUS": ("#NEXUS\nBEGIN distances;\nFORMAT triangle=upper;\nMATRIX\n[1] a 1 2 4\nb 3 5\n'c' 6\nd;\n\n", IDS, SQUARE),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_form_gives_the_square_with_its_names(name):
    text, ids, values = FILES[name]
    found = read_samples(text.encode(), "k.txt", meaning="similarity")
    assert found.kind == "similarity"
    assert found.ids == ids
    np.testing.assert_array_equal(found.gram.values, values)
    assert rank_formats(Upload("k.txt", text.encode()))[0].format.name == "tool"
    assert any("has the form of" in note.text for note in found.notes)


@given(
    st.integers(3, 8),
    st.sampled_from(["\t", " ", ","]),
    st.sampled_from(["square", "lower", "lower, no diagonal", "upper", "upper, no diagonal"]),
    st.booleans(),
    st.data(),
)
def test_any_triangle_of_any_size(n, separator, shape, counted, data):
    entries = st.integers(1, 159).map(lambda k: k / 8)  # larger ones may be per cent, which is asked
    K = np.zeros((n, n))
    K[np.triu_indices(n, 1)] = data.draw(
        st.lists(entries, min_size=n * (n - 1) // 2, max_size=n * (n - 1) // 2)
    )
    K = K + K.T
    cut = {
        "square": lambda i: K[i], "lower": lambda i: K[i, : i + 1], "lower, no diagonal": lambda i: K[i, :i],
        "upper": lambda i: K[i, i:], "upper, no diagonal": lambda i: K[i, i + 1 :],
    }[shape]  # fmt: skip
    names = [f"item{k}" for k in range(n)]
    lines = [separator.join([name, *map(str, cut(i))]) for i, name in enumerate(names)]
    text = "\n".join([str(n), *lines] if counted else lines)
    if shape == "square" and not counted:
        return  # a plain table
    found = read_samples(text.encode(), "k.txt", format="tool", missing_diagonal="zero", meaning="similarity")
    assert found.ids == tuple(names)
    np.testing.assert_array_equal(found.gram.values, K)


def test_identities_in_per_cent_have_100_on_the_diagonal_and_unknown_pairs_stay_unknown():
    found = read_samples(b"3\na\nb\t98.5\nc\tNA\t80.5\n", "fastani.matrix")
    np.testing.assert_array_equal(found.gram.values, [[100, 98.5, nan], [98.5, 100, 80.5], [nan, 80.5, 100]])
    assert any("It is 100" in note.action for note in found.notes)
    largest = read_samples(b"3\na\nb\t98.5\nc\tNA\t80.5\n", "k", missing_diagonal="row_max")
    np.testing.assert_array_equal(np.diag(largest.gram.values), [98.5, 98.5, 80.5])
    unknown = read_samples(b"3\na\nb\t98.5\nc\tNA\t80.5\n", "k", missing_diagonal="unknown")
    assert np.isnan(np.diag(unknown.gram.values)).all()


def test_distances_of_a_tool_become_similarities():
    text, ids, values = FILES["R"]
    found = read_samples(text.encode(), "d.txt", meaning="distance", conversion="max_minus")
    np.testing.assert_array_equal(found.gram.values, 6 - values)
    assert found.ids == ids


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3\na 0 1 2\nb 1 0\nc 2 3 0\n", r"2 numbers in line 3 \(id 'b'\)"),
        ("#NEXUS\nBEGIN TAXA;\nEND;\n", "no|none in k.txt"),
        (" 1: a 9 1\n 2: b 1 x\n", r"'x' in line 2 \(id 'b'\)"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        read_samples(text.encode(), "k.txt")


def test_too_many_items_are_refused_before_room_is_taken():
    lines = ["600", *(f"i{k}" + "\t1" * k for k in range(600))]
    with pytest.raises(TooLargeError, match="600"):
        read_samples(
            "\n".join(lines[:1] + [line[:20] for line in lines[1:2]] + lines[2:]).encode(),
            "k.txt",
            limit=500,
        )


EXAMPLES = {
    "UCINET": "DL n=4\nformat = edgelist1\ndata:\n1 2\n2 3\n",
    "GDF": "nodedef>name VARCHAR,label VARCHAR\na,x\nedgedef>node1 VARCHAR,node2 VARCHAR\n",
    "DOT": "graph g {\n a -- b;\n}\n",
    "GFF": "##gff-version 3\nc\t.\tgene\t1\t9\t.\t+\t.\tID=1\n",
    "MITAB": "uniprotkb:P1\tuniprotkb:P2\t-\t-\tpsi-mi:a\tpsi-mi:b\tx\n",
    "HIPPIE": "AL1A1_HUMAN\t216\tAL1A1_HUMAN\t216\t0.76\tx\nITA7_HUMAN\t3679\tACHA_HUMAN\t1134\t0.73\ty\n",
    "Cytoscape": '"SUID","shared name","shared interaction","name"\n"1","A (pp) B","pp","A (pp) B"\n',
    "MEGA": "#mega\n!Title: x;\n!Format DataType=Distance DataFormat=LowerLeft NTaxa=2;\n[1] #A\n[2] #B\n[1]\n[2] 0.1\n",
    "EMBOSS": "Distance Matrix\n---------------\n\n\t    1\t    2\n\t  0.00\t 23.10\t\tA 1\n\t\t  0.00\t\tB 2\n",
    "CD-HIT": ">Cluster 0\n0\t120aa, >P1... *\n1\t118aa, >P2... at 97.5%\n>Cluster 1\n0\t90aa, >P3... *\n",
    "PLINK": "FID IID PHENO\nF1 I1 1\nF2 I2 2\nF3 I3 1\n",
    "VCF": "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\n1\t100\trs1\tA\tG\n1\t200\trs2\tC\tT\n",
    "BED": "chr1\t100\t200\tg1\t0\t+\nchr1\t300\t400\tg2\t10\t-\n",
    "MAF": "Hugo_Symbol\tEntrez_Gene_Id\tTumor_Sample_Barcode\nTP53\t7157\tS1\nKRAS\t3845\tS1\nTP53\t7157\tS2\n",
    "MCL": "(mclheader\nmcltype matrix\ndimensions 2x2\n)\n(mclmatrix\nbegin\n0 1:1.5 $\n1 0:1.5 $\n)\n",
    "ped": "F1 I1 0 0 1 2 A A G G\nF2 I2 0 0 2 1 A G G T\n",
    "HMMER": "#                                --- full sequence ---- --- best 1 domain ----\n# target name\nA - B 1\n",
    "HHsearch": "Query         d1\nMatch_columns 100\nNo_of_seqs    5 out of 9\n",
    "BLAST": "BLASTP 2.2.26+\n\nQuery= a\n\nLength=9\n",
    "SMILES": "id,smiles,active\nm1,CCO,1\nm2,CCN,0\n",
    "ARFF": "% a comment\n@RELATION iris\n@ATTRIBUTE x NUMERIC\n@DATA\n1,2\n2,3\n",
    "Newick": "(a:1,(b:2,c:3):1);\n",
    "PDB": "HEADER    HYDROLASE\nATOM      1  N   MET A   1      1.0 2.0 3.0\n",
    "mmCIF": "data_1ABC\n#\n_entry.id 1ABC\n",
    "SDF": "mol\n  tool\n\n  2  1  0  0  0  0  0  0  0  0999 V2000\n",
    "FASTQ": "@r1\nACGT\n+\nIIII\n@r2\nACGA\n+\nIIII\n",
    "JSON": '{"values": [[1, 0], [0, 1]]}\n',
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_formats_that_are_not_read_are_refused_by_name_with_the_way_out(name):
    upload = Upload("k.txt", EXAMPLES[name].encode())
    known = foreign(upload)
    assert known is not None
    for kind in (None, "similarity", "sequences", "vectors"):
        with pytest.raises(InvalidInputError) as caught:
            read_samples(upload, "k.txt", kind)
        assert known.title in str(caught.value)
        assert known.remedy in str(caught.value)
    assert name.split()[-1] in known.title
    assert all(guess.confidence == 0.0 for guess in rank_formats(upload))


def test_every_format_that_is_refused_has_an_example():
    known = [foreign(Upload("k.txt", text.encode())) for text in EXAMPLES.values()]
    assert known == list(FOREIGN)


@given(st.text("0123456789.,; \t\n-", max_size=60))
def test_numbers_alone_are_no_foreign_format(text):
    known = foreign(Upload("k.txt", text.encode())) if text.strip() else None
    assert known is None or known.title == "a MatrixMarket file without its first line"


@pytest.mark.parametrize("comment", ["", "%made by hand\n%\n"])
@pytest.mark.parametrize(
    ("symmetry", "form"), [("general", np.asarray), ("symmetric", np.asarray), ("general", sparse.coo_array)]
)
def test_a_matrix_market_file_without_its_first_line_is_refused_and_the_line_that_is_named_mends_it(
    symmetry, form, comment
):
    X = np.random.default_rng(0).normal(size=(7, 3))
    out = io.BytesIO()
    mmwrite(out, form(np.round(X @ X.T, 3)), symmetry=symmetry)
    body = "".join(line for line in out.getvalue().decode().splitlines(keepends=True) if line[0] != "%")
    with pytest.raises(InvalidInputError, match="a MatrixMarket file without its first line") as caught:
        read_samples((comment + body).encode(), "k.mtx")
    assert all(guess.confidence == 0.0 for guess in rank_formats(Upload("k.txt", body.encode())))
    line = re.search(r"%%MatrixMarket matrix \w+ \w+ \w+", str(caught.value))[0]
    made = read_samples(f"{line}\n{comment}{body}".encode(), "k.mtx", format="matrix_market_similarity")
    np.testing.assert_allclose(made.gram.values, np.round(X @ X.T, 3), atol=1e-3)
    # an entry more or less, and it is not known for one
    assert foreign(Upload("k.txt", body.rsplit("\n", 2)[0].encode())) is None
