import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.tables.table import as_text, from_text

HOSTILE = st.text("'=+-@\t\r\n; ＝＋a1.e", max_size=8)


@given(st.one_of(HOSTILE, st.text(max_size=12)))
def test_every_text_comes_back_and_none_runs(text):
    safe = as_text(text)
    assert from_text(safe) == text
    for part in (safe, *re.split("[;\t]", safe)):  # however a spreadsheet splits it
        if part[:1] in tuple("=+-@\t\r\n") and len(part) > 1:
            float(part)


@pytest.mark.parametrize(
    "text", ["-1", "+2", "-.5", "-1e-5", "+3.", "-", "+", "=", "@", "a=b", "", "'", "'a", "it's"]
)
def test_what_a_spreadsheet_does_not_run_stays(text):
    assert as_text(text) == from_text(text) == text


@pytest.mark.parametrize(
    "text", ["=1", "+A1", "-2+3", "-inf", "@x", "\tx", "\r=1", "＝1", "－x", "'=1", "''+a"]
)
def test_what_it_would_run_gets_an_apostrophe(text):
    assert as_text(text) == "'" + text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a;=b", "a;'=b"),
        ("a\t@b", "a\t'@b"),
        ("1;-2", "1;-2"),
        ("x;'=1;-a", "x;''=1;'-a"),
        ("a; =b", "a; =b"),
    ],
)
def test_what_runs_behind_a_semicolon_or_a_tab_has_one_too(text, safe):
    assert as_text(text) == safe
    assert from_text(safe) == text


def test_the_apostrophe_is_taken_away_where_a_file_is_read():
    made = read_samples(b",'=a,'-b\n'=a,1,-0.5\n'-b,-0.5,1\n", "k.csv")
    assert made.ids == ("=a", "-b")
    assert made.gram.values[0, 1] == -0.5
