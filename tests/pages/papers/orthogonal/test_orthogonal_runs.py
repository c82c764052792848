"""Runs of the page Papers / Almost orthogonal patterns: stopped, gone on from, and never lost; files that stay."""

import itertools

import numpy as np
import pytest

from kernex_core.studies.papers.orthogonal.power_table import ALL_POINTS
from kernex_core.studies.papers.orthogonal.tables import (
    HiddenConfig,
    OrthogonalConfig,
    measuring_table_1,
    measuring_table_3,
)
from pages.papers.orthogonal.orthogonal import rows as file_rows
from pages.papers.orthogonal.subject import TABLES, begun, shared
from tests.pages.papers.orthogonal.test_orthogonal_page import PATH, asked, choose, expression
from tests.pages.papers.orthogonal.test_orthogonal_verdicts import setting

SPARSE = "papers.orthogonal.4.file"


def test_the_page_keeps_partial_tables_for_the_session_and_whole_ones_for_all():
    assert not begun._is_shared
    for number, paper in TABLES.items():
        whole = shared(paper)
        # what visitors bring is nobody else's
        assert (whole is not None and whole._is_shared) is (number in (1, 3))


def partial(at, cache, state, *args):
    """Put a partial result into the session's cache, as a run that was left would have."""
    from pages.server import workspace
    from pages.server.cache import BoundedCache

    space = at.session_state["kernex"]
    assert isinstance(space, workspace._State)
    if space.cache is None:
        space.cache = BoundedCache(128, 10**9)
    space.cache.put(cache.key(*args), state)
    return space


@pytest.mark.parametrize("stopped", [False, True])
def test_a_table_that_was_left_goes_on_by_itself_and_one_that_was_stopped_by_a_click(open_page_test, stopped):
    config = OrthogonalConfig(trials=6, seed=70 + stopped)
    states = list(measuring_table_1(config))
    at = open_page_test(PATH)
    space = partial(at, begun, states[2], 1, config)
    if stopped:
        space.memory["papers.orthogonal.stopped"] = begun.key(1, config)
    at.number_input(key="papers.orthogonal.seed").set_value(config.seed)
    at.number_input(key="papers.orthogonal.trials").set_value(6).run()
    if stopped:
        run = at.button(key="papers.orthogonal.run")
        assert run.label == "Continue"
        assert any("3 of 6 trials" in caption.value for caption in at.caption)
        run.click().run()
    assert any("6 of 6 trials" in caption.value for caption in at.caption)
    mean = 100.0 * states[-1].mean(ALL_POINTS)[0]
    assert at.table[0].value[ALL_POINTS].iloc[0].startswith(f"**{mean:.1f}**")


def test_a_table_of_rows_shows_what_is_done_of_the_next_repetition(open_page_test):
    config = HiddenConfig(data_sets=3, n=20, seed=5)
    state = next(
        itertools.islice(measuring_table_3(config), 14, None)
    )  # 11 rows and 4 of the second data set
    at = choose(open_page_test(PATH), 3)
    space = partial(at, begun, state, 3, config)
    space.memory["papers.orthogonal.3.stopped"] = begun.key(3, config)
    for field, value in (("seed", 5), ("n", 20), ("data_sets", 3)):
        setting(at, f"papers.orthogonal.3.{field}").set_value(value)
    at.run()
    assert not at.exception
    assert any("1 of 3 data sets · 4 of 11 rows of the next" in caption.value for caption in at.caption)
    assert any(
        "15 of 33 rows (3 data sets, 11 rows each) are done" in caption.value for caption in at.caption
    )
    # four rows have a standard error, the others none
    assert sum(" ± " in each for each in at.table[0].value[ALL_POINTS]) == 4
    assert any("of 4** within 2 SE" in text.value for text in [*at.markdown, *at.caption])


def sparse_file(n=32, *, classes="AI", shift=3):
    rng = np.random.default_rng(0)
    lines = []
    for i in range(n):
        side = i % len(classes)
        indices = sorted({int(j) + 1 for j in rng.integers(40, size=6)} | {41 + shift * side})
        lines.append(f"{classes[side]} " + " ".join(f"{j}:1" for j in indices))
    return "\n".join(lines).encode()


def captions(at):
    return "\n".join(caption.value for caption in at.caption).replace("\\", "")


def test_a_first_repetition_that_was_stopped_is_not_called_one(open_page_test):
    config = HiddenConfig(data_sets=3, n=20, seed=6)
    state = next(itertools.islice(measuring_table_3(config), 4, None))
    at = choose(open_page_test(PATH), 3)
    space = partial(at, begun, state, 3, config)
    space.memory["papers.orthogonal.3.stopped"] = begun.key(3, config)
    for field, value in (("seed", 6), ("n", 20), ("data_sets", 3)):
        setting(at, f"papers.orthogonal.3.{field}").set_value(value)
    at.run()
    text = captions(at) + "\n".join(each.value for each in at.markdown)
    assert "0 of 3 data sets · 5 of 11 rows of the next" in text
    assert "not one whole data set yet: no standard error" in text
    assert "one data set: no" not in text
    assert {row["repetitions"] for row in file_rows(asked(3, config), state)} == {1}


