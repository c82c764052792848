import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core import InvalidInputError, Sequences, read_samples
from kernex_core.inputs.sequences.finish import guess_kind, outside
from kernex_core.inputs.sequences.records import PRESETS, HeaderPattern, first_levels, suggest_header
from tests.operations import calls

PROTEINS = (
    b">a c.1.8.3 one\nMKVLAAGIVGYWERTP\nDSLL\n>b c.1.8.1\nMKWLGAGEEVGRTPQD\n>c c.2.1.1\nMSTNPKPQRKTKRNTN\n"
)


def texts(found):
    return " ".join(f"{note.text} {note.action}" for note in found.notes)


@pytest.mark.parametrize(
    "data", [PROTEINS, gzip.compress(PROTEINS), PROTEINS.replace(b"\n", b"\r\n"), b"\xef\xbb\xbf" + PROTEINS]
)
def test_plain_gzipped_and_from_windows(data):
    found = read_samples(data, "p.fasta")
    assert isinstance(found, Sequences)
    assert found.ids == ("a", "b", "c")
    assert found.strings == ("MKVLAAGIVGYWERTPDSLL", "MKWLGAGEEVGRTPQD", "MSTNPKPQRKTKRNTN")
    assert found.alphabet == "protein"


def test_empty_records_are_dropped_by_name_and_repeated_ids_numbered():
    found = read_samples(b">a\nACGT\n>empty\n\n>a more\nACGA\n>a_2\nAC\n", "d.fa")
    assert found.ids == ("a", "a_3", "a_2")
    assert "Records without a sequence: 1 (empty)" in texts(found)
    assert "more than once: 1 (a)" in texts(found)


def test_kinds():
    assert guess_kind(["ACGTNACGT"]) == "dna"
    assert guess_kind(["ACGUUGCA", "acguacgu"]) == "dna"
    assert guess_kind(["MKVLAAGIVGYWERTPDSLL"]) == "protein"
    assert guess_kind(["DVVVLLVVLVVLQVPADPVLCVRYAYEYEYEPVVLVVVVVD"]) == "structure"
    assert guess_kind(["AbCdEfGg", "aBcDeFgH"]) == "structure"
    assert guess_kind(["the cat sat on the mat!"]) == "text"
    assert guess_kind(["1234", "##"]) == "text"
    assert guess_kind(["---"]) == "text"
    assert outside(["MKJ1", "MK-1"], "protein") == {"1": 2, "-": 1}
    assert outside(["whatever 1"], "text") == {}


def test_case_and_gaps_follow_the_kind():
    found = read_samples(b">a\nac-gt\n>b\nACGT\n", "d.fa")
    assert found.strings == ("ACGT", "ACGT")
    assert "lower case letters: 1" in texts(found)
    assert "gaps (- or .): 1" in texts(found)
    assert read_samples(b">a\nac-gt\n>b\nACGT\n", "d.fa", gaps="keep").strings[0] == "AC-GT"
    assert read_samples(b">a\nac-gt\n>b\nACGT\n", "d.fa", alphabet="text").strings[0] == "ac-gt"


def test_letters_outside_the_alphabet_are_counted():
    found = read_samples(PROTEINS.replace(b"DSLL", b"D1LL"), "p.fa")
    assert "'1' 1×; in 1 sequences (a)" in texts(found)


def test_records_without_a_name_get_one():
    assert read_samples(b">\nACGT\n> b\nACG\n", "d.fa").ids == ("sequence_1", "b")


@pytest.mark.parametrize(
    ("header", "levels", "labels"),
    [
        ("{id} {label}", 3, ["c.1.8", "c.1.8", "c.2.1"]),
        ("{id} {label}", None, ["c.1.8.3", "c.1.8.1", "c.2.1.1"]),
        ("* {label}.*", None, ["c", "c", "c"]),
    ],
)
def test_labels_from_headers(header, levels, labels):
    found = read_samples(PROTEINS, "p.fasta", header=header, levels=levels)
    assert found.labels.ids == found.ids
    np.testing.assert_array_equal(found.labels.y, labels)


def test_header_patterns():
    pattern = HeaderPattern("{id}|{label}|{group} x *")
    assert pattern.match("sp|kinase|g1   x y") == {"id": "sp", "label": "kinase", "group": "g1"}
    assert pattern.match("sp|kinase") is None
    assert HeaderPattern("{id} *={label}").match("a class=b c") == {"id": "a", "label": "b"}
    assert HeaderPattern("{id} {label}").match("only") is None
    for wrong in ("", "{id}", "{id}{label}", "{label} {label}", "*{label}"):
        with pytest.raises(InvalidInputError, match=r"\{label\}"):
            HeaderPattern(wrong)
    for _, preset, _ in PRESETS:
        HeaderPattern(preset)
    assert suggest_header(["a c.1.8.3 x", "b d.2.1"]) == ("{id} {label}", 3)
    assert suggest_header(["a kinase"]) is None
    assert first_levels("c.1.8.3", 2) == "c.1"


