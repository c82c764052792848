"""The catalogue of lessons: each is a page of its own, and tells what a lecturer needs."""

from importlib import import_module

import pytest

from pages.learn.screen import Teaching
from pages.server.navigation import ENTRIES, LESSON_PAGES, LESSONS, PAGES, explaining, lesson, of_word
from pages.ui.glossary import ENTRIES as GLOSSARY
from tests.conftest import REPOSITORY

every = pytest.mark.parametrize("each", LESSONS, ids=lambda each: each.key)


@every
def test_it_has_a_file_and_comes_after_what_it_needs(each):
    here = REPOSITORY / "pages" / "learn"
    assert (here / f"{each.key}.py").is_file() or (here / each.key / "__init__.py").is_file()
    assert (REPOSITORY / "tests" / "pages" / "learn" / f"test_{each.key}.py").is_file()
    assert all(lesson(before).number < each.number for before in each.after)
    assert 3 <= each.minutes <= 10
    assert each.title.strip() == each.title != ""
    assert each.goal.endswith(".")
    assert each.asks.endswith("?")


@every
def test_it_tells_the_lecturer_what_to_ask_and_what_goes_wrong(each):
    taught = import_module(f"pages.learn.{each.key}").TEACHING
    assert isinstance(taught, Teaching)
    assert taught.ask
    assert taught.wrong
    assert all(
        text.strip() and text[-1] in ".?!" for text in (*taught.ask, *(why for _, why in taught.wrong))
    )
    assert all(
        part.partition("=")[0] == "bet" or part.startswith(each.address)
        for part in taught.state.split("&")
        if part
    )


def test_addresses_are_its_own():
    addresses = [each.url_path for each in ENTRIES]
    assert len(set(addresses)) == len(addresses)
    assert {each.address for each in LESSON_PAGES} == {each.key for each in LESSONS}
    starts = [each.address for each in LESSONS]
    assert not any(a != b and a.startswith(b) for a in starts for b in starts)
    assert len(set(starts)) == len(starts)


def test_no_other_key_is_a_lesson():
    with pytest.raises(KeyError):
        lesson("nothing")


READ = ("start", "glossary", "learn", "lecture")
"""Pages that are no working pages."""


@pytest.mark.parametrize(
    "entry", [each for each in PAGES if each.url_path not in READ], ids=lambda each: each.url_path
)
def test_every_working_page_has_a_lesson(entry):
    found = explaining(entry.url_path)
    assert found
    assert list(found) == sorted(found, key=lambda each: each.number)


def test_every_word_of_the_glossary_has_one_lesson_and_every_lesson_s_word_is_one():
    assert {of_word(each.term, each.subject) for each in GLOSSARY} <= set(LESSONS)
    words = [word for each in LESSONS for word in each.words]
    assert len(set(words)) == len(words)
    assert set(words) <= {each.term for each in GLOSSARY}
    assert all(of_word(word, "") == each for each in LESSONS for word in each.words)


@every
def test_it_is_linked_from_a_working_page_or_a_word(each):
    addresses = {entry.url_path for entry in PAGES}
    assert set(each.pages) <= addresses - set(READ)
    assert each.pages or each.words
