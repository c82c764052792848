import gzip

import numpy as np
import pytest

from kernex_core import InvalidInputError, read_samples
from kernex_core.inputs.formats.hits import score_columns
from kernex_core.inputs.upload import open_upload

nan = np.nan
# query target pident alnlen mismatch gapopen qstart qend tstart tend evalue bits
LINES = [
    "a a 100.0 10 0 0 1 10 1 10 0.0 50",
    "a b 90.0 10 1 0 1 10 1 10 1e-10 30",
    "a b 80.0 5 1 0 1 5 1 5 1e-2 10",
    "b a 90.0 10 1 0 1 10 1 10 1e-8 40",
    "b b 100.0 10 0 0 1 10 1 10 1e-30 60",
    "c c 100.0 10 0 0 1 10 1 10 1e-20 45",
    "c a 30.0 10 7 0 1 10 1 10 1.0 7",
]
HITS = "\n".join(line.replace(" ", "\t") for line in LINES).encode() + b"\n"


def values(data=HITS, filename="hits.m8", **options):
    return read_samples(data, filename, **options).gram.values


def test_bit_scores_by_default_best_of_repeated_mean_of_directions_absent_unknown():
    found = read_samples(HITS, "hits.m8")
    assert found.ids == ("a", "b", "c")
    np.testing.assert_array_equal(found.gram.values, [[50, 35, 7], [35, 60, nan], [7, nan, 45]])
    texts = " ".join(note.text for note in found.notes)
    assert "same direction: 1" in texts
    assert "1 of 3" in texts
    np.testing.assert_array_equal(found.gram.known, [True, True, False])


@pytest.mark.parametrize("gz", [False, True])
def test_choices(gz):
    data = gzip.compress(HITS) if gz else HITS
    assert values(data, symmetrise="max")[0, 1] == 40
    assert values(data, duplicates="mean")[0, 1] == (20 + 40) / 2
    assert values(data, absent="zero")[1, 2] == 0.0
    np.testing.assert_array_equal(np.diag(values(data, diagonal="one")), 1.0)
    assert np.isnan(np.diag(values(data, diagonal="unknown"))).all()


@pytest.mark.parametrize("column", ["pident", "3", "PIDENT", "% identity"])
def test_score_column_by_name_and_number(column):
    np.testing.assert_array_equal(
        values(score_column=column), [[100, 90, 30], [90, 100, nan], [30, nan, 100]]
    )


def test_evalues_become_minus_log10_with_zero_at_the_floor():
    found = values(score_column="evalue")
    np.testing.assert_allclose(found[:2, :2], [[180, 9], [9, 30]])
    assert found[0, 2] == 0.0
    raw = values(score_column="evalue", scale="as_is")
    assert raw[0, 2] == 1.0
    assert values(score_column="pident", scale="minus_log10")[0, 0] == pytest.approx(-2)
    with pytest.raises(InvalidInputError, match="at least 0"):
        values(HITS.replace(b"1e-8", b"-1"), score_column="evalue")
    tiny = values(HITS.replace(b"1e-8", b"1e-250"), score_column="evalue")
    assert tiny[0, 0] == pytest.approx(250)


def test_missing_self_scores():
    data = b"".join(line + b"\n" for line in HITS.split(b"\n") if line and not line.startswith(b"b\tb"))
    found = read_samples(data, "hits.m8")
    assert np.isnan(found.gram.values[1, 1])
    assert any("self-score: 1 of 3 (b)" in note.text for note in found.notes)
    assert values(data, diagonal="row_max")[1, 1] == 35
    distances = values(data, meaning="distance", conversion="max_minus")
    assert distances[1, 1] == 50


def test_foldseek_says_fident_and_longer_tables_keep_their_bits():
    fractions = (
        HITS.replace(b"100.0", b"1.0")
        .replace(b"90.0", b"0.9")
        .replace(b"80.0", b"0.8")
        .replace(b"30.0", b"0.3")
    )
    assert values(fractions, score_column="fident")[0, 1] == 0.9
    longer = b"".join(line + b"\textra\t3\n" for line in HITS.strip().split(b"\n"))
    np.testing.assert_array_equal(values(longer), values())


def test_headers_and_comments():
    names = "qseqid sseqid pident length mismatch gapopen qstart qend sstart send evalue bitscore".replace(
        " ", "\t"
    )
    np.testing.assert_array_equal(values(names.encode() + b"\n" + HITS), values())
    fields = (
        b"# BLASTP 2.12\n# Query: a\n# Fields: query acc.ver, subject acc.ver, % identity, alignment length, "
        b"mismatches, gap opens, q. start, q. end, s. start, s. end, evalue, bit score\n# 4 hits found\n"
    )
    lines = HITS.split(b"\n")
    seven = fields + b"\n".join(lines[:3]) + b"\n# Query: b\n" + b"\n".join(lines[3:])
    np.testing.assert_array_equal(values(seven), values())
    mmseqs = b"#query\ttarget\tfident\tbits\n" + b"a\ta\t1\t9\na\tb\t.5\t4\nb\tb\t1\t9\n"
    assert values(mmseqs)[0, 1] == 4.0
    assert values(mmseqs, score_column="fident")[0, 1] == 0.5


