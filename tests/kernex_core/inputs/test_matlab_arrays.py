"""MATLAB files: numbers as SciPy writes them come back, and whatever else is in them is a sentence."""

import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.io import savemat

from kernex_core import KernexError
from kernex_core.base.errors import InvalidInputError, TooLargeError
from kernex_core.inputs.arrays import matlab_arrays


def saved(compress=True, **variables):
    file = io.BytesIO()
    savemat(file, variables, do_compression=compress)
    return file.getvalue()


@pytest.mark.parametrize("compress", [True, False])
def test_numbers_come_back_as_they_were_saved(compress):
    rng = np.random.default_rng(0)
    given = {
        "K": rng.normal(size=(4, 4, 3)),
        "MID": rng.integers(0, 2, (4, 3)).astype(np.uint8),
        "y": np.arange(-2, 2, dtype=np.int16)[:, None],
        "single": rng.normal(size=(2, 5)).astype(np.float32),
        "yes": np.array([[True, False]]),
        "big": np.array([[2**40]]),
        "empty": np.zeros((0, 3)),
    }
    found = matlab_arrays(saved(compress, **given), "a.mat")
    assert list(found.arrays) == list(given)
    for name, array in given.items():
        assert found.arrays[name].dtype == np.float64
        assert np.array_equal(found.arrays[name], array)


def test_what_holds_no_real_numbers_is_named_and_not_opened():
    cell = np.empty(2, dtype=object)
    cell[:] = ["a", 1.0]
    found = matlab_arrays(
        saved(K=np.eye(2), ids=cell, made={"by": "us"}, text="hello", thin=sparse.eye(3, format="csc"), z=1j),
        "a.mat",
    )
    assert list(found.arrays) == ["K"]
    assert found.others == {
        "ids": "a cell array", "made": "a structure", "text": "text", "thin": "a sparse matrix", "z": "complex numbers"
    }  # fmt: skip
    assert found.shown.startswith("K (2 × 2), ids (a cell array)")


def element(kind, content, order=">"):
    return struct.pack(f"{order}II", kind, len(content)) + content + b"\0" * (-len(content) % 8)


def by_hand(shape=(1, 2), numbers=(1.5, -2.0), order=">"):
    """A file of one variable, in either order of bytes; SciPy writes that of the machine alone."""
    inside = (
        element(6, struct.pack(f"{order}II", 6, 0), order)
        + element(5, struct.pack(f"{order}{len(shape)}i", *shape), order)
        + element(1, b"K", order)
        + element(9, struct.pack(f"{order}{len(numbers)}d", *numbers), order)
    )
    mark = b"MI" if order == ">" else b"IM"
    heading = b"MATLAB 5.0 MAT-file".ljust(124) + struct.pack(f"{order}H", 0x0100) + mark
    return heading + element(14, inside, order)


@pytest.mark.parametrize("order", ["<", ">"])
def test_both_orders_of_bytes(order):
    assert matlab_arrays(by_hand(order=order), "a.mat").arrays["K"].tolist() == [[1.5, -2.0]]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (by_hand(shape=(1, 3)), "2 numbers where 3 are announced"),
        (by_hand(shape=(-1, -2)), "none"),
        (by_hand(shape=(2**31 - 1,) * 8), "2 numbers where"),
        (by_hand(shape=(1,) * 9), "none"),
        (by_hand()[:-4], "ends early"),
        (by_hand()[:140], "damaged"),
        (by_hand()[:128] + struct.pack(">II", 14, 2**32 - 1), "ends early"),
        (by_hand()[:128] + element(15, zlib.compress(b"x" * 64)[:20]), "damaged"),
        (by_hand()[:128] + element(14, b"\0" * 80), "damaged"),
        (b"MATLAB 5.0 MAT-file".ljust(128), "something else"),
        (b"MATLAB 7.3 MAT-file, HDF5".ljust(600), "-v7"),
        (b"\x89HDF\r\n", "HDF5"),
        (b"", "something else"),
    ],
)  # fmt: skip
def test_damaged_and_other_files_are_refused_with_a_sentence(data, said):
    with pytest.raises(InvalidInputError, match=said):
        matlab_arrays(data, "a.mat")


def test_a_bomb_is_refused_before_it_is_unpacked():
    bomb = zlib.compress(b"\0" * 70_000_000, 9)
    with pytest.raises(TooLargeError):
        matlab_arrays(by_hand()[:128] + struct.pack(">II", 15, len(bomb)) + bomb, "a.mat")


@given(st.data())
def test_whatever_the_bytes_what_comes_back_is_numbers_or_a_sentence(data):
    whole = bytearray(saved(data.draw(st.booleans()), K=np.eye(3), text="a", cell=np.array(["a"], object)))
    for _ in range(data.draw(st.integers(0, 6))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    try:
        found = matlab_arrays(cut, "a.mat")
    except KernexError:
        return
    assert all(array.dtype == np.float64 for array in found.arrays.values())
