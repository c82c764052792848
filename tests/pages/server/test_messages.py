import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.base.errors import InvalidInputError
from pages.server.messages import _sentence, guard, plain


def test_guard_says_what_was_expected_found_and_what_to_do():
    def app():
        import streamlit as st

        from kernex_core.base.errors import InvalidInputError
        from pages.server.messages import guard

        with guard():
            raise InvalidInputError("A matrix is square", "3 rows and 4 columns", "Remove the column *total*")
        st.write("the page goes on")

    at = AppTest.from_function(app).run()
    assert not at.exception
    assert at.error[0].proto.title == "A matrix is square\\."
    assert at.error[0].value == "Found\\: 3 rows and 4 columns\\.  \nRemove the column \\*total\\*\\."
    assert at.markdown[0].value == "the page goes on"


def test_an_error_without_details_is_one_sentence():
    def app():
        from kernex_core.base.errors import InvalidInputError
        from pages.server.messages import guard

        with guard():
            raise InvalidInputError("Something is needed")

    assert AppTest.from_function(app).run().error[0].value == "Something is needed\\."


@pytest.mark.parametrize("error", [ValueError, ZeroDivisionError, MemoryError, KeyError])
def test_nothing_else_is_caught(error):
    with pytest.raises(error), guard():
        raise error("a mistake of ours")


def test_guard_outside_an_app_swallows_only_our_errors():
    with guard():
        raise InvalidInputError("x")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("smallest eigenvalue -2.464, all in all", "smallest eigenvalue −2.464, all in all."),
        ("Found: -3 for 'a'", "Found: −3 for 'a'."),
        ("λ = -.5 of 1e-05", "λ = −.5 of 10⁻⁵."),
        ("chosen: -1 to 1", "chosen: −1 to 1."),
        # names stay as they are, whatever they look like
        ("Items (-1, -2) and '-3' of chr1-7 in a -b", "Items (-1, -2) and '-3' of chr1-7 in a -b."),
        ("2-fold, p53-1, 10-20", "2-fold, p53-1, 10-20."),
    ],
)
def test_numbers_have_a_real_minus_and_names_stay(text, shown):
    assert _sentence(text) == shown


def test_findings():
    def app():
        from kernex_core.inputs.samples import Note
        from pages.server.messages import findings

        findings(
            [
                Note("1 item has no class", "It is left out", "Upload labels", "warning"),
                "All ids are distinct",
            ]
        )

    lines = [line.value for line in AppTest.from_function(app).run().markdown]
    assert lines == [
        ":orange[:material/warning:] 1 item has no class\\. :gray[It is left out\\. Upload labels\\.]",
        ":gray[:material/info:] All ids are distinct\\.",
    ]


@pytest.mark.parametrize(
    "hostile",
    [
        "*a*",
        "`a`",
        "[a](javascript:b)",
        "$x$",
        ":red[a]",
        "<b>",
        "# a",
        "a|b",
        "![a](b)",
        "~~a~~",
        "\\*",
        "a --> b",
    ],
)
def test_markdown_is_escaped(hostile):
    escaped = plain(hostile).replace("\u2060", "")
    letters = [
        c
        for i, c in enumerate(escaped)
        if c.isalnum() or c == " " or (i and escaped[i - 1] == "\\") or c == "\\"
    ]
    assert len(letters) == len(escaped)
    assert escaped.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == hostile


def test_a_genome_position_is_no_emoji():
    assert ":100:" not in plain("chr1:100:200").replace("\\", "")


def test_two_hyphens_are_no_dash():
    for text in ("a->b", "a--b", "a<-b", "a<=b"):
        assert text not in plain(text).replace("\\", "")


def test_line_breaks_become_spaces():
    assert plain("a\n\n# b") == "a \\# b"


def test_what_nobody_reads_is_cut():
    """An id of thirty million letters held up everybody while it was escaped."""
    assert plain("*" * 50_000) == plain("*" * 10_000) + "…"
