"""One glossary: each word once, in plain words, and every hint of a page is in it."""

import ast
import re

import pytest

from pages.learn.glossary import PICTURES
from pages.ui.glossary import (
    ENTRIES,
    FILE,
    GlossaryEntry,
    address,
    entry,
    explained,
    hint,
    meaning,
    of_panel,
    read,
    words_in,
)
from tests.conftest import REPOSITORY

MOST_WORDS = 60


@pytest.fixture(scope="module")
def sources():
    """Syntax of every file of the pages; read when a test asks, and given up after the last one."""
    return {path: ast.parse(path.read_text("utf-8")) for path in sorted((REPOSITORY / "pages").rglob("*.py"))}


def strings(tree):
    """Texts of a module as they are shown: neighbouring literals are one in the tree already."""
    docs = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield " ".join(node.value.split())


def test_a_glossary_is_read():
    text = (
        "# G\n\nIntro.\n\n## Part\n\n### Word\n\nAlso: term, other word.\nFormula: a, b\n\nIt means\nthis.\n\n"
        "### Next\n\nThat."
    )
    assert read(text) == (
        GlossaryEntry("Word", "Part", "It means this.", ("term", "other word"), "a, b"),
        GlossaryEntry("Next", "Part", "That."),
    )


@pytest.mark.parametrize("each", ENTRIES, ids=lambda each: each.term)
def test_an_entry_is_short_and_leads_somewhere(each):
    assert 5 <= len(each.text.split()) <= MOST_WORDS
    assert each.text.endswith((".", ")"))
    assert each.formula.count("{") == each.formula.count("}")
    assert "$" not in each.text + each.formula
    assert not each.picture or each.picture in PICTURES
    for link in re.findall(r"\(([\w.]+)\)", each.more):
        assert (FILE.parent / link).is_file()
    assert entry(each.term) is each
    assert address(each).startswith("glossary?term=")


def test_names_are_unique():
    names = [name.casefold() for each in ENTRIES for name in each.names]
    assert sorted(names) == sorted(set(names))


def test_every_picture_is_shown():
    assert {each.picture for each in ENTRIES if each.picture} == set(PICTURES)


def test_every_hint_of_a_page_is_in_the_glossary(sources):
    asked = {
        (path.name, argument.value)
        for path, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hint"
        for argument in node.args
        if isinstance(argument, ast.Constant)
    }
    assert len(asked) > 10
    assert {(file, term) for file, term in asked if entry(term) is None} == set()


def test_every_word_is_a_hint_somewhere(sources):
    """By its name or another of it, as a hint or as the name of a setting, number or panel."""
    said = {text.casefold() for tree in sources.values() for text in strings(tree)}
    assert [each.term for each in ENTRIES if not said & {name.casefold() for name in each.names}] == []


def test_no_hint_is_where_nobody_reaches_it(sources):
    """A widget without its label has no place for the hint: it stands in the title of the panel."""
    hidden = [
        (path.name, node.lineno)
        for path, tree in sources.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and {"help", "label_visibility"} <= {each.arg for each in node.keywords}
        and any(
            each.arg == "label_visibility" and isinstance(each.value, ast.Constant) for each in node.keywords
        )
    ]
    assert hidden == []


def test_the_hint_of_a_panel():
    assert of_panel("Look at a pair", "kernel and error") is None
    found = of_panel("Trust", "bars: 95\u00a0% over items; kernel PCA", "floor")
    assert re.findall(r"\*\*(.+?)\*\*:", found) == ["Explained", "Floor", "Interval", "Kernel PCA"]


def test_no_page_defines_a_word_again(sources):
    said = [text for tree in sources.values() for text in strings(tree)]
    for each in ENTRIES:
        for sentence in re.split(r"(?<=[.:]) ", each.text):
            if len(sentence.split()) >= 6:
                assert [text for text in said if sentence.rstrip(".:").casefold() in text.casefold()] == []


def test_hints():
    assert hint("Rank", "floor", first="Here.").split("\n\n")[0] == "Here."
    assert hint("Rank").startswith("**Rank**: The number of eigenvalues")
    assert "$K + \\rho I$" in meaning("nugget")
    assert meaning("no such word") == ""
    # a hint has no room for a picture: it leads there
    assert meaning("shear").endswith("[A drawing of it](glossary?term=Shear)")
    assert explained("no such word") is None
    assert explained("Certificate holds", "Now.") == "Now.\n\n" + meaning("certificate")
    with pytest.raises(KeyError):
        hint("no such word")
    found = words_in("The nugget of a transductive floor; floored.")
    assert [each.term for each in found] == ["Nugget", "Transductive", "Floor"]
