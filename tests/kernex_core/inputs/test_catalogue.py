import dataclasses
import io
import re

import numpy as np
import pytest
from scipy.io import savemat

from kernex_core import FORMATS
from kernex_core.base.parameters import parameters
from kernex_core.inputs.reading import rank_formats
from kernex_core.inputs.upload import Upload
from tests.conftest import REPOSITORY
from tests.kernex_core.inputs.dialects import workbook_bytes
from tests.kernex_core.inputs.formats.r_files import matrix, rds
from tests.kernex_core.inputs.graphs.zips import PAIR, PATH, folder, zipped


def npz_bytes(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def mat_bytes(**arrays):
    out = io.BytesIO()
    savemat(out, arrays)
    return out.getvalue()


def genbank(name):
    return f"LOCUS       {name}    4 bp    DNA     linear   PLN 01-JAN-2000\nORIGIN\n        1 acgt\n//\n"


EXAMPLES = {
    "matrix": Upload("k.csv", b",a,b,c\na,2,1,0\nb,1,2,1\nc,0,1,2\n"),
    "workbook": Upload("k.xlsx", workbook_bytes([["", "a", "b"], ["a", 2, 1], ["b", 1, 2]])),
    "numpy": Upload("k.npz", npz_bytes(values=np.eye(2), ids=np.array(["a", "b"]))),
    "matlab": Upload("k.mat", mat_bytes(K=np.eye(2))),
    "r": Upload("k.rds", rds(matrix(np.eye(2), ["a", "b"], ["a", "b"]))),
    "pairs": Upload("k.tsv", b"a\ta\t2\na\tb\t1\nb\tb\t2\n"),
    "hits": Upload(
        "k.m8", b"a\ta\t100\t9\t0\t0\t1\t9\t1\t9\t1e-9\t90\na\tb\t50\t9\t4\t0\t1\t9\t1\t9\t1e-3\t30\n"
    ),
    "tool": Upload("k.phy", b"3\na\nb 1\nc 2 3\n"),
    "sequence_table": Upload("s.csv", b"id,sequence,class\na,MKVLA,x\nb,MKVL,y\n"),
    "fasta": Upload("s.fa", b">a\nACDEF\n>b\nACDEG\n"),
    "alignment": Upload(
        "s.aln", b"CLUSTAL W (1.83) multiple sequence alignment\n\na  MKV-LA\nb  MKVALA\n   *** **\n"
    ),
    "records": Upload("s.gb", (genbank("a") + genbank("b")).encode()),
    "vectors": Upload("x.csv", b"id,x1,x2,x3\na,1,2,7\nb,2,3,1\nc,2,2,4\nd,5,5,1\n"),
    "vector_arrays": Upload(
        "x.npz", npz_bytes(X=np.arange(6.0).reshape(3, 2), ids=np.array(["a", "b", "c"]))
    ),
    "svmlight": Upload("x.svm", b"+1 1:0.5 7:2 # a\n-1 2:1 # b\n+1 1:1 # c\n"),
    "ones": Upload("x.data", b"1 5 9\n2 7\n1 2 5 11\n"),
    "matrix_market_vectors": Upload(
        "x.mtx", b"%%MatrixMarket matrix coordinate real general\n2 3 2\n1 3 .5\n2 1 2\n"
    ),
    "edges": Upload("e.csv", b"source,target,weight\na,b,2\nb,c,1\n"),
    "adjacency": Upload("a.csv", b",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n"),
    "matrix_market": Upload(
        "a.mtx", b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    ),
    "matrix_market_similarity": Upload(
        "k.mtx", b"%%MatrixMarket matrix array real general\n2 2\n1\n.5\n.5\n1\n"
    ),
    "graphml": Upload(
        "a.graphml",
        b'<?xml version="1.0"?><graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/>'
        b'<edge source="a" target="b"/></graph></graphml>',
    ),
    "gml": Upload(
        "a.gml", b'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 ] ]'
    ),
    "gexf": Upload(
        "a.gexf",
        b'<?xml version="1.0"?><gexf xmlns="http://www.gexf.net/1.2draft" version="1.2"><graph><nodes><node id="a"/>'
        b'<node id="b"/></nodes><edges><edge id="0" source="a" target="b"/></edges></graph></gexf>',
    ),
    "pajek": Upload("a.net", b'*Vertices 2\n1 "a"\n2 "b"\n*Edges\n1 2 1\n'),
    "sif": Upload("a.sif", b"a pp b\nb pp c\n"),
    "tudataset": Upload("d.zip", folder()),
    "graph_files": Upload("g.zip", zipped({"a.graphml": PATH, "b.graphml": PAIR})),
    "labels": Upload("l.csv", b"id,label\na,x\nb,y\nc,x\n"),
}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_is_described(form):
    assert form.kind in {"similarity", "sequences", "vectors", "network", "graphs", "labels"}
    assert form.title
    assert form.extensions
    assert all(extension == extension.lower().strip(".") for extension in form.extensions)
    options = form.options()
    described = parameters(options)
    assert {field.name for field in dataclasses.fields(options)} == set(described)
    assert all(description.help.endswith(".") for description in described.values())


def test_names_are_distinct():
    assert len({form.name for form in FORMATS}) == len(FORMATS)


def documented():
    whole = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
    text = whole.partition("\n## Workspace files")[0]  # parts of such a file are no formats
    rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in text.splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): row[1:] for row in rows}


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_the_table_of_formats_says_what_each_suggests_and_takes(form):
    kind, endings, suggests, options = documented()[form.name]
    described = parameters(form.options())
    assert kind == form.kind
    assert tuple(endings.split()) == form.extensions
    assert suggests == " ".join(form.suggest.__doc__.split())
    assert re.findall(r"`(\w+)`", options) == [name for name, p in described.items() if not p.hidden]


def test_no_format_is_documented_that_is_not_there():
    assert list(documented()) == [form.name for form in FORMATS]


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_what_is_suggested_are_options_of_the_format(form):
    suggestion = form.suggest(EXAMPLES[form.name])
    assert type(suggestion.options) is form.options
    assert set(suggestion.choices) <= {field.name for field in dataclasses.fields(form.options)}
    wanted = {"tudataset": ("DS_1", "DS_2")}.get(form.name, ("a", "b"))
    if form.name.startswith(("matrix_market", "matlab", "ones")):  # they have no ids
        wanted = ("1", "2")
    assert form.read(EXAMPLES[form.name], suggestion.options).ids[:2] == wanted
    assert rank_formats(EXAMPLES[form.name])[0].format is form
