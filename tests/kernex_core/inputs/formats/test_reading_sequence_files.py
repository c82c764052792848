"""Sequences of alignments and of records: as Biopython writes them, as people have them, and cut off."""

import contextlib
import io

import pytest
from Bio import AlignIO, SeqIO
from Bio.Align import MultipleSeqAlignment
from Bio.Seq import Seq
from Bio.SeqRecord import SeqRecord

from kernex_core import InvalidInputError, KernexError, TooLargeError, read_samples
from kernex_core.inputs.formats.sequence_files import ALIGNMENT, RECORDS
from kernex_core.inputs.new_items import read_new
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload
from tests.operations import calls

LETTERS = {
    "alpha": "MKV-LAAGIVGYWERTPDSLLMKVLAAGIVGYWERTPDSLLMKVLAAGIVGYWERTPDSLLMKV--AGIVGYWER",
    "beta/1-75": "MKVALAAGIVGYW-RTPDSLLMKVLAAGIVGYWERTPDSLLMKVLAAGIVGYWERTPDSLLMKVLAAGIVGYWER",
    "g|x.2": "M--ALAAGIVGYWERTPDSLLMKVLAAGIVGYWERTPDSLLMKVLAAGIVGYWERTPDSLLMKVLAAGIVG-WEK",
}
BARE = tuple(letters.replace("-", "") for letters in LETTERS.values())


def written(form, letters=LETTERS):
    out = io.StringIO()
    rows = [SeqRecord(Seq(each), id=name, description="") for name, each in letters.items()]
    AlignIO.write(MultipleSeqAlignment(rows), out, form)
    return out.getvalue()


def texts(found):
    return " ".join(f"{note.text} {note.action}" for note in found.notes)


@pytest.mark.parametrize(
    ("form", "filename"),
    [("clustal", "a.aln"), ("stockholm", "a.sto"), ("phylip-relaxed", "a.phy"), ("phylip", "a.phy"),
     ("phylip-sequential", "a.phylip"), ("clustal", "a.txt")],
)  # fmt: skip
def test_what_biopython_writes(form, filename):
    text = written(form)
    found = read_samples(text.encode(), filename)
    assert found.kind == "sequences"
    assert [name.replace("|", "_") for name in found.ids] == [name.replace("|", "_") for name in LETTERS]
    assert found.strings == BARE
    assert found.alphabet == "protein"
    assert "gaps (- or .): 3" in texts(found)
    assert read_samples(text.encode(), filename, gaps="keep").strings == tuple(LETTERS.values())
    assert rank_formats(Upload(filename, text.encode()))[0].format is ALIGNMENT


CLUSTAL = """CLUSTAL O(1.2.4) multiple sequence alignment


a      MKV-LAAG\t8
b      -KVALAAG\t7
          :***

a      IVG\t11
b      IVG\t10
"""


@pytest.mark.parametrize(
    ("head", "body"),
    [
        ("CLUSTAL O(1.2.4) multiple sequence alignment", CLUSTAL),
        ("MUSCLE (3.8) multiple sequence alignment", CLUSTAL),
        ("CLUSTAL format alignment by MAFFT L-INS-i (v7.520)", CLUSTAL),
        ("PROBCONS version 1.12 multiple sequence alignment", CLUSTAL),
        ("T-COFFEE, Version_11.00 [http://www.tcoffee.org]", CLUSTAL),
        ("CLUSTAL W", CLUSTAL.replace("          :***\n", "\n")),  # blanks at the ends of lines are lost
        ("CLUSTAL W", CLUSTAL.replace("\t8", "").replace("\t7", "")),
    ],
)
def test_clustal_as_its_tools_and_editors_leave_it(head, body):
    found = read_samples((head + "\n" + body.split("\n", 1)[1]).encode(), "x.aln")
    assert found.ids == ("a", "b")
    assert found.strings == ("MKVLAAGIVG", "KVALAAGIVG")


