"""What a file is taken for, as a sentence; what it leaves open, as a question with buttons."""

import numpy as np
import pytest

from tests.kernex_core.studies.data.test_bring import OPEN
from tests.pages.data.test_bringing_files import bring, shown


def answers(at, option):
    return {
        each.key.rpartition(".")[2]: each for each in at.button if each.key and f".{option}.is." in each.key
    }


def added(at):
    at.button(key="data.add").click().run()
    assert not at.exception
    state = at.session_state["kernex"]
    data = state.entries[state.chosen].dataset
    if data.kernels:
        (K,) = data.kernels.values()
        return K.values
    (network,) = data.samples.values()
    return network.adjacency.toarray()


SENTENCES = {
    ("k.csv", b",a,b,c\na,2,1,0\nb,1,2,1\nc,0,1,2\n"): (
        "Similarities of 3 items", "a–b → 1; larger is more alike; 3 of 3 pairs known; 2 with themselves.",
    ),
    ("k.csv", b"gene1,gene2,similarity\nCDK1,CCNB1,0.999\nCDK1,PLK1,0.5\n"): (
        "Similarities of 3 items", "CDK1–CCNB1 → 0.999 (similarity); larger is more alike; 2 of 3 pairs known",
        "0.5 to 0.999 with themselves, which is not in the file",
    ),
    ("n.csv", b"source,target,weight\nx,y,0.25\ny,z,3\n"): ("A network of 3 nodes and 2 edges", "x–y weighs 0.25 (weight)"),
    ("v.csv", b"id,p,q,r\na,1.5,2,0.1\nb,2.5,3,0.2\n"): (
        "2 items with 3 numbers each", "a → p 1.5, q 2, …; a row is an item",
    ),
    ("h.m8", b"p\tp\t99\t9\t0\t0\t1\t9\t1\t9\t1e-9\t50\np\tq\t40\t9\t0\t0\t1\t9\t1\t9\t1e-3\t20\n"): (
        "Similarities of 2 items", "p–q → 20 (bits); larger is more alike; 1 of 1 pairs known; 50 with themselves.",
    ),
    ("s.fasta", b">one\nMKVLAACDEFGHIKL\n>two\nMKVL\n"): ("2 sequences", "one → MKVLAACDEFGH…, 15 letters"),
    ("l.csv", b"id,class\na,kinase\nb,other\nc,kinase\n"): ("3 labels", "a → kinase (class)"),
}  # fmt: skip


@pytest.mark.parametrize("case", SENTENCES, ids=lambda case: case[1][:12])
def test_the_sentence_to_confirm_has_a_number_of_the_file(open_page_test, case):
    at = bring(open_page_test, *case)
    for said in SENTENCES[case]:
        assert said in shown(at)


@pytest.mark.parametrize("case", OPEN, ids=lambda case: case[2])
def test_what_is_open_stands_as_buttons_with_their_effect_and_nothing_is_added_before(open_page_test, case):
    name, data, _ = case
    option, values = OPEN[case]
    for value, number in values.items():
        at = bring(open_page_test, name, data)
        assert not at.error
        assert not [each for each in at.button if each.key == "data.add"]
        answers(at, option)[value].click().run()
        assert not at.exception
        assert not answers(at, option) or option == "meaning"
        np.testing.assert_allclose(added(at)[0, 1], number)


def test_an_answer_can_be_taken_back(open_page_test):
    (case,) = (each for each in OPEN if each[2] == "hits")
    at = bring(open_page_test, case[0], case[1])
    answers(at, "score_column")["right"].click().run()
    assert "p–q → 7 (right)" in shown(at)
    next(each for each in at.button if each.key and each.key.endswith(".score_column.again")).click().run()
    assert set(answers(at, "score_column")) == {"left", "right"}


def test_what_a_diagonal_settles_can_be_taken_back(open_page_test):
    at = bring(open_page_test, "d.csv", b",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n")
    assert "a and b: 1; larger is further apart" in shown(at)
    assert "The diagonal is zero" in shown(at)
    answers(at, "meaning")["similarity"].click().run()
    assert "a–b → 1; larger is more alike" in shown(at)
    answers(at, "meaning")["distance"].click().run()
    assert "larger is further apart" in shown(at)
    assert added(at)[0, 0] == 1.0


def test_an_option_that_is_chosen_by_hand_answers_its_question(open_page_test):
    (case,) = (each for each in OPEN if each[2] == "pairs")
    at = bring(open_page_test, case[0], case[1])
    box = next(each for each in at.get("button_group") if each.key.endswith("pairs.scale"))
    box.set_value("minus_log10").run()
    np.testing.assert_allclose(added(at)[0, 1], 30.0)


def test_what_is_no_similarity_perhaps_is_read_as_vectors_by_a_click(open_page_test):
    rows = "\n".join(",".join(str(j * (k + 2) % 11) for j in range(12)) for k in range(12)).encode()
    at = bring(open_page_test, "square.csv", rows)
    assert not [each for each in at.button if each.key == "data.add"]
    assert set(answers(at, "symmetrise")) == {"mean", "max"}
    next(each for each in at.button if each.key and each.key.endswith(".instead.vectors")).click().run()
    assert not at.exception
    assert "12 items with 12 numbers each" in shown(at)