def test_columns_offered_begin_with_the_default():
    offered = score_columns(open_upload(HITS, "hits.m8"))
    assert offered[0] == "bits"
    assert set(offered) >= {"pident", "evalue", "alnlen"}
    assert score_columns(open_upload(b"x,y\n1,2\n", "k.csv")) == ()
    assert score_columns(open_upload(b"\x89PNG", "k.csv")) == ()


@pytest.mark.parametrize("separator", ["\t", " ", ",", ";"])
@pytest.mark.parametrize("header", ["", "item1{0}item2{0}score\n"])
def test_pairs(separator, header):
    lines = "".join(
        f"{a}{separator}{b}{separator}{s}\n"
        for a, b, s in [("x.1", "007", 0.5), ("x.1", "z", 0.25), ("007", "z", 0.125)]
    )
    found = read_samples((header.format(separator) + lines).encode(), "pairs.txt", diagonal="one")
    assert found.ids == ("x.1", "007", "z")
    np.testing.assert_array_equal(found.gram.values, [[1, 0.5, 0.25], [0.5, 1, 0.125], [0.25, 0.125, 1]])


def test_pairs_with_decimal_commas_and_unknown_scores():
    found = read_samples(b"a;b;0,5\na;c;NA\nb;c;0,25\na;a;1\n", "pairs.csv", absent="unknown")
    np.testing.assert_array_equal(found.gram.values, [[1, 0.5, nan], [0.5, nan, 0.25], [nan, 0.25, nan]])
    assert any("without a score: 1" in note.text for note in found.notes)


def test_pairs_of_numbered_items():
    found = read_samples(b"1 2 0.5\n2 3 0.25\n1 3 0.1\n3 4 0.2\n", "pairs.txt")
    assert found.ids == ("1", "2", "3", "4")


def test_what_is_refused():
    with pytest.raises(InvalidInputError, match=r"'oops' for 'b' and 'a', data line 4.*bits"):
        values(HITS.replace(b"40", b"oops"))
    with pytest.raises(InvalidInputError, match=r"tmscore.*bits"):
        values(score_column="tmscore")
    with pytest.raises(InvalidInputError, match="finite"):
        values(HITS.replace(b"\t40", b"\tinf"))
    with pytest.raises(InvalidInputError, match="two ids"):
        values(HITS.replace(b"b\ta\t", b"b\t\t", 1))
    with pytest.raises(InvalidInputError, match="two columns of ids"):
        read_samples(b"1,2\n2,1\n", "k.csv", format="hits")
    with pytest.raises(InvalidInputError, match="two items"):
        read_samples(b"a\ta\t1\n", "k.tsv", format="pairs")


def test_a_line_that_was_cut_off_is_counted_as_unknown():
    found = read_samples(HITS + b"a\tc\t1", "hits.m8")
    assert any("without a score: 1" in note.text for note in found.notes)
    np.testing.assert_array_equal(found.gram.values, values())


def test_an_all_vs_all_table_gives_what_a_double_loop_gives(rng):
    names = [f"p{k}" for k in range(12)]
    lines = [
        (a, b, float(rng.integers(1, 99)))
        for a in names
        for b in names
        for _ in range(int(rng.integers(0, 3)))
    ]
    data = "".join(f"{a}\t{b}\t{s}\n" for a, b, s in lines).encode()
    found = read_samples(data, "p.tsv", "similarity", duplicates="mean", symmetrise="max")
    order = list(found.ids)
    for i, a in enumerate(order):
        for j, b in enumerate(order):
            there = [s for x, y, s in lines if (x, y) == (a, b)]
            back = [s for x, y, s in lines if (x, y) == (b, a)]
            means = [float(np.mean(side)) for side in (there, back) if side]
            expected = max(means) if means else nan
            np.testing.assert_allclose(found.gram.values[i, j], expected)


def test_the_real_structure_hits(shared):
    path = shared / "data" / "scop_tim_barrel" / "c1_tmalign_pairs_tm06.tsv"
    data = path.read_bytes()
    found = read_samples(data, path.name, score_column="tm_used", diagonal="one")
    assert found.n == 251
    i, j = found.ids.index("d1a0ca_"), found.ids.index("d1muwa_")
    assert found.gram.values[i, j] == found.gram.values[j, i] == 0.896299
    known = ~np.isnan(found.gram.values)
    assert (known.sum() - 251) // 2 == 1561
    assert score_columns(open_upload(data, path.name))[:3] == ("tm1", "tm2", "tm_used")


def test_without_any_self_score_the_largest_of_the_row_is_taken_and_said():
    data = b"a\tb\t0.8\na\tc\t0.5\n"
    found = read_samples(data, "pairs.tsv", "similarity")
    np.testing.assert_array_equal(np.diag(found.gram.values), [0.8, 0.8, 0.5])
    assert any("largest score of its row" in note.action for note in found.notes)
    assert np.isnan(
        np.diag(read_samples(data, "pairs.tsv", "similarity", diagonal="given").gram.values)
    ).all()
