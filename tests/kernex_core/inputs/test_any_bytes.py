"""Whatever is uploaded, what comes back is data or a sentence: no other exception, whatever the bytes."""

import contextlib
import gzip
import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.io import savemat

from kernex_core import KernexError, health, read_labels, read_samples
from tests.kernex_core.inputs.formats.r_files import dist, factor, frame, function, matrix, rdata, rds, real

NPZ = io.BytesIO()
np.savez_compressed(NPZ, values=np.eye(3), ids=np.array(["a", "b", "c"]))
MAT = io.BytesIO()
savemat(
    MAT,
    {"K": np.ones((3, 3, 2)), "MID": np.array([[1, 0], [1, 1], [0, 1]]), "y": np.arange(3)},
    do_compression=True,
)
NPY = io.BytesIO()
np.save(NPY, np.eye(3))
SEEDS = [
    b",a,b,c\na,1,2,3\nb,2,1,4\nc,3,4,5\n",
    b"a b 0.5\nb c 0.25\na c 0.1\na a 1\n",
    b"q\tt\t90\t10\t0\t0\t1\t2\t1\t2\t1e-9\t50\nq\tq\t90\t10\t0\t0\t1\t2\t1\t2\t1e-9\t50\n",
    b">a x\nACGT\n>b y\nACG\n",
    b"id,x,y,class\na,1,2,p\nb,3,4,q\n",
    b"id,label,group\na,x,g\nb,y,h\n",
    gzip.compress(b",a,b\na,1,2\nb,2,1\n"),
    b"%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n1 1 .5\n2 1 .25\n",
    b"%%MatrixMarket matrix coordinate integer general\n3 3 2\n1 1 .5\n2 1 .25 ",
    b'graph [ node [ id 0 label "a" ] node [ id 1 label "b" ] edge [ source 0 target 1 weight 2 ] ]',
    b'<?xml version="1.0"?><graphml><graph><node id="a"/><edge source="a" target="b"/></graph></graphml>',
    b"source,target,weight\na,b,2\nb,c,1\n",
    NPZ.getvalue(),
    MAT.getvalue(),
    NPY.getvalue(),
    rdata(K=matrix(np.eye(3), ["a", "b", "c"]), y=factor(["u", "v", "u"]), d=dist([1.0], 2), f=function()),
    rds(frame(["a", "b"], x=real([1, 2]), y=real([3, 4]), z=real([5, 7]))),
]


def survive(data, filename):
    for kind in (None, "similarity", "sequences", "vectors", "network"):
        with contextlib.suppress(KernexError):
            health(read_samples(data, filename, kind))
    with contextlib.suppress(KernexError):
        read_labels(data, filename)


@settings(max_examples=100)
@given(st.one_of(st.binary(max_size=200), st.text(max_size=200).map(lambda t: t.encode("utf-8", "replace"))))
@pytest.mark.no_cover
def test_any_bytes(data):
    survive(data, "upload.csv")


@settings(max_examples=100)
@given(st.text(alphabet='ab1.,;\t \n"#>?-eNA', max_size=120))
@pytest.mark.no_cover
def test_anything_like_a_table(text):
    survive(text.encode(), "upload.txt")


@pytest.mark.parametrize("seed", range(len(SEEDS)))
@given(data=st.data())
@pytest.mark.no_cover
def test_damaged_files(seed, data):
    content = bytearray(SEEDS[seed])
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(content) - 1))
        what = data.draw(st.sampled_from(["change", "remove", "insert", "cut"]))
        if what == "change":
            content[place] = data.draw(st.integers(0, 255))
        elif what == "remove" and len(content) > 1:
            del content[place]
        elif what == "insert":
            content[place:place] = data.draw(st.binary(min_size=1, max_size=4))
        elif what == "cut" and place:
            del content[place:]
    survive(bytes(content), data.draw(st.sampled_from(["u.csv", "u.npz", "u.npy", "u.fasta", "u.csv.gz"])))
