import pytest

from kernex_core.datasets.catalogue import DATASETS
from pages.server.digits import unbroken
from pages.server.navigation import PAGES
from pages.start.start import FIRST, OPENS_ON, picture

PAGE = "start/start.py"


def title(at):
    return at.title[0].value


@pytest.mark.parametrize("demo", DATASETS, ids=lambda demo: demo.name)
def test_a_demo_opens_on_its_page(open_page_test, demo):
    at = open_page_test(PAGE)
    # whoever judges nodes, features or edges does so at once: as little as there is
    at.session_state["edge_folds"] = 2
    for page in ("networks", "features"):
        at.session_state[f"{page}.cv.{demo.title}.repeats"] = 1
    entry = next(entry for entry in PAGES if entry.url_path == OPENS_ON[demo.about])
    at.button(key=f"start.{demo.name}").click().run()
    assert not at.exception
    assert title(at) == entry.heading
    assert at.sidebar.selectbox(key="data").value == demo.title


def test_every_demo_says_what_it_asks(open_page_test):
    at = open_page_test(PAGE)
    text = " ".join(block.value for block in at.markdown)
    assert f"{len(DATASETS)} demos" in text
    for demo in DATASETS:
        assert any(each.label == demo.title for each in at.button)
        assert unbroken(demo.question) in text or unbroken(FIRST[demo.title]) in text


def test_pictures_are_drawn_and_described(open_page_test):
    at = open_page_test(PAGE)
    assert len(at.get("image")) == len(FIRST)
    pictures = [picture(demo.title, demo.about == "repair") for demo in DATASETS]
    assert all(png.startswith(b"\x89PNG") and len(png) < 100_000 for png, _ in pictures)
    assert len({png for png, _ in pictures}) == len(DATASETS)
    for demo, (_, alt) in zip(DATASETS, pictures, strict=True):
        assert alt.startswith(demo.title)
        assert alt.endswith(".")


def test_an_upload_goes_on_to_the_page_data(open_page_test):
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("mine.csv", b",a,b\na,2,1\nb,1,2\n").run()
    assert not at.exception
    assert title(at) == "Data"
    assert any("mine\\.csv" in block.value for block in at.markdown)


def test_an_empty_file_is_refused_where_it_was_brought(open_page_test):
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("empty.csv", b"").run()
    assert title(at) == "See what your similarities know"
    assert "empty" in at.error[0].value


def test_one_s_own_data_come_first_and_four_questions(open_page_test):
    at = open_page_test(PAGE)
    said = [block.value for block in at.main.markdown]
    own, question = (
        next(k for k, text in enumerate(said) if mark in text) for mark in ("Your own data", "Or begin with")
    )
    assert own < question
    assert list(FIRST) == [button.label for button in at.main.button][: len(FIRST)]