STOCKHOLM = """# STOCKHOLM 1.0
#=GF ID   family
#=GS O83071/1-6 AC O83071
O83071/1-6          MTCRAQ
#=GR O83071/1-6 SS  999887
O31698/1-6\tMQAH.Q
#=GC SS_cons        CCCCCH
//
"""


def test_stockholm_with_annotation_tabs_and_several_alignments():
    found = read_samples(STOCKHOLM.encode(), "x.sto", alphabet="protein")
    assert found.ids == ("O83071/1-6", "O31698/1-6")
    assert found.strings == ("MTCRAQ", "MQAHQ")
    assert "Lines of annotation (#=): 4. They are left out." in texts(found)
    both = read_samples((STOCKHOLM + STOCKHOLM).encode(), "x.sto")
    assert both.ids[2:] == ("O83071/1-6_2", "O31698/1-6_2")
    assert "The file holds 2 alignments." in texts(both)


PHYLIP = {
    "relaxed, in turns": "2 12\nHomo_sapiens ACGTAC\nPan          ACGAAC\n\nGTGTGT\nGTGTGA\n",
    "relaxed, one after the other": "2 12\nHomo_sapiens ACGTAC\n  GTGTGT\nPan ACGAAC\n  GTGTGA\n",
    "of one line each": " 2 12 \nHomo_sapiens ACGTACGTGTGT\nPan ACGAACGTGTGA\n",
    "with an option": "2 12 I\nHomo_sapiens ACGTAC GTGTGT\nPan ACGAAC GTGTGA\n",
    "with tabs": "2 12\nHomo_sapiens\tACGTACGTGTGT\nPan\tACGAACGTGTGA\n",
    "with dots": "2 12\nHomo_sapiens ACGTACGTGTGT\nPan          ...A.......A\n",
}


@pytest.mark.parametrize("name", PHYLIP)
def test_phylip_in_every_arrangement(name):
    found = read_samples(PHYLIP[name].encode(), "x.phy")
    assert found.ids == ("Homo_sapiens", "Pan")
    assert found.strings == ("ACGTACGTGTGT", "ACGAACGTGTGA")


@pytest.mark.parametrize(
    "body",
    [
        "Homo sapieACGTACGTGTGT\nPan       ACGAACGTGTGA\n",
        "Homo sapieACGTAC\nGTGTGT\nPan       ACGAAC\nGTGTGA\n",
    ],
)
def test_phylip_with_names_of_ten_characters(body):
    found = read_samples(f"2 12\n{body}".encode(), "x.phy")
    assert found.ids == ("Homo sapie", "Pan")
    assert found.strings == ("ACGTACGTGTGT", "ACGAACGTGTGA")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("3\na 0 1 2\nb 1 0 3\nc 2 3 0\n", "similarity"),
        ("3\na\nb 1\nc 2 3\n", "similarity"),
        ("2 3\n1 2 3\n4 5 7\n", "vectors"),
        ("4 5\nalice bob\nbob carol\ncarol dave\ndave alice\n", "network"),
    ],
)
def test_counts_on_top_are_no_alignment(text, kind):
    with contextlib.suppress(InvalidInputError):  # who reads it may want more
        assert read_samples(text.encode(), "x.phy", kind).kind == kind
    assert ALIGNMENT.sniff(Upload("x.phy", text.encode())) == 0.0


def test_repeated_names():
    found = read_samples(b"3 6\na ACGTAC\na ACGTAA\nb ACGTAG\n", "x.phy")
    assert found.ids == ("a", "a_2", "b")
    assert "more than once: 1 (a)" in texts(found)
    with pytest.raises(InvalidInputError, match=r"12 columns of 'a' \(line 3\), 6 of others.*"):
        read_samples(b"CLUSTAL W\n\na ACGTAC\na ACGTAA\nb ACGTAG\nc ACGTAG\n", "x.aln")


