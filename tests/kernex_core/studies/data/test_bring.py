import gzip

import numpy as np
import pytest

from kernex_core.base.errors import KernexError, TooLargeError
from kernex_core.inputs.catalogue import LABELS
from kernex_core.inputs.format import SURE
from kernex_core.inputs.samples import Labels, Similarity
from kernex_core.inputs.upload import Upload
from kernex_core.studies.data import read_as, read_asking, readings, suggest

MATRIX = b",a,b,c\na,2,1,0\nb,1,2,1\nc,0,1,2\n"
DISTANCES = b",a,b,c\na,0,1,4\nb,1,0,1\nc,4,1,0\n"
LABEL_TABLE = b"domain\tsccs\tsuperfamily\na\tc.1.1\tc.1\nb\tc.1.2\tc.1\nc\tc.2.2\tc.2\n"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (MATRIX, "matrix"),
        (LABEL_TABLE, LABELS),
        (b"id,label\na,x\nb,y\nc,x\n", LABELS),
        (b"id,label\na,1\nb,2\nc,1\n", LABELS),
        (b"x\ny\nx\n", LABELS),
        (b">a\nACGT\n>b\nACGA\n", "fasta"),
        (b"id,x1,x2,label\na,1,2,u\nb,2,3,v\nc,2,2,v\n", "vectors"),
        (b"a b 1\nb c 2\na c 1\n", "pairs"),
        # a second column of few texts, none of them an item, says the class of each item
        (b"a,x,3\nb,y,4\nc,x,9\nd,y,1\n", LABELS),
        (b"a,x,3,7\nb,y,4,1\nc,x,9,2\nd,,1,2\n", "vectors"),
        (b"item,colour,size\na,red,3\nb,red,4\nc,blue,9\nd,blue,1\n", LABELS),
        (b"id,class,size\n0,0,3\n1,1,4\n2,0,9\n3,1,1\n", LABELS),
        # neither does one whose texts are items, or that says several things of one item
        (b"a,x,3\nb,x,4\nc,x,9\nx,a,1\n", "pairs"),
        (b"a,x,3\na,y,4\nb,x,9\nb,y,1\n", "pairs"),
        (b"query,target,score\na,x,3\nb,x,4\nc,y,9\nd,y,1\n", "pairs"),
    ],
)
def test_likeliest_reading(data, name):
    found = readings(Upload("file.txt", data))
    assert found[0].format.name == name
    assert found[0].confidence >= SURE
    assert len({way.format.name for way in found}) == len(found)


@pytest.mark.parametrize(
    "data", [b"\x89PNG\r\n\x1a\n" + bytes(200), b"hello world\nthis is a text\n", b"a,b\nc,d\n"]
)
def test_nothing_is_likely_of_what_kernex_does_not_read(data):
    assert readings(Upload("file.csv", data))[0].confidence < SURE


def test_columns_of_labels_are_offered_and_guessed():
    found = suggest(Upload("labels.tsv", LABEL_TABLE), LABELS)
    assert found.options.label_column == "superfamily"
    assert found.options.id_column == "domain"
    assert found.choices["label_column"] == ("domain", "sccs", "superfamily")
    labels = read_as(Upload("labels.tsv", LABEL_TABLE), LABELS, found.options)
    assert isinstance(labels, Labels)
    assert labels.classes == (("c.1", 2), ("c.2", 1))


def test_columns_with_blank_or_equal_names_are_numbered():
    data = b",value,value,group\na,1,2,u\nb,2,3,v\nc,2,1,v\n"
    found = suggest(Upload("vectors.csv", data), "vectors")
    assert found.choices["label_column"] == ("", "1", "2", "3", "group")
    assert found.options.id_column == "1"
    assert read_as(Upload("vectors.csv", data), "vectors", found.options).ids == ("a", "b", "c")


def test_score_columns_of_hits_are_offered():
    row = "\t".join(["a", "b", "50", "30", "2", "0", "1", "30", "1", "30", "1e-9", "70"])
    found = suggest(Upload("hits.m8", f"{row}\n".encode()), "hits")
    assert found.choices["score_column"][:2] == ("", "bits")


