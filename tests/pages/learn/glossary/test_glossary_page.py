import re

import numpy as np
import pytest

from pages.learn.glossary import KNOWN, PICTURES, region, search
from pages.ui.figures.chart import INKS
from pages.ui.glossary import ENTRIES

PATH = "learn/glossary.py"


def test_all_words_stand_under_their_subjects(open_page_test):
    at = open_page_test(PATH)
    assert [each.value for each in at.subheader] == [each.term for each in ENTRIES]
    assert [each.value for each in at.header] == list(dict.fromkeys(each.subject for each in ENTRIES))


def test_a_link_leads_to_one_word(open_page_test):
    at = open_page_test(PATH, query={"term": "nugget"})
    assert [each.value for each in at.subheader] == ["Nugget"]
    assert at.text_input(key="term").value == "nugget"
    at.text_input(key="term").set_value("no such word").run()
    assert len(at.subheader) == 0
    assert "Nothing of that name" in at.markdown[-1].value or any("Nothing" in m.value for m in at.markdown)


def test_search_finds_other_names_and_parts():
    assert [each.term for each in search("ROC area")] == ["AUC"]
    assert {"Negative mass", "Indefinite", "Repair"} <= {each.term for each in search("eigenvalue")}
    assert search("") == ENTRIES


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("theme", INKS)
def test_pictures_are_drawn_in_the_ink_of_the_theme(name, theme):
    drawing = PICTURES[name](theme)
    assert set(re.findall(r'<text[^>]* fill="([^"]+)"', drawing.svg)) == {INKS[theme]}
    assert "nan" not in drawing.svg
    assert len(drawing.svg) < 10_000


def test_the_region_is_that_of_the_kernels():
    a = KNOWN[0]
    x, y = region(a)
    # its border: the smallest eigenvalue is 0; its middle: a kernel; a step outwards: none
    for x0, y0 in zip(x[1:-1], y[1:-1], strict=True):
        for scale, sign in ((1.0, 0), (0.9, 1), (1.1, -1)):
            K = [[1.0, a, scale * x0], [a, 1.0, scale * y0], [scale * x0, scale * y0, 1.0]]
            least = np.linalg.eigvalsh(K)[0]
            assert abs(least) < 1e-9 if sign == 0 else sign * least > 0


def test_no_word_is_explained_twice():
    terms = [each.term.lower() for each in ENTRIES]
    assert len(terms) == len(set(terms))
