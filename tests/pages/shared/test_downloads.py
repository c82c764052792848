import io

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from kernex_core.gram.matrix import GramMatrix
from pages.shared.downloads import csv_bytes, file_stem, npz_bytes


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
        ("joint, λ = 0.25", "joint-0.25"),
        ("../../etc/passwd", "etc-passwd"),
        ("", "kernex"),
        ("...", "kernex"),
        ("a" * 200, "a" * 80),
        ("CON/..\\x", "CON-..-x"),
    ],
)
def test_file_names_suit_every_system(name, stem):
    assert file_stem(name) == stem


def test_nothing_is_built_before_the_click():
    def app():
        from pages.shared.downloads import csv_button, npz_button, script_button

        def build():
            raise AssertionError("built too early")

        csv_button("CSV", build, "x", key="a")
        npz_button("NPZ", build, "x", key="b")
        script_button(build, "x")

    at = AppTest.from_function(app).run()
    assert not at.exception
    assert len(at.get("download_button")) == 3