def test_scop_classes_in_headers_are_guessed():
    data = b">d1 c.1.8.3 text\nACDEF\n>d2 c.1.9.1 text\nACDEG\n"
    options = suggest(Upload("seq.fa", data), "fasta").options
    assert (options.header, options.levels) == ("{id} {label}", 3)
    assert read_as(Upload("seq.fa", data), "fasta", options).labels.y.tolist() == ["c.1.8", "c.1.9"]
    plain = suggest(Upload("seq.fa", b">d1\nACDEF\n>d2\nACDEG\n"), "fasta").options
    assert plain.header == ""


def asked(name, data, way, **answers):
    upload = Upload(name, data)
    return read_asking(upload, way, suggest(upload, way).options, answers)


def test_a_diagonal_of_zeros_settles_that_larger_is_further_apart():
    found = asked("d.csv", DISTANCES, "matrix")
    (question,) = found.questions
    assert (question.option, question.decided, question.example) == ("meaning", "distance", "a and b: 1")
    assert found.options.meaning == "distance"
    assert found.result.gram.values[0, 1] > found.result.gram.values[0, 2]
    other = asked("d.csv", DISTANCES, "matrix", meaning="similarity")
    assert other.questions == found.questions  # one can go back
    assert other.result.gram.values.tolist() == [[0, 1, 4], [1, 0, 1], [4, 1, 0]]
    assert asked("k.csv", MATRIX, "matrix").questions == ()


OPEN = {  # file: what is asked, and one answer with a number that comes of it
    ("k.csv", b"query,target,left,right\np,q,0.5,7\np,r,0.2,8\n", "hits"): ("score_column", {"right": 7.0}),
    ("k.csv", b"source,target,alpha,beta\na,b,0.5,7\nb,c,0.3,8\n", "edges"): ("weight_column", {"beta": 7.0}),
    ("k.tsv", b"a\tb\t1e-30\na\tc\t1e-12\n", "pairs"): ("scale", {"minus_log10": 30.0, "as_is": 1e-30}),
    ("k.csv", b";a;b\na;1,200;300\nb;300;2,000\n", "matrix"): ("comma", {"thousands": 300.0}),
    ("k.phy", b"3\na\nb\t33\nc\t20\t99\n", "tool"): ("meaning", {"similarity": 33.0}),
    (
        "n.gml",
        b'graph [ node [ id 1 label "a" ] node [ id 2 label "b" ] edge [ source 1 target 2 u 3 v 4.5 ] ]',
        "gml",
    ): ("weight_attribute", {"v": 4.5, "": 1.0}),
}


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case[2])
def test_what_is_open_is_asked_until_it_is_answered(case):
    option, answers = OPEN[case]
    before = asked(*case)
    assert before.result is None
    (question,) = (each for each in before.questions if not each.decided)
    assert question.option == option
    assert set(answers) <= {each.value for each in question.answers}
    for value, number in answers.items():
        made = asked(*case, **{option: value})
        assert made.error is None
        values = (
            made.result.gram.values
            if isinstance(made.result, Similarity)
            else made.result.adjacency.toarray()
        )
        assert values[0, 1] == pytest.approx(number)


def test_what_is_wrong_otherwise_is_no_question():
    found = asked("k.csv", b",a,b\na,1,x\nb,x,1\n", "matrix")
    assert (found.questions, found.result) == ((), None)
    assert "'x'" in str(found.error)


def test_a_changed_reading_is_obeyed():
    options = suggest(Upload("k.csv", MATRIX), "vectors").options
    assert np.array_equal(
        read_as(Upload("k.csv", MATRIX), "vectors", options).X, [[2, 1, 0], [1, 2, 1], [0, 1, 2]]
    )


def test_without_a_reading_the_guess_says_what_is_wrong():
    options = suggest(Upload("k.csv", MATRIX), "matrix").options
    with pytest.raises(KernexError, match="PNG"):
        read_as(Upload("k.csv", b"\x89PNG\r\n\x1a\n" + bytes(200)), "", options)


def test_a_line_of_megabytes_is_refused_before_every_format_looks_at_it():
    wide = gzip.compress(b"0," * 5_000_000)
    with pytest.raises(TooLargeError, match="5,000,001 in line 1 of wide"):
        readings(Upload("wide.csv.gz", wide))
    options = suggest(Upload("k.csv", MATRIX), "matrix").options
    with pytest.raises(TooLargeError, match="500,000 columns"):
        read_as(Upload("wide.csv.gz", wide), "", options)
