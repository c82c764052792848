"""The page Sequences, as visitors use it."""

import re

import numpy as np
import pytest

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.sequences.explanation import AlignedColumn
from kernex_core.kernels.sequences.spectrum import SpectrumSum
from pages.shared.views.sequence_parts import alignment_text

PAGE = "sequences/sequences.py"


def dataset(strings):
    ids = tuple(f"s{k}" for k in range(len(strings)))
    labels = Labels(ids, np.array(["a", "b"] * len(ids))[: len(ids)])
    return DataSet("strings", ids, labels, {"proteins": Sequences(ids, tuple(strings))})


def texts(at):
    return [m.value for m in at.markdown] + [c.value for c in at.caption]


@pytest.mark.parametrize("kind", kernels_for("sequences"))
def test_parts_sum_to_the_similarity_of_every_kernel(open_page_test, kind):
    at = open_page_test(PAGE, dataset(["ACDEFGHIKACD", "ACDEFGIKLACD", "MNPQRSTVW"]))
    at.selectbox(key="build.kind.sequences").set_value(kind).run()
    assert not at.exception
    assert not at.error
    if kind is SpectrumSum:
        assert "each k" in at.info[0].value
        return
    said = next(text for text in texts(at) if "sum to" in text)
    parts, total = re.findall(r"\*\*(.+?)\*\*", said)
    assert parts == total != "0"


def test_says_that_there_are_no_sequences(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset)
    assert "none in" in at.error[0].value


@pytest.mark.parametrize(
    "strings", [["", "ACD"], ["A", "C"], ["AAAAAAAA", "AAAA"], ["acgt", "ACDEFGH"], ["A" * 100_000] * 2]
)
@pytest.mark.parametrize("kind", kernels_for("sequences"))
def test_odd_strings_end_in_a_result_or_a_sentence(open_page_test, kind, strings):
    at = open_page_test(PAGE, dataset(strings))
    at.selectbox(key="build.kind.sequences").set_value(kind).run()
    assert not at.exception


def test_alignment_is_drawn_residue_by_residue():
    columns = [
        AlignedColumn(8, 0, "A", "A", 4.0),
        AlignedColumn(9, None, "C", "-", -11.0),
        AlignedColumn(10, 1, "I", "V", 3.0),
        AlignedColumn(11, 2, "W", "G", -2.0),
    ]
    assert alignment_text(columns) == " 9  ACIW  12\n    | +·\n 1  A−VG  3"