def test_a_header_pattern_cannot_run_away():
    pattern = HeaderPattern("*a *a *a *a *a *a *a {label}b")
    few, many = (calls(lambda n=n: pattern.match("a" * n)) for n in (2_000, 200_000))
    assert few == many < 200


def test_header_pattern_that_fits_some_or_none():
    found = read_samples(b">a|x\nACGT\n>b\nACG\n>c|y g\nACC\n", "d.fa", header="{id}|{label}")
    assert found.labels.y.tolist() == ["x", "", "y"]
    assert "do not fit the pattern: 1 (b)" in texts(found)
    with pytest.raises(InvalidInputError, match="none fits"):
        read_samples(PROTEINS, "p.fasta", header="{id}|{label}")


def test_groups_from_headers():
    found = read_samples(b">a k g1\nACGT\n>b l g2\nACG\n", "d.fa", header="{id} {label} {group}")
    assert found.labels.groups.tolist() == ["g1", "g2"]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b">a\nACGT\n", "two sequences.*1 in"),
        (b">a\n\n>b\n\n", "two sequences.*0 in"),
        (b"ACGT\nACGT\n", "none in x.fasta"),
        (b">a\n1 2 3 4 | = :: 99\n>b\n5 6 7 || == 99\n", "report"),
    ],
)
def test_no_fasta(data, sentence):
    with pytest.raises(InvalidInputError, match=f"(?s){sentence}"):
        read_samples(data, "x.fasta", "sequences")


def test_text_may_hold_any_sign():
    assert read_samples(b">a\n1234||\n>b\n==99\n", "x.fa", alphabet="text").strings == ("1234||", "==99")


LOADED = {
    "bioperl_alleles.fas": (7, "dna", "gaps"),
    "bioperl_badfasta.fa": (3, "dna", "lower case"),
    "bioperl_mixed_alphabet.fasta": (6, "protein", "Records without a sequence: 1"),
    "biopython_dups.fasta": (5, "dna", "more than once: 1 (alpha)"),
    "protr_mitochondrion.fasta": (305, "protein", "glued into the sequence of Q16762"),
}
REFUSED = {
    "bioperl_cysprot1.FASTA": "report of a search",
    "biopython_aster_pearson.pro": "two sequences",
    "biopython_lupine.nu": "two sequences",
}


@pytest.mark.parametrize("name", LOADED)
def test_messy_files_that_load(shared, name):
    n, kind, sentence = LOADED[name]
    found = read_samples((shared / "data" / "messy_fasta" / name).read_bytes(), name)
    assert (found.n, found.alphabet) == (n, kind)
    assert sentence in texts(found)
    assert not any(set(">\n \r;") & set(string) for string in found.strings)


@pytest.mark.parametrize("name", REFUSED)
def test_messy_files_that_are_refused(shared, name):
    data = (shared / "data" / "messy_fasta" / name).read_bytes()
    for kind in (None, "sequences"):
        with pytest.raises(InvalidInputError, match=REFUSED[name]):
            read_samples(data, name, kind)


def test_messy_single_records_are_read_right_beside_another(shared):
    folder = shared / "data" / "messy_fasta"
    data = (folder / "biopython_aster_pearson.pro").read_bytes() + b">other\nMKVLAAGG\n"
    found = read_samples(data, "a.pro")
    assert found.ids[0] == "gi|3298468|dbj|BAA31520.1|"
    assert len(found.strings[0]) == 107
    assert "semicolon: 3" in texts(found)
    assert "before the first record: 1" in texts(found)
    lupine = read_samples((folder / "biopython_lupine.nu").read_bytes() + b"\n>other\nACGT\n", "l.nu")
    assert lupine.alphabet == "dna"


def test_protr_names_what_it_drops(shared):
    name = "protr_mitochondrion.fasta"
    found = read_samples((shared / "data" / "messy_fasta" / name).read_bytes(), name)
    assert "P35914" in texts(found)
    assert "Q9P0J0" in texts(found)
    assert not {"P35914", "Q9P0J0"} & set(found.ids)
    assert found.strings[found.ids.index("Q16762")].endswith("SEKA")


def test_the_real_tim_barrels(shared):
    folder = shared / "data" / "scop_tim_barrel"
    aa = read_samples((folder / "c1_aa.fasta").read_bytes(), "c1_aa.fasta", header="{id} {label}", levels=3)
    assert aa.alphabet == "protein"
    assert aa.labels.classes[:2] == (("c.1.8", 102), ("c.1.9", 48))
    assert read_samples((folder / "c1_3di.fasta").read_bytes(), "c1_3di.fasta").alphabet == "structure"


@given(
    st.lists(st.text("ACDEFGHIKLMNPQRSTVWY", min_size=1, max_size=90), min_size=2, max_size=6),
    st.integers(5, 80),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_round_trip(strings, width, newline):
    lines = []
    for k, string in enumerate(strings):
        lines += [f">id.{k}|x some words", *(string[i : i + width] for i in range(0, len(string), width)), ""]
    found = read_samples(newline.join(lines).encode(), "x.fa", alphabet="protein")
    assert found.ids == tuple(f"id.{k}|x" for k in range(len(strings)))
    assert found.strings == tuple(strings)