class TestSparseFiles:
    def test_a_file_is_measured_named_and_stays(self, open_page_test):
        at = choose(open_page_test(PATH), 4)
        at.file_uploader(key=SPARSE).upload("t.svm", sparse_file()).run()
        assert not at.error
        assert not at.exception
        assert "32 × 44" in captions(at)
        assert "3 of 3 repetitions" in captions(at)
        assert any("This is not thrombin" in text.value for text in at.markdown)
        choose(at, 3)
        choose(at, 4)
        assert "t.svm is still here" in captions(at)
        assert "3 of 3 repetitions" in captions(at)
        at.button(key=f"{SPARSE}.forget").click().run()
        assert "3 of 3 repetitions" not in captions(at)

    def test_a_full_table_says_100_percent(self, open_page_test):
        at = choose(open_page_test(PATH), 4)
        lines = [f"{'AI'[i % 2]},{i + 1},{40 - i}" for i in range(16)]
        at.file_uploader(key=SPARSE).upload("t.data", "\n".join(lines).encode()).run()
        assert "100\u00a0% are not 0" in captions(at)

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            (b"A 1:1\nB 100000000000000000000:1\n", "line 2"),
            (b"A 1:1e-200\nA 3:1e-200\nB 2:1e-200\n", "the kernel is all 0"),
            (b"A 1:1 1:2\n", "index 1 twice in line 1"),
        ],
    )
    def test_a_hostile_file_ends_in_a_sentence(self, text, said, open_page_test):
        at = choose(open_page_test(PATH), 4)
        at.file_uploader(key=SPARSE).upload("t.svm", text).run()
        assert not at.exception
        assert said in at.error[0].value.replace("\\", "")
        assert not [b for b in at.button if b.key and b.key.endswith((".run", ".stop"))]
        assert "published" in at.table[0].value

    def test_items_without_a_label_are_counted(self, open_page_test):
        at = choose(open_page_test(PATH), 4)
        at.file_uploader(key=SPARSE).upload("t.svm", sparse_file() + b"\n? 1:1\n? 2:1").run()
        assert not at.error
        assert "16 A against 16 I; 2 without a label are in no fold" in captions(at)

    def test_one_class_says_what_is_missing(self, open_page_test):
        at = choose(open_page_test(PATH), 4)
        at.file_uploader(key=SPARSE).upload("t.svm", sparse_file(classes="A")).run()
        assert not at.error
        assert "t.svm has one class, A." in at.info[0].value.replace("\\", "")
        assert not [b for b in at.button if b.key and b.key.endswith((".run", ".stop"))]

    def test_no_class_chosen_is_an_error_without_buttons(self, open_page_test):
        at = choose(open_page_test(PATH), 4)
        at.file_uploader(key=SPARSE).upload("t.svm", sparse_file(48, classes="ABC")).run()
        at.multiselect(key="papers.orthogonal.4.positive.t.svm").set_value([]).run()
        assert "none were chosen" in at.error[0].value
        assert not [b for b in at.button if b.key and b.key.endswith((".run", ".stop"))]


def test_families_are_measured_drawn_and_not_taken_for_scop(open_page_test):
    rng = np.random.default_rng(2)
    data = expression()
    roles = ["+train", "-train", "+test", "-test"] * 10
    order = rng.permutation(40)
    lines = ["id;f;g"] + [f"{data.ids[i]};{roles[i]};{roles[order[i]]}" for i in range(40)]
    at = choose(open_page_test(PATH, data), 6)
    at.file_uploader(key="papers.orthogonal.6.file").upload("f.csv", "\n".join(lines).encode()).run()
    assert not at.error
    assert not at.exception
    text = "\n".join(each.value for each in at.markdown).replace("\\", "")
    assert "These are not the paper's families: 2 instead of 54" in text
    assert "outside" not in str(at.table[0].value.to_dict())
    assert "asymmetric margin" in captions(at)
    assert "families above the line" in "\n".join(each.value for each in [*at.markdown, *at.caption])


@pytest.mark.parametrize(
    ("lines", "said"),
    [(["id,f", "nobody,+train"], "nobody"), (["id,f", "s0,+train"], "training and test")],
)
def test_families_that_do_not_fit_leave_no_button_and_the_printed_table(open_page_test, lines, said):
    at = choose(open_page_test(PATH, expression()), 6)
    at.file_uploader(key="papers.orthogonal.6.file").upload("f.csv", "\n".join(lines).encode()).run()
    block = at.error[0]
    assert said in block.value + str(block.proto)
    assert not [b for b in at.button if b.key and b.key.endswith((".run", ".stop"))]
    assert "median RFP" in at.table[0].value
