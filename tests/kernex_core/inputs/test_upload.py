"""A file is unpacked and hashed once, whatever is asked about it."""

import gzip

import numpy as np
import pytest

from kernex_core import KernexError, read_labels, read_samples
from kernex_core.inputs.catalogue import FORMATS
from kernex_core.inputs.upload import Upload, open_upload
from kernex_core.studies.data import read_as, readings, suggest
from tests.kernex_core.inputs.counting import counting
from tests.kernex_core.inputs.dialects import matrix_bytes

PACKED = gzip.compress(matrix_bytes(np.eye(30) + 1.0, [f"i{k}" for k in range(30)]))


@pytest.fixture
def counted(monkeypatch):
    return counting(monkeypatch, PACKED)


def test_guessing_suggesting_and_reading_in_every_format_unpack_and_hash_once(counted):
    file = Upload("k.csv.gz", PACKED)
    readings(file)
    for form in FORMATS:
        for _ in range(2):
            try:
                read_as(file, form.name, suggest(file, form.name).options)
            except KernexError:
                continue
    assert len(file.digest) == 64
    assert counted == {"unpacked": 1, "hashed": 1}


def test_the_public_functions_too(counted):
    read_samples(PACKED, "k.csv.gz")
    assert counted == {"unpacked": 1, "hashed": 1}
    with pytest.raises(KernexError):
        read_samples(PACKED, "k.csv.gz", kind="sequences")
    assert counted == {"unpacked": 2, "hashed": 1}


def test_what_cannot_be_unpacked_is_tried_once_and_says_so_every_time(counted):
    file = Upload("k.csv.gz", PACKED[:40])
    said = []
    for _ in range(3):
        with pytest.raises(KernexError, match="cut off") as caught:
            readings(file)
        said.append(str(caught.value))
    assert len(set(said)) == 1
    assert counted["unpacked"] == 1


def test_an_open_file_is_the_same_as_its_bytes():
    plain = read_samples(PACKED, "k.csv.gz")
    opened = read_samples(open_upload(PACKED, "k.csv.gz"), "k.csv.gz")
    assert opened.recipe == plain.recipe
    assert np.array_equal(opened.gram.values, plain.gram.values)
    labels = b"a,x\nb,y\n"
    assert read_labels(Upload("l.csv", labels), "l.csv").recipe == read_labels(labels, "l.csv").recipe


def test_what_is_forgotten_is_worked_out_again():
    file = Upload("k.csv", b"a,b\n1,2\n")
    assert (file.text, file.encoding) == ("a,b\n1,2\n", "utf-8-sig")
    file.forget()
    assert set(file.memory) <= {"data", "sha256", "digest"}
    assert file.text == "a,b\n1,2\n"
