"""Texts in formats that Kernex does not read, known by how they begin, and refused with the way out."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kernex_core.inputs.upload import Upload

HEAD = 20_000


@dataclass(frozen=True)
class Foreign:
    """A format that is not read.

    Attributes
    ----------
    title : str
        As a phrase: "a tree in Newick format".
    begins : str
        Regular expression that its text begins with, white space on top left out.
    remedy : str
        How to bring the same data.
    """

    title: str
    begins: str
    remedy: str


_CSV = "export it as CSV with ids on top and on the left"
_SCORES = "Make a table of query, target and score of it, one line a pair, and bring that"
_GENOTYPES = "Let PLINK write similarities of the samples (--make-rel square, or --genome), and bring those"
FOREIGN: tuple[Foreign, ...] = (
    Foreign(
        "a network in UCINET's DL format",
        r"DL\s+n\s*=",
        "Take out the lines down to data: and bring the rest as a list of edges, or export Pajek in UCINET",
    ),
    Foreign(
        "a network in GDF format of GUESS",
        r"nodedef\s*>",
        "Open it in Gephi and export it as GraphML or GEXF",
    ),
    Foreign(
        "a network in DOT format of Graphviz",
        r"(//.*\n|/\*.*\*/|\s)*(strict\s+)?(di)?graph\s*(\w+|\"[^\"]*\")?\s*\{",
        "Convert it to GML (gv2gml of Graphviz)",
    ),
    Foreign(
        "an annotation of a genome (GFF)",
        r"##gff-version|(#.*\n)*([^\t\n#]+\t){3}\d+\t\d+\t[^\t\n]+\t[+.?-]\t[.012]\t",
        "Its lines are features of one sequence, not items: bring the sequences as FASTA",
    ),
    Foreign(
        "a table of protein interactions (MITAB)",
        r"#?ID\(?s?\)? interactor A\t|([a-z/ ]+:[^\t\n]+\t){2}(([a-z/ -]+:[^\t\n]*|-)\t){4}",
        "Take out the two columns of ids (and one of a score), and bring them as a list of edges",
    ),
    Foreign(
        "a table of protein interactions (HIPPIE)",
        r"\w+_[A-Z]+\t\d+\t\w+_[A-Z]+\t\d+\t[\d.]+\t",
        "Take out the columns 1, 3 and 5 (two ids and the score), and bring them as a list of edges",
    ),
    Foreign(
        "a table of edges of Cytoscape",
        r"\"?SUID\"?,([^\n]*,)?\"?(shared )?interaction\"?,",
        "Export the network in Cytoscape (File, Export, Network to File) as SIF or GraphML",
    ),
    Foreign("distances of MEGA", r"#mega\b", f"Open it in MEGA, and {_CSV}"),
    Foreign(
        "distances of EMBOSS (distmat)",
        r"Distance Matrix\s*\n-+\s*\n",
        f"Let Clustal Omega write them (--full --distmat-out), or {_CSV}",
    ),
    Foreign(
        "clusters of CD-HIT",
        r">Cluster \d+\s*\n\d+\t\d+(aa|nt),",
        "Make a table of id and cluster of it (clstr2txt.pl), and bring it as labels",
    ),
    Foreign(
        "a table of individuals of PLINK",
        r"#?FID[ \t]+IID[ \t]+",
        "Take out the column FID: id and phenotype are labels, ids and several numbers vectors",
    ),
    Foreign("variants of genomes (VCF)", r"##fileformat=VCF", _GENOTYPES),
    Foreign(
        "places in a genome (BED)",
        r"((track|browser)\b.*\n)*chr\w+\t\d+\t\d+[\t\n]",
        "Its lines are places, not items: make a table with one row a sample, and bring that",
    ),
    Foreign(
        "a table of mutations (MAF)",
        r"(#.*\n)*Hugo_Symbol\t",
        "Make a table of 0 and 1: a row a sample, a column a gene",
    ),
    Foreign(
        "a matrix of MCL",
        r"\(mclheader",
        "Write it as pairs (mcxdump -imx FILE --dump-pairs), and bring those",
    ),
    Foreign(
        "genotypes of PLINK (.ped)", r"(\S+[ \t]+){4}[0-2][ \t]+\S+([ \t]+[ACGT0]){2,}[ \t]*\n", _GENOTYPES
    ),
    Foreign("a table of HMMER", r"#\s+--- full sequence|# target name\s+accession", _SCORES),
    Foreign("a table of hits of HHsearch", r"Query\s+\S+.*\nMatch_columns", _SCORES),
    Foreign(
        "a report of BLAST",
        r"(T?BLAST[NPX]|PSIBLAST)\s+\d",
        "Write it with -outfmt 6 (or 7), and bring that table",
    ),
    Foreign(
        "a table of molecules (SMILES)",
        r"([^\n]*[,;\t])?\"?(canonical_|isomeric_)?smiles\"?[ \t]*([,;\t\n])",
        "Bring fingerprints: a table with one row a molecule and columns of 0 and 1; or similarities of the molecules",
    ),
    Foreign("an ARFF file of Weka", r"(%.*\n\s*)*@relation\b", "Save it as CSV in Weka"),
    Foreign(
        "a tree in Newick format",
        r"\(.*[,)].*;\s*$",
        f"Compute distances of its leaves (cophenetic), and {_CSV}",
    ),
    Foreign(
        "a coordinate file (PDB)",
        r"(HEADER|ATOM|REMARK|CRYST1)\s.*\n",
        "Bring similarities of the structures",
    ),
    Foreign("a coordinate file (mmCIF)", r"data_\S+\s*\n\s*#", "Bring similarities of the structures"),
    Foreign(
        "a file of molecules (SDF)",
        r".*\n.*\n.*\n\s*\d+\s+\d+.*V[23]000",
        "Bring fingerprints as a table, or similarities",
    ),
    Foreign("FASTQ reads", r"@\S.*\n[A-Za-z]+\n\+", "Save them as FASTA"),
    Foreign("a JSON document", r"[\[{]\s*([\"\[{\]}]|-?\d+(\.\d+)?\s*,)", f"Make a table of it, and {_CSV}"),
)
"""In the order in which they are looked for."""


_BODIES = (
    (r"(\d+)[ \t]+(\d+)[ \t]*\n[ \t]*\S+[ \t]*\n[ \t]*\S+[ \t]*\n", "array real"),
    (r"(\d+)[ \t]+(\d+)[ \t]+(\d+)[ \t]*\n[ \t]*\d+[ \t]+\d+[ \t]+[^\s,;]+[ \t]*\n", "coordinate real"),
    (r"(\d+)[ \t]+(\d+)[ \t]+(\d+)[ \t]*\n[ \t]*\d+[ \t]+\d+[ \t]*\n", "coordinate pattern"),
)
"""Size, and the first entries below it, of a MatrixMarket file, with what its first line says."""


def _headless(text: str) -> Foreign | None:
    """A MatrixMarket file that lost its first line: a line of sizes, and as many entries below it as they announce."""
    if text[:14].lower() == "%%matrixmarket":
        return None
    head = re.sub(r"\A(?:[ \t]*(?:%.*)?\n)+", "", text[:HEAD]).lstrip()
    for begins, layout in _BODIES:
        if (found := re.match(begins, head)) is None:
            continue
        n, m, *entries = (int(size) for size in found.groups())
        # a triangle is listed where both sides are the same
        wanted = {entries[0]: "general"} if entries else {n * (n + 1) // 2: "symmetric", n * m: "general"}
        symmetry = wanted.get((head + text[HEAD:]).rstrip().count("\n"))
        if symmetry is not None and (n == m or symmetry == "general"):
            line = f"%%MatrixMarket matrix {layout} {symmetry}"
            choice = ", or symmetric for general if it lists one triangle" if entries else ""
            return Foreign(
                "a MatrixMarket file without its first line", "", f"Put that line on top: {line}{choice}"
            )
    return None


def foreign(upload: Upload) -> Foreign | None:
    """Which of these formats an upload has, or None."""
    if not upload.is_text:
        return None
    head = upload.text[:HEAD].lstrip()
    known = next((form for form in FOREIGN if re.match(form.begins, head, re.IGNORECASE)), None)
    return known or _headless(upload.text)
