"""The tables of docs/formats.md about tools and about formats that are not read, line by line."""

import re

import pytest

from kernex_core import read_samples
from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.reading import EXPORTS
from kernex_core.inputs.tables.foreign import FOREIGN
from kernex_core.inputs.upload import really_is
from tests.conftest import REPOSITORY
from tests.kernex_core.inputs.test_catalogue import genbank
from tests.kernex_core.inputs.test_no_guess import KING

TEXT = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
ALIGNED = "#PDBchain1\tPDBchain2\tTM1\tTM2\na\tb\t0.5\t0.7\na\tc\t0.5\t0.4\n"
GENOME = "FID1 IID1 FID2 IID2 RT PI_HAT\nF I G J UN 0.25\nF I H K UN 0.05\n"
STRING = "#node1\tnode2\thomology\tcombined_score\na\tb\t0\t0.9\nb\tc\t0\t0.5\n"
BIOGRID = (
    "#BioGRID Interaction ID\tOfficial Symbol Interactor A\tOfficial Symbol Interactor B\tScore\n"
    "1\ta\tb\t-\n2\tb\tc\t-\n"
)
COUNTS = (
    "# Program:featureCounts\nGeneid\tChr\tStart\tEnd\tStrand\tLength\ts1\ts2\n"
    "g1\tc\t1\t9\t+\t9\t4\t5\ng2\tc\t1\t9\t+\t9\t6\t7\n"
)
SERIES = (
    '!Series_title\t"x"\n!series_matrix_table_begin\n"ID_REF"\t"G1"\t"G2"\n'
    '"p"\t1\t2\n"q"\t3\t5\n!series_matrix_table_end\n'
)
PHYLIP = "3\nabcdefghij0 1 2\nb         1 0 3\nc         2 3 0\n"
GCT = "#1.2\n2\t2\nName\tDescription\ts\tt\ng\tna\t1\t2\nh\tna\t4\t5\n"
PRECOMPUTED = "1 0:1 1:1 2:0.5\n-1 0:2 1:0.5 2:1\n"
TOOLS = {
    "STRING": ("s.tsv", STRING, "network", "`combined_score` is the weight"),
    "BioGRID": ("b.txt", BIOGRID, "network", "of the official symbols; every edge counts alike"),
    "Cytoscape (SIF)": ("n.sif", "a pp b c\nb pd c\n", "network", "a node, a relation, one or more nodes a line"),
    "Pajek": (
        "n.net", '*Vertices 2\n1 "a"\n2 "b"\n*Edges\n1 2 3\n', "network", "all sections; vertices of one label stay apart",
    ),
    "GML, GraphML, GEXF": (
        "n.gml", "graph [ node [ id 0 ] node [ id 1 ] edge [ source 0 target 1 value 8 ] ]", "network",
        "the only number of an edge is its weight; of several, asked",
    ),
    "igraph (.ncol)": ("n.ncol", "a b 1.0\nb c 0.5\n", "network", "by its ending"),
    "BLAST, MMseqs2, Foldseek, DIAMOND": (
        "h.m8", "a\ta\t100\t9\t0\t0\t1\t9\t1\t9\t1e-9\t90\na\tb\t50\t9\t4\t0\t1\t9\t1\t9\t1e-3\t30\n", "similarity",
        "the bit score",
    ),
    "US-align": ("u.tsv", ALIGNED, "similarity", "TM1 for (a, b), TM2 for (b, a); 1 for an item with itself"),
    "CompareM": (
        "c.tsv", "#Genome A\tGenes in A\tGenome B\tMean AAI\na\t35\tb\t85.5\na\t35\tc\t65\n", "similarity",
        "`Mean AAI`; 100 for an item with itself",
    ),
    "skani, fastANI (lists)": (
        "f.txt", "a.fa\tb.fa\t97.5\t800\t900\na.fa\tc.fa\t95.1\t700\t900\n", "similarity",
        "the identity; 100 for an item with itself",
    ),
    "skani, fastANI (triangles)": (
        "t.txt", "3\na\nb\t97.5\nc\t95.2\t0.00\n", "similarity",
        "identities from 50 to 100: 100 for an item with itself, 0 is unknown; others are asked",
    ),
    "PLINK (.genome)": ("p.genome", GENOME, "similarity", "`PI_HAT`; 1 for an item with itself"),
    "KING, PLINK 2 (.kin0)": (
        "k.kin0", KING + "F\tI\tG\tJ\t1\t1\t1\t0.25\nF\tI\tH\tK\t1\t1\t1\t0.05\n", "similarity",
        "`Kinship`; 0.5 for an item with itself",
    ),
    "GCTA (.grm)": ("g.grm", "1 1 10 1\n2 1 10 0.5\n2 2 10 1\n", "similarity", "the lower triangle, entry by entry"),
    "Mash": (
        "m.tsv", "a\tb\t0.02\t0\t456/1000\na\tc\t0.3\t0\t4/1000\n", "similarity", "distances, by the fraction at the end",
    ),
    "mothur (.dist)": ("m.dist", "a b 0.02\na c 0.3\nb c 0.3\n", "similarity", "distances, by its ending"),
    "Dashing": ("d.txt", "##Names \ta\tb\na\t-\t0.1\nb\t-\t-\n", "similarity", "the upper triangle; `-` is unknown"),
    "PHYLIP": ("p.phy", PHYLIP, "similarity", "tabs, blanks, or names of ten characters"),
    "GaKCo": ("k.txt", "1:1 2:0.5\n1:0.5 2:1\n", "similarity", "numbered entries"),
    "LIBSVM (precomputed)": ("k.txt", PRECOMPUTED, "similarity", "classes, and entries behind `0:row`"),
    "Clustal, MUSCLE, T-COFFEE": (
        "a.aln", "CLUSTAL W\n\na  MKV-LA\nb  MKVALA\n", "sequences", "gaps are removed",
    ),
    "Pfam, HMMER (Stockholm)": (
        "a.sto", "# STOCKHOLM 1.0\n#=GF ID x\na  MKV-LA\nb  MKVALA\n//\n", "sequences",
        "the sequences of all alignments, without lines of annotation",
    ),
    "PHYLIP (alignments)": (
        "a.phy", "2 6\na MKV\nb MKV\n\n-LA\nALA\n", "sequences",
        "in turns or one after the other, names of ten characters or up to a blank",
    ),
    "GenBank, EMBL, UniProt": (
        "a.gb", genbank("a") + genbank("b"), "sequences", "id and sequence of every record; its organism is said",
    ),
    "SVMlight, LIBSVM": ("x.txt", "+1 1:2 9:1\n-1 2:1\n", "vectors", "classes or numbers, and what is not zero"),
    "GEO (series matrix)": ("s.txt", SERIES, "vectors", "samples are the items; classes from a characteristic that repeats"),
    "GenePattern (.gct)": ("x.gct", GCT, "vectors", "samples are the items"),
    "featureCounts": ("c.txt", COUNTS, "vectors", "genes are the items, without their places"),
    "Orange (.tab)": (
        "o.tab", "x\ty\tn\tk\nc\tc\tstring\td\n\t\tmeta\tclass\n1.5\t2\ta\tu\n2.5\t3\tb\tv\n3.5\t3\tc\tv\n", "vectors",
        "names, types and roles in three lines",
    ),
}  # fmt: skip
BINARY = {
    "an HDF5 file": b"\x89HDF\r\n\x1a\n",
}


def rows(heading):
    part = TEXT.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = [line for line in part.splitlines() if line.startswith("|")]
    return [tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1])) for line in lines[2:]]


def test_every_tool_stands_in_the_table():
    assert rows("Files of tools") == [(name, kind, how) for name, (_, _, kind, how) in TOOLS.items()]


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_is_taken_for_what_the_table_says(name):
    filename, text, kind, _ = TOOLS[name]
    assert read_samples(text.encode(), filename).kind == kind


def test_every_format_that_is_refused_stands_in_the_table():
    assert rows("What is not read, and what to bring instead") == [
        *((form.title, form.remedy) for form in FOREIGN), *EXPORTS.items()
    ]  # fmt: skip


@pytest.mark.parametrize("title", BINARY)
def test_binary_ones_are_known(title):
    assert really_is(BINARY[title] + bytes(90)) == title
    with pytest.raises(InvalidInputError, match=re.escape(EXPORTS[title])):
        read_samples(BINARY[title] + bytes(90), "x.bin")
