"""Every format, and every container of matrices and vectors, from the box of the page Data to a data set."""

import pytest

from kernex_core.inputs.catalogue import FORMATS, LABELS
from kernex_core.inputs.upload import Upload
from tests.kernex_core.inputs.test_catalogue import EXAMPLES
from tests.kernex_core.inputs.test_containers import MATRICES, VECTORS

PAGE = "data/data.py"
CASES = {
    **{f"format {name}": file for name, file in EXAMPLES.items() if name != LABELS},
    **{f"matrix {name}": Upload(name, data) for name, data in MATRICES.items()},
    **{f"vectors {name}": Upload(name, data) for name, data in VECTORS.items()},
}


def test_no_format_is_forgotten():
    assert set(EXAMPLES) == {each.name for each in FORMATS}


@pytest.mark.parametrize("case", CASES)
def test_a_file_becomes_a_data_set(open_page_test, case):
    file = CASES[case]
    at = open_page_test(PAGE)
    at.file_uploader[0].upload(file.filename, file.packed).run()
    assert not at.exception
    assert not at.error
    (said,) = (each.value for each in at.markdown if "]] · " in each.value)
    assert any(sign in said for sign in ("→", "weighs", "vertices", "larger is"))
    at.button(key="data.add").click().run()
    assert not at.exception
    state = at.session_state["kernex"]
    data = state.entries[state.chosen].dataset
    assert data.n >= 2
    kinds = {"similarity": data.kernels, "vectors": data.samples}
    what = case.split()[0]
    if what in ("matrix", "vectors"):
        assert kinds["similarity" if what == "matrix" else "vectors"]
