import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.upload import Upload
from pages.ui.files import MAX_MEGABYTES, check_file_size, safe_name


@pytest.mark.parametrize(
    ("hostile", "safe"),
    [
        ("matrix.csv", "matrix.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\me\\K.tsv", "K.tsv"),
        ("a\x00b\n.csv", "ab.csv"),
        ("\u202egnp.csv", "gnp.csv"),
        ("..", "file"),
        ("", "file"),
        ("Ähnlichkeit.csv", "Ähnlichkeit.csv"),
    ],
)
def test_names_are_made_safe(hostile, safe):
    assert safe_name(hostile) == safe


def test_long_names_are_shortened_and_keep_their_ending():
    name = safe_name("x" * 300 + ".csv.gz")
    assert len(name) <= 80
    assert name.endswith(".gz")
    assert len(safe_name("y" * 300)) == 80


def test_empty_and_large_files_are_refused():
    with pytest.raises(InvalidInputError, match="empty"):
        check_file_size(Upload("a.csv", b""))
    with pytest.raises(TooLargeError, match="220 MB"):
        check_file_size(Upload("a.csv", bytes(220_000_000)))
    check_file_size(Upload("a.csv", bytes(MAX_MEGABYTES * 1_000_000)))


def test_what_is_wrong_with_a_file_is_said_and_the_page_goes_on():
    def app():
        import streamlit as st

        from pages.server.readers.tasks import families
        from pages.ui.files import read_upload, upload

        file = upload("Table", key="table", types=["csv"])
        if file is not None:
            read = read_upload(file, families)
            st.code(repr(read and read.ids))

    at = AppTest.from_function(app).run()
    at.file_uploader(key="table").upload("good.csv", b"id,x\ns,+train\n").run()
    assert at.code[0].value == "('s',)"
    at.file_uploader(key="table").upload("bad.csv", b"PNG").run()
    assert not at.exception
    assert at.code[0].value == "None"
    assert "1 lines" in at.error[0].value


def test_several_files():
    def app():
        import streamlit as st

        from pages.ui.files import upload_many

        st.code(repr([file.name for file in upload_many("Tables", key="tables")]))

    at = AppTest.from_function(app).run()
    assert at.code[0].value == "[]"
