"""Files on their way from the box to a data set."""

import gzip

import numpy as np

from tests.kernex_core.inputs.counting import counting
from tests.kernex_core.inputs.dialects import matrix_bytes

PAGE = "data/data.py"


def widget(at, kind, name):
    return next(found for found in at.get(kind) if found.key and found.key.endswith(name))


def test_a_file_is_unpacked_and_hashed_once_from_the_box_to_the_data_set(open_page_test, monkeypatch):
    packed = gzip.compress(matrix_bytes(np.eye(30) + 1.0, [f"i{k}" for k in range(30)]))
    counted = counting(monkeypatch, packed)
    at = open_page_test(PAGE)
    at.file_uploader[0].upload("k.csv.gz", packed).run()
    widget(at, "selectbox", ".way").set_value("vectors").run()
    widget(at, "selectbox", ".way").set_value("matrix").run()
    widget(at, "button_group", "matrix.symmetrise").set_value("max").run()
    at.button(key="data.add").click().run()
    assert not at.exception
    assert at.session_state["kernex"].chosen == "k"
    assert counted == {"unpacked": 1, "hashed": 1}
