"""The page Strings, as visitors use it."""

import ast
import contextlib
import io

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.normalize import CosineNormalize
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Labels, Sequences
from kernex_core.kernels.catalogue import kernels_for
from kernex_core.kernels.explanation import AlignedColumn
from kernex_core.kernels.sequences.spectrum import Spectrum
from kernex_core.studies.sequences.new_items import classes_of, comparing, conditioned_rows
from pages.kernels.strings.new_items import CarriedRows, script
from pages.kernels.strings.pair import alignment_text
from pages.ui.panels.linked import TREES

PAGE = "kernels/strings/strings.py"


def dataset(strings):
    ids = tuple(f"s{k}" for k in range(len(strings)))
    labels = Labels(ids, np.array(["a", "b"] * len(ids))[: len(ids)])
    return DataSet("strings", ids, labels, {"proteins": Sequences(ids, tuple(strings))})


def texts(at):
    return [m.value for m in at.markdown] + [c.value for c in at.caption]


TABS = (
    "Matrix", "Why similar?", "Why this class?", "New sequences", "Every string kernel", "Accuracy", "Numbers",
    "Eigenvector",
)  # fmt: skip


def open_tab(open_page_test, tab, data, kind=None):
    """The page with one of its tabs open; AppTest cannot click on a tab, but its choice is state of the session."""
    at = open_page_test(PAGE, data)
    at.session_state["sequences.tab"] = tab
    at.run()
    if kind is not None:
        at.selectbox(key="build.kind.sequences").set_value(kind).run()
    assert not at.exception
    return at


def check_answer(at, tab):
    shown = " ".join(texts(at))
    if tab == "Matrix":
        assert not at.error
        assert "**Similarity**" in shown or "Spectrum" in shown
        assert at.button(key="kernels.keep")
    elif tab in ("Accuracy", "Numbers", "Eigenvector"):
        assert not at.error
        labels = {metric.label for metric in at.metric}
        assert {"Accuracy": "Multi-class accuracy", "Numbers": "Diagonal dominance"}.get(
            tab, "Smallest λ"
        ) in " ".join(labels)
        assert at.button(key="kernels.keep")
    elif tab == "New sequences":
        assert not at.error
        assert "trained on all 4 labelled items" in shown
    elif tab == "Why similar?":
        assert not at.error
        assert "Nearest neighbours" in shown
    else:
        said = " ".join(each.value for each in at.info)
        assert at.error or "k-mers" in shown + said or at.button(key="sequences.table.run")


@pytest.mark.parametrize("kind", kernels_for("sequences"))
@pytest.mark.no_cover
def test_every_tab_answers_for_every_kernel(open_page_test, kind):
    strings = ["ACDEFGHIKACD", "ACDEFGIKLACD", "MNPQRSTVW", "MNPQRSTVWY"]
    at = open_tab(open_page_test, TABS[0], dataset(strings), kind)
    for tab in TABS:  # on one page, as a visitor goes through them
        at.session_state["sequences.tab"] = tab
        at.run()
        assert not at.exception, tab
        check_answer(at, tab)


def test_no_tab_stands_within_a_tab_and_former_addresses_of_such_lead_on(open_page_test):
    data = dataset(["ACDEFGHIKACD", "ACDEFGIKLACD", "MNPQRSTVW", "MNPQRSTVWY"])
    at = open_page_test(PAGE, data, {"look": "Numbers"})
    assert [tab.label for tab in at.tabs] == [*TABS, "Method"]
    assert any(metric.label == "Diagonal dominance" for metric in at.metric)
    assert at.query_params["tab"] in ("Numbers", ["Numbers"])
    assert "look" not in at.query_params
    at = open_page_test(PAGE, data, {"look": "Numbers", "tab": "Why similar?"})
    assert "Nearest neighbours" in " ".join(texts(at))


def test_a_kept_kernel_is_in_the_workspace(open_page_test):
    at = open_tab(
        open_page_test, "Matrix", dataset(["ACDEFGHIKACD", "ACDEFGIKLACD", "MNPQRSTVW", "MNPQRSTVWY"])
    )
    at.button(key="kernels.keep").click().run()
    assert not at.exception
    assert "Spectrum of proteins, cosine" in at.session_state["kernex"].entries["strings"].kernels