def test_sequences_of_gaps_alone_are_dropped_by_name():
    found = read_samples(b"3 6\na AC--AC\nb ------\nc ACGTAG\n", "x.phy")
    assert found.ids == ("a", "c")
    assert found.strings[0] == "ACAC"
    assert "Sequences of gaps alone: 1 (b)." in texts(found)


REFUSED = {
    "CLUSTAL W\n": "0 sequences",
    "CLUSTAL W\n\na ACGTAC\n": "1 sequence in",
    "CLUSTAL W\n\na ACGTAC\nb ACGTA\nc ACGTAC\n": "5 columns of 'b'",
    "CLUSTAL W\n\na ACGTAC\nb ACGTAC\n\na ACG": "columns of",
    "CLUSTAL W\n\na ACGTAC 6 x\nb ACGTAC\n": "'a ACGTAC 6 x' in line 3",
    "CLUSTAL W\n\na ACG1AC\nb ACGTAC\n": "in line 3",
    "CLUSTAL W\n\na ACGTAC\n  what\nb ACGTAC\n": "'what' in line 4",
    "CLUSTAL W\n\na\nb ACGTAC\n": "'a' in line 3",
    "# STOCKHOLM 1.0\n//\n": "0 sequences",
    "# STOCKHOLM 1.0\na ACGTAC\nb ACGTAC\n": "another end",
    "# STOCKHOLM 1.0\na ACGTAC\nb ACG\n//\n": "columns of",
    "# STOCKHOLM 1.0\na ACGTAC\nb ACG TAC\n//\n": "in line 3",
    "3 6\na ACGTAC\nb ACGTAC\n": "2 lines",
    "3 6\na ACGTAC\nb ACGTA\nc ACGTAC\n": "5 columns of 'b'",
    "2 12\na ACGTACGTGTGT\nb ACGTACGTGTGT\nc ACGTACGTGTGT\n": "3 lines that are not as many for each",
    "3 40\na ACGTACGTACGTACGTACGTACG\nb ACGTACGTACGTACGTACGTACG\nc ACGTACGTACGTACGTACGTACG\n": "23 columns of 'a'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_cut_off_alignments_are_refused_with_what_is_wrong(text):
    with pytest.raises(InvalidInputError, match=REFUSED[text].replace("(", r"\(")) as refused:
        read_samples(text.encode(), "x.aln")
    assert refused.value.remedy


def test_alignments_have_the_limit_of_sequences():
    for form in ("clustal", "stockholm", "phylip-relaxed"):
        with pytest.raises(TooLargeError):
            read_samples(written(form).encode(), "x.aln", limit=2)
    with pytest.raises(TooLargeError):
        read_samples(b"900000000 6\na ACGTAC\n", "x.phy", format="alignment")


def test_long_alignments_take_work_in_proportion():
    def text(blocks):
        part = "a ACGTACGTACGTACGTACGT\nb ACGTACGTACGTACGTACGT\n\n"
        return f"CLUSTAL W\n\n{part * blocks}".encode()

    few, many = (calls(lambda n=n: read_samples(text(n), "x.aln", alphabet="dna")) for n in (100, 1_000))
    assert many < 12 * few


# records

GENBANK = """LOCUS       {0}                     {2} bp    DNA     linear   PLN 01-JAN-2000
DEFINITION  a thing; with "a quotation mark.
ACCESSION   {0}
VERSION     {0}.2
SOURCE      {1}
  ORGANISM  {1}
            Eukaryota; Metazoa.
FEATURES             Location/Qualifiers
     source          1..{2}
                     /organism="{1}"
                     /note="over
                     two lines"
ORIGIN
        1 acgtacgtac gtacgtacgt
//
"""
EMBL = """ID   {0}; SV 1; linear; mRNA; STD; PLN; {2} BP.
XX
AC   {0};
XX
OS   {1}
XX
SQ   Sequence {2} BP; 5 A; 5 C; 5 G; 5 T; 0 other;
     acgtacgtac gtacgtacgt                                                  20
//
"""
UNIPROT = """ID   {0}_HUMAN              Reviewed;          {2} AA.
AC   {0}; A8K9K2;
DT   01-JAN-1998, integrated into UniProtKB/Swiss-Prot.
DE   RecName: Full=14-3-3 protein beta/alpha;
OS   {1}.
OC   Eukaryota.
OX   NCBI_TaxID=9606;
SQ   SEQUENCE   {2} AA;  28082 MW;  6BE1A9BF97468017 CRC64;
     MTMDKSELVQ KAMTMDKSEL
//
"""
FORMS = {
    "GenBank": (GENBANK, "x.gb", ".2"),
    "EMBL": (EMBL, "x.embl", ".1"),
    "UniProt": (UNIPROT, "x.txt", ""),
}


def records(form, organisms=("Homo sapiens", "Mus musculus"), size=20):
    return "".join(
        form.format(name, organism, size) for name, organism in zip(("P1", "Q2"), organisms, strict=True)
    )


@pytest.mark.parametrize("name", FORMS)
def test_records(name):
    form, filename, version = FORMS[name]
    data = records(form).encode()
    found = read_samples(data, filename)
    assert found.ids == (f"P1{version}", f"Q2{version}")
    assert {len(letters) for letters in found.strings} == {20}
    assert found.alphabet == ("protein" if name == "UniProt" else "dna")
    assert "The records are of 2 organisms (Homo sapiens, Mus musculus)." in texts(found)
    assert "Features and references are left out." in texts(found)
    assert rank_formats(Upload(filename, data))[0].format is RECORDS
    one = read_samples(records(form, ("Homo sapiens",) * 2).encode(), filename)
    assert "organisms" not in texts(one)


@pytest.mark.parametrize("name", FORMS)
def test_records_that_are_cut_off_or_say_another_length(name):
    form, filename, _ = FORMS[name]
    whole = records(form)
    with pytest.raises(InvalidInputError, match="ends with the line //"):
        read_samples(whole[:-4].encode(), filename)
    with pytest.raises(InvalidInputError, match="20 of 21 in"):
        read_samples(records(form, size=21).encode(), filename)
    with pytest.raises(InvalidInputError, match="1 sequence in"):
        read_samples(form.format("P1", "Homo sapiens", 20).encode(), filename)
    with pytest.raises(TooLargeError):
        read_samples((whole * 2).encode(), filename, limit=3)
    for at in range(0, len(whole), 7):
        with contextlib.suppress(KernexError):
            read_samples((whole[:at] + whole[at + 3 :]).encode(), filename, kind="sequences")


def test_records_without_a_sequence_are_dropped_by_name():
    empty = GENBANK.format("E3", "Homo sapiens", 20).replace(
        "ORIGIN\n        1 acgtacgtac gtacgtacgt\n", "CONTIG      join(U00096.3:1..20)\n"
    )
    found = read_samples((records(GENBANK) + empty).encode(), "x.gb")
    assert found.ids == ("P1.2", "Q2.2")
    assert "Records without a sequence: 1 (E3.2). They are dropped." in texts(found)


def test_what_biopython_writes_as_genbank_and_embl():
    rows = [
        SeqRecord(Seq("ACGT" * 30), id=f"S{k}", name=f"S{k}", annotations={"molecule_type": "DNA"})
        for k in range(3)
    ]
    for form, ending in (("genbank", "gb"), ("embl", "embl")):
        out = io.StringIO()
        SeqIO.write(rows, out, form)
        assert read_samples(out.getvalue().encode(), f"x.{ending}").strings == ("ACGT" * 30,) * 3


def test_new_sequences_come_in_them_too():
    there = read_samples(b">P1.2\nACGTACGT\n>b\nACGTACGA\n", "s.fa")
    new = read_new(GENBANK.format("P1", "Homo sapiens", 20).encode(), "x.gb", there)
    assert new.ids == ("P1.2 (new)",)
    assert read_new(b"CLUSTAL W\n\nc AC-GT\n", "x.aln", there).strings == ("ACGT",)
