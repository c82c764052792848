"""MatrixMarket files: what is read equals SciPy's reader on whole files, and what is damaged is told."""

import io

import numpy as np
import pytest
from scipy import sparse
from scipy.io import mmread, mmwrite

from kernex_core import InvalidInputError
from kernex_core.inputs.formats.matrix_market import market_entries, market_size
from kernex_core.inputs.upload import Upload

HEAD = "%%MatrixMarket matrix coordinate real symmetric\n"


def entries(text):
    upload = Upload("k.mtx", text if isinstance(text, bytes) else text.encode())
    return market_entries(upload, market_size(upload))


@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("layout", ["coordinate", "array"])
def test_as_scipy_reads_it(rng, layout, symmetry, field):
    if layout == "array" and field == "pattern":
        return
    A = rng.normal(size=(7, 7)).round(3) * 100 * (rng.random((7, 7)) < 0.5)
    A = np.trunc(A + A.T if symmetry == "symmetric" else A)
    written = io.BytesIO()
    mmwrite(written, sparse.coo_array(A) if layout == "coordinate" else A, field=field, symmetry=symmetry)
    ours, theirs = entries(written.getvalue()), mmread(io.BytesIO(written.getvalue()), spmatrix=False)
    if layout == "coordinate":
        assert ours.nnz == theirs.nnz
        ours, theirs = ours.toarray(), theirs.toarray()
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("end", ["", "\n", " ", "  \n", "\t", "\r\n", "\n\n \n", "\n% said at the end\n"])
def test_blanks_after_the_last_number_do_no_harm(end):
    # SciPy 1.17 reads beyond the end of the file and ends the process
    read = entries(HEAD + "3 3 2\n1 1 .5\n 2 1  .25" + end).toarray()
    np.testing.assert_array_equal(read, [[0.5, 0.25, 0], [0.25, 0, 0], [0, 0, 0]])


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("3 3 2\n1 1 .5\n2 1 .25\x1a\n", "'2 1 .25\\x1a' in line 4"),
        ("3 3 2\n1 1 .5\n4 1 .25\n", "entry 2 at row 4 and column 1 of 3"),
        ("3 3 2\n1 0 .5\n2 1 .25\n", "entry 1 at row 1 and column 0 of 3"),
        ("3 3 2\n1 1.5 .5\n2 1 .25\n", "row 1 and column 1.5"),
        ("3 3 2\n1 nan .5\n2 1 .25\n", "column nan"),
        ("3 3 2\n1 1 .5\n", "1 lines of 3 numbers instead of 2 lines of 3"),
        ("3 3 2\n1 1\n2 1\n", "2 lines of 2 numbers"),
        ("3 3 2\n1 1 .5 7\n2 1 .25 7\n", "2 lines of 4 numbers"),
        ("3 3 2\n1 1 .5\n2 1 .25 7\n", "'2 1 .25 7' in line 4, where 3 numbers"),
        ("3 3 2\n% 1 1 1 and 2 1 1\n", "no 2 lines of 3 numbers"),
        ("3 3 2\n1 1 1_0\n2 1 1\n", "'1 1 1_0' in line 3"),
        ("3 3 2\n1 1 .5\n2 1\n", "'2 1' in line 4"),
        ("3 3 2\n1 1 .5\n2 1 x\n", "'2 1 x' in line 4"),
        ('3 3 2\n1 1 .5\n2 1 ".25"\n', "in line 4"),
    ],
)
def test_what_is_damaged_is_told(body, found):
    with pytest.raises(InvalidInputError, match="whole MatrixMarket file") as caught:
        entries(HEAD + body)
    assert found in str(caught.value)


def test_unknown_entries_are_read():
    read = entries("%%MatrixMarket matrix array real symmetric\n2 2\n1\nnan\n3\n")
    np.testing.assert_array_equal(read, [[1, np.nan], [np.nan, 3]])