def test_conditioning_starts_normalised_and_does_not_stand_in_the_address(open_page_test):
    data = dataset(["ACDEFGHIKACD", "ACDEFGIKLACD", "MNPQRSTVW", "MNPQRSTVWY"])
    at = open_tab(open_page_test, "Matrix", data)
    assert at.segmented_control(key="sequences.normalise_strings").value == "cosine"
    assert at.selectbox(key="sequences.sort").options == ["class", "similarity", *TREES, "as given"]
    at.slider(key="sequences.p").set_value(0.5).run()
    assert not at.exception
    at.button(key="kernels.keep").click().run()
    kept = at.session_state["kernex"].entries["strings"].kernels
    assert list(kept) == ["Spectrum of proteins, p=0.5, cosine"]
    assert not {"p", "normalise", "elements", "sort"} & set(at.query_params)
    alone = open_tab(open_page_test, "Matrix", data.with_labels(None))
    assert alone.selectbox(key="sequences.sort_unlabelled").options == ["similarity", *TREES, "as given"]


class TestNewSequences:
    DATA = ("ACDEFGHIKACD", "MNPQRSTVW", "ACDEFGIKLACD", "MNPQRSTVWY")

    def answer(self, open_page_test, text):
        at = open_tab(open_page_test, "New sequences", dataset(self.DATA))
        at.text_area(key="sequences.new.paste.strings.proteins").set_value(text).run()
        assert not at.exception
        return at

    def test_the_nearest_item_and_the_class(self, open_page_test):
        at = self.answer(open_page_test, ">n\nACDEFGHIK\n>m\nNPQRSTV\n")
        table = at.dataframe[0].value
        assert table["new sequence"].tolist() == ["n", "m"]
        assert table["nearest"].tolist() == ["s0", "s1"]
        assert table["class"].tolist() == ["a", "b"]

    @pytest.mark.parametrize(
        ("text", "sentence"),
        [("", "At least one sequence"), (">only\n", "sequence"), ("A" * 100_001, "100,000 letters")],
    )
    def test_what_is_none_gets_a_sentence(self, open_page_test, text, sentence):
        at = self.answer(open_page_test, text)
        assert sentence in " ".join(error.value + str(error.proto) for error in at.error)

    def test_markup_in_ids_stays_text(self, open_page_test):
        at = self.answer(open_page_test, "><b>x</b>\nACDEFGHIK\n")
        assert at.dataframe[0].value["new sequence"].tolist() == ["<b>x</b>"]

    def test_similarities_are_carried_over_to_a_target(self, open_page_test):
        data = dataset(self.DATA)
        K = GramMatrix(np.equal.outer([0, 1, 0, 1], [0, 1, 0, 1]) + np.eye(4), data.ids, "structure")
        at = open_tab(open_page_test, "New sequences", data.with_kernel("structure", K))
        at.selectbox(key="sequences.new.target.strings").set_value("structure").run()
        assert not at.exception
        assert not at.error
        assert {"joint class", "explained, %"} <= set(at.dataframe[0].value.columns)

    def test_the_script_names_the_same_classes(self):
        data = dataset(self.DATA)
        samples, new = data.samples["proteins"], Sequences(("n",), ("ACDEFGHIK",))
        kernel = Spectrum(2).of(samples)
        K = kernel.similarities(samples).then(CosineNormalize())
        rows = list(comparing(kernel, samples, new))[-1]
        made = classes_of(K, data.labels, conditioned_rows(K, rows), 10.0)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(script(kernel, samples, new, CarriedRows(rows, K, None, None, data.labels, 0.5, 10.0)), {})
        name, label, margin = ast.literal_eval(printed.getvalue().strip())
        assert (name, label) == ("n", made.labels[0])
        assert margin == pytest.approx(made.margin[0])


def test_says_that_there_are_no_sequences(open_page_test, small_dataset):
    at = open_page_test(PAGE, small_dataset)
    assert not at.error
    assert any("these data have none. Bring a FASTA file" in each.value for each in at.markdown)


@pytest.mark.parametrize(
    "strings", [["", "ACD"], ["A", "C"], ["AAAAAAAA", "AAAA"], ["acgt", "ACDEFGH"], ["A" * 100_000] * 2]
)
@pytest.mark.no_cover
def test_odd_strings_end_in_a_result_or_a_sentence(open_page_test, strings):
    at = open_page_test(PAGE, dataset(strings))
    for kind in kernels_for("sequences"):
        at.selectbox(key="build.kind.sequences").set_value(kind).run()
        assert not at.exception, kind.title


def test_alignment_is_drawn_residue_by_residue():
    columns = [
        AlignedColumn(8, 0, "A", "A", 4.0),
        AlignedColumn(9, None, "C", "-", -11.0),
        AlignedColumn(10, 1, "I", "V", 3.0),
        AlignedColumn(11, 2, "W", "G", -2.0),
    ]
    assert alignment_text(columns) == " 9  ACIW  12\n    | +·\n 1  A−VG  3"
