"""Colon and lymphoma: public files that are known by their numbers. The files are written here as they are published."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.datasets.fetched.download import is_cached
from kernex_core.datasets.fetched.expression import colon_digest, lymphoma_digest, read_colon, read_lymphoma
from kernex_core.datasets.fetched.fetch import PUBLIC_DATASETS
from kernex_core.gram.provenance import write_script
from tests.kernex_core.datasets.fetched.arrived import fetch
from tests.kernex_core.datasets.fetched.test_fetch import server  # noqa: F401

ENTRIES = {entry.name: entry for entry in PUBLIC_DATASETS}


@pytest.fixture(scope="module")
def tables(shared):
    folder = shared / "data"
    colon = pd.read_csv(folder / "colon" / "colon_62x2000.csv.gz")
    lymphoma = pd.read_csv(folder / "lymphoma" / "lymphoma_96x4026.csv.gz")
    return {"colon": colon, "lymphoma": lymphoma}


@pytest.fixture(scope="module")
def contents(tables):
    """Exponents of three digits and empty lines; columns four wide that touch before a minus sign."""
    X = tables["colon"].iloc[:, 1:].to_numpy().T
    colon = "\n\n".join(" ".join(f"{v:.7e}".replace("e+0", "e+00") for v in row) for row in X.tolist())
    L = tables["lymphoma"].iloc[:, 4:].fillna(999).to_numpy().T.astype(int)
    lymphoma = "\n".join("".join(f"{v:4d}" for v in row) for row in L.tolist())
    return {"colon": colon.encode(), "lymphoma": lymphoma.encode()}


@pytest.fixture(params=["colon", "lymphoma"])
def public(request, contents, server):  # noqa: F811
    entry = ENTRIES[request.param]
    server.files["/file"] = contents[request.param]
    return replace(entry, file=replace(entry.file, url=f"{server.address}/file"))


def test_columns_touch_in_the_matrix_of_lymphoma(contents):
    assert b"5-1" in contents["lymphoma"] or b"0-1" in contents["lymphoma"]


def test_the_file_is_fetched_once_and_read(public, server, tables, tmp_path):  # noqa: F811
    assert not public.cached(tmp_path)
    data = public.load(tmp_path)
    assert public.cached(tmp_path)
    public.load(tmp_path)
    assert len(server.asked) == 1
    table = tables[public.name]
    genes = table.filter(regex=r"^g\d{4}$").to_numpy()
    np.testing.assert_array_equal(data.samples["genes"].X, genes)
    expected = (
        table["label"] if public.name == "colon" else np.where(table["dettling62"] == 1, "malignant", "other")
    )
    assert data.labels.y.tolist() == list(expected)


def test_the_script_reads_the_same(public, tmp_path, monkeypatch):
    monkeypatch.setenv("KERNEX_DATA", str(tmp_path))
    data = public.load()
    names = {}
    exec(write_script([data.samples["genes"].recipe], heading="test"), names)
    assert names["genes"].digest == data.samples["genes"].digest


def test_other_numbers_are_refused_and_not_kept(public, server, tmp_path):  # noqa: F811
    right = server.files["/file"]
    for wrong in (right.replace(b"5", b"6", 1), b"<html>moved 404</html>", right[:-40]):
        server.files["/file"] = wrong
        with pytest.raises(InvalidInputError, match="another file at http"):
            fetch(public.file, tmp_path)
        assert list(tmp_path.iterdir()) == []


def test_a_damaged_copy_is_fetched_anew(public, server, tmp_path):  # noqa: F811
    (tmp_path / public.file.name).write_bytes(b"1 2 3")
    assert not is_cached(public.file, tmp_path)
    fetch(public.file, tmp_path)
    assert is_cached(public.file, tmp_path)
    assert len(server.asked) == 1


def test_white_space_does_not_count(contents):
    assert colon_digest(contents["colon"].replace(b"\n\n", b"\r\n")) == ENTRIES["colon"].file.sha256
    assert lymphoma_digest(contents["lymphoma"].replace(b" 999", b"  999")) == ENTRIES["lymphoma"].file.sha256


@pytest.mark.parametrize("read", [read_colon, read_lymphoma, colon_digest, lymphoma_digest])
def test_what_is_no_such_matrix_is_refused(read):
    for content in (b"", b"1 2 3", b"a b"):
        with pytest.raises(InvalidInputError):
            read(content)
