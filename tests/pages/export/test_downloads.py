import csv
import io
import re

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.reading import read_samples
from kernex_core.inputs.tables.table import from_text
from pages.export.downloads import csv_bytes, npz_bytes
from pages.ui.files import file_name, file_stem


def test_matrix_csv_has_ids_on_both_axes_and_keeps_every_digit(rng):
    K = rng.normal(size=(3, 3))
    K = K + K.T
    K[0, 2] = K[2, 0] = np.nan
    ids = ("1.0", "007", "a, b")
    text = csv_bytes(GramMatrix(K, ids)).decode()
    assert text.startswith(',1.0,007,"a, b"\n1.0,')
    back = pd.read_csv(io.StringIO(text), index_col=0, dtype=str)
    assert tuple(back.index) == tuple(back.columns) == ids
    np.testing.assert_array_equal([[float(cell) for cell in row] for row in back.to_numpy()], K)


def test_table_csv():
    assert csv_bytes(pd.DataFrame({"a": [1, 2]})) == b"a\n1\n2\n"
    assert csv_bytes([{"id": "x", "score": 0.1}]) == b"id,score\nx,0.1\n"
    assert csv_bytes(pd.DataFrame({"a": [1]}, index=pd.Index(["x"], name="id"))) == b"id,a\nx,1\n"


def test_no_cell_of_a_table_runs_in_a_spreadsheet(rng):
    formulas = ["=1+1", "+A1", "-x", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", '=HYPERLINK("http://x")', "'=a"]
    n = len(formulas)
    frame = pd.DataFrame({"=id": formulas, "-label": pd.Categorical(formulas), "n": -np.arange(1.0, n + 1)})
    tables = [
        frame,
        frame.set_index("=id"),
        frame.to_dict("records"),
        GramMatrix(np.eye(n), tuple(formulas)),
        pd.DataFrame({"name": formulas}, dtype="string"),
    ]
    for table in tables:
        rows = list(csv.reader(io.StringIO(csv_bytes(table).decode(), newline="")))
        cells = [cell for row in rows for cell in row]
        running = [c for c in cells if c[:1] in "=+-@\t\r\n＝" and c and not re.fullmatch(r"-\d+\.0", c)]
        assert running == []
        assert set(map(from_text, cells)) >= set(formulas)
    # numbers are as they were
    assert [row[-1] for row in csv.reader(io.StringIO(csv_bytes(frame).decode(), newline=""))][1:3] == [
        "-1.0",
        "-2.0",
    ]
    assert csv_bytes([{"a": "-1.5e-3", "b": "-", "c": None, "d": 1}]) == b"a,b,c,d\n-1.5e-3,-,,1\n"


def test_npz_opens_without_pickles(rng):
    K = GramMatrix(np.eye(3), ("ä", "b", "c"))
    with np.load(io.BytesIO(npz_bytes(K)), allow_pickle=False) as archive:
        np.testing.assert_array_equal(archive["K"], np.eye(3))
        assert archive["ids"].tolist() == ["ä", "b", "c"]
        assert archive["ids"].dtype.kind == "U"


def test_npz_refuses_objects():
    with pytest.raises(TypeError, match="objects"):
        npz_bytes({"labels": np.array(["a", None], dtype=object)})


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("joint, λ = 0.25", "joint-lambda-0.25"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "kernex"),
        ("...", "kernex"),
        ("a" * 200, "a" * 110),
        ("CON/..\\x", "CON-..-x"),
        ("con", "kernex-con"),
        ("NUL.tar", "kernex-NUL.tar"),
        ("a\x00b\n\u202egnp.exe", "a-b-gnp.exe"),
        ("</script><script>alert(1)</script>", "script-script-alert-1-script"),
    ],
)
def test_file_names_suit_every_system(name, stem):
    assert file_stem(name) == stem


@pytest.mark.parametrize(
    ("data", "page", "what", "name"),
    [
        ("Protein world", "complete", "joint, λ = 0.25", "Protein-world-complete-joint-lambda-0.25"),
        ("Protein world", "complete", "Protein world: complete trust", "Protein-world-complete-trust"),
        ("Protein world", "kernels", "kernels spectrum", "Protein-world-kernels-spectrum"),
        ("Blocks", "data", "Blocks", "Blocks-data"),
        ("Blocks", "map", "Blocksworld", "Blocks-map-Blocksworld"),
        ("", "orthogonal", "table 2", "orthogonal-table-2"),
        ("", "", "mine", "mine"),
        ("数据", "map", "", "map"),
        ("con", "", "", "kernex-con"),
        ("x" * 90, "map", f"{'x' * 90} scree", f"{'x' * 40}-map-scree"),
    ],
)
def test_files_are_named_after_data_page_and_what_they_hold(data, page, what, name):
    assert file_name(data, page, what) == name


def test_nothing_is_built_before_the_click():
    def app():
        from pages.export.downloads import csv_button, npz_button, script_button

        def build():
            raise AssertionError("built too early")

        csv_button("CSV", build, "x", key="a")
        npz_button("NPZ", build, "x", key="b")
        script_button(build, "x")

    at = AppTest.from_function(app).run()
    assert not at.exception
    assert len(at.get("download_button")) == 3


def test_a_table_for_spreadsheets_that_split_at_semicolons_is_read_back(rng):
    K = rng.normal(size=(3, 3))
    K = K @ K.T
    text = csv_bytes(GramMatrix(K, ("a;=b", "c,d", "e")), semicolons=True)
    rows = list(csv.reader(io.StringIO(text.decode()), delimiter=";"))
    assert {len(row) for row in rows} == {4}
    assert "." not in text.decode()
    again = read_samples(text, "k.csv")
    assert again.ids == ("a;=b", "c,d", "e")
    np.testing.assert_array_equal(again.gram.values, K)
    mixed = csv_bytes([{"name": "x", "value": 0.5}, {"name": "y", "value": "none"}], semicolons=True)
    assert mixed == b"name;value\nx;0,5\ny;none\n"
