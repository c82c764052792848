"""Public data sets, fetched from their public homes when asked for; nothing is bundled.

What a file says is known by its SHA-256 (the promoters and the digits in six views, kept unchanged at fixed commits) or by
the SHA-256 of its numbers (colon and lymphoma, whose numbers are at hand but not as they were written down). For the
domains of SCOPe nobody has published a digest: the first file is trusted, its digest is shown, and later ones have to be
the same. The 3Di strings of these domains and the TIM barrels have no public file of their own; they are uploaded. For zips
of graphs see `graphs`, for kernels in MATLAB files `six_views`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent
from kernex_core.completion.views.methods import ViewErrors
from kernex_core.datasets.catalogue import recorded
from kernex_core.datasets.fetched import six_views
from kernex_core.datasets.fetched.download import PublicFile, is_cached, obtain
from kernex_core.datasets.fetched.expression import colon_digest, lymphoma_digest, read_colon, read_lymphoma
from kernex_core.datasets.fetched.graphs import ENZYMES, MUTAG, PROTEINS
from kernex_core.datasets.fetched.sequences import read_promoters, read_scope40, scope40_digest
from kernex_core.gram.provenance import call
from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.samples import Note
from kernex_core.kernels.base import Progress, no_progress


@dataclass(frozen=True, eq=False)
class PublicDataSet(EqualByContent):
    """A data set that is downloaded when asked for.

    Attributes
    ----------
    name, title, question : str
        As in a bundled data set.
    home : str
        Page that describes the data.
    licence : str
    file : PublicFile
    read : callable
        Content of the file, and of those beside it -> DataSet.
    beside : tuple of PublicFile
        Further files that it takes.
    expected : mapping of str to ViewErrors
        Errors that are known of completions of its kernels, by way; empty for other kinds of data.
    """

    name: str
    title: str
    question: str
    home: str
    licence: str
    file: PublicFile
    read: Callable[..., DataSet]
    beside: tuple[PublicFile, ...] = ()
    expected: Mapping[str, ViewErrors] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """Bytes to download."""
        return sum(file.size for file in self.files)

    @property
    def files(self) -> tuple[PublicFile, ...]:
        """All that are downloaded."""
        return (self.file, *self.beside)

    def cached(self, folder: str | Path | None = None) -> bool:
        """Whether nothing would be downloaded."""
        return all(is_cached(file, folder) for file in self.files)

    def load(self, folder: str | Path | None = None, *, progress: Progress = no_progress) -> DataSet:
        """Return the data set, downloading its file unless it is here already; see `download.obtain` for errors."""
        obtained = [obtain(file, folder, progress=progress) for file in self.files]
        origin = call("data", "fetch_dataset", self.name)
        origin = replace(origin, fetches=(self.name,))
        made = replace(self.read(*(each.path.read_bytes() for each in obtained)), name=self.title)
        notes = [
            Note(
                f"SHA-256 of {file.name} as it first came here: {here.digest}.",
                "Its home publishes none, so the first file was trusted; another one would be refused now.",
                "Compare it with that of a colleague.",
            )
            for file, here in zip(self.files, obtained, strict=True)
            if not file.sha256
        ]
        notes += [Note(f"W{each.said[1:]}.") for here in obtained for each in here.aside]
        return recorded(replace(made, notes=(*made.notes, *notes)), origin)


PUBLIC_DATASETS: tuple[PublicDataSet, ...] = (
    PublicDataSet(
        "promoters",
        "E. coli promoters",
        "Which stretches of DNA start a gene, and which words of theirs say so?",
        "https://archive.ics.uci.edu/dataset/67/molecular+biology+promoter+gene+sequences",
        "CC BY 4.0",
        PublicFile(
            "promoters.data",
            "https://raw.githubusercontent.com/farhan-137/dna-promoter-classifier/"
            "585478d4bcbeb8a6293f777d9d1abfae91c6db59/data/promoters.data",
            "9cba9e8661ab04760d69b857f62259233446f2dce5ec9b515efe0b23c315bb29",
            7089,
        ),
        read_promoters,
    ),
    PublicDataSet(
        "colon",
        "Colon",
        "Gene expression of tumours and normal tissue: which samples are which?",
        "https://doi.org/10.1073/pnas.96.12.6745",
        "licence not stated",
        PublicFile(
            "I2000.txt",
            "https://raw.githubusercontent.com/lata1207/DMD_Clustering/"
            "7d5dd7e591a3751b36230db3fb471634144de277/I2000.txt",
            "ebbe6fc11ef84748fdb8482c8e074d10c20f37d3da372e0957efd33386017069",
            1_865_994,
            colon_digest,
        ),
        read_colon,
    ),
    PublicDataSet(
        "lymphoma",
        "Lymphoma",
        "Gene expression with 5 % unknown: are malignant samples told from the others?",
        "https://doi.org/10.1038/35000501",
        "licence not stated",
        PublicFile(
            "lymphoma.matrix",
            "https://raw.githubusercontent.com/hankuipeng/Cluster_GeneExpression/"
            "1033633c7fa25e96790db65ff5d59b48f4c154da/lymphoma.matrix",
            "48e1a8249d32842d706c4e6c3783402b2fc05c01121183dad99a8fa278606c84",
            1_728_347,
            lymphoma_digest,
        ),
        read_lymphoma,
    ),
    PublicDataSet(
        "scope40",
        "SCOPe domains, 40 %",
        "Domains that are hardly alike in sequence: which superfamily are they of?",
        "https://scop.berkeley.edu/astral/",
        "licence as its home says",
        PublicFile(
            "astral-scopedom-seqres-gd-sel-gs-bib-40-2.08.fa",
            "https://scop.berkeley.edu/downloads/scopeseq-2.08/astral-scopedom-seqres-gd-sel-gs-bib-40-2.08.fa",
            "",
            4_100_000,
            scope40_digest,
            estimated=True,
        ),
        read_scope40,
    ),
    PublicDataSet(
        "mutag",
        "MUTAG",
        "188 compounds as graphs of atoms: which of them are mutagenic?",
        "https://chrsmrrs.github.io/datasets/",
        "licence not stated",
        PublicFile(
            "MUTAG.zip",
            "https://www.chrsmrrs.com/graphkerneldatasets/MUTAG.zip",
            "a93e4272551ea6a6089ae76d80e9200d7de206bbf6d0bc4ccfd4000c728d70d2",
            25_000,
            MUTAG.content_digest,
            estimated=True,
        ),
        MUTAG.read,
    ),
    PublicDataSet(
        "enzymes",
        "ENZYMES",
        "600 enzymes as graphs of their folds: which reactions do they speed up?",
        "https://chrsmrrs.github.io/datasets/",
        "licence not stated",
        PublicFile(
            "ENZYMES.zip",
            "https://www.chrsmrrs.com/graphkerneldatasets/ENZYMES.zip",
            "e7147d6ecc0d8401930eb47ac6392956c7d8461cac3f00fdcb768670c18b3b07",
            550_000,
            ENZYMES.content_digest,
            estimated=True,
        ),
        ENZYMES.read,
    ),
    PublicDataSet(
        "proteins",
        "PROTEINS",
        "1,113 proteins as graphs of their folds: which of them are enzymes?",
        "https://chrsmrrs.github.io/datasets/",
        "licence not stated",
        PublicFile(
            "PROTEINS.zip",
            "https://www.chrsmrrs.com/graphkerneldatasets/PROTEINS.zip",
            "",
            700_000,
            PROTEINS.zip_digest,
            estimated=True,
        ),
        PROTEINS.read,
    ),
    PublicDataSet(
        "digits_in_six_views",
        "Digits in six views",
        "Each of six kernels lacks two digits in five. How near do completions come to what CVKT and MKMC reach?",
        "https://github.com/RiikkaHuu/CVKT",
        "licence not stated",
        six_views.KERNELS,
        six_views.read_six_views,
        (six_views.MASK, six_views.CLASSES),
        six_views.EXPECTED,
    ),
)
"""All public data sets that can be fetched."""


def fetch_dataset(
    name: str, folder: str | Path | None = None, *, progress: Progress = no_progress
) -> DataSet:
    """Fetch a public data set.

    Parameters
    ----------
    name : str
        One of the names in PUBLIC_DATASETS.
    folder : str or Path, optional
        Where downloaded files are kept; by default the environment variable KERNEX_DATA, else ~/kernex_data.
    progress : callable
        Called with the share of bytes that have arrived.

    Raises
    ------
    InvalidInputError
        No data set of that name, or another file than expected at its address.
    KernexError
        No connection.

    Examples
    --------
    >>> from kernex_core import PUBLIC_DATASETS, fetch_dataset
    >>> [each.name for each in PUBLIC_DATASETS]
    ['promoters', 'colon', 'lymphoma', 'scope40', 'mutag', 'enzymes', 'proteins', 'digits_in_six_views']
    >>> fetch_dataset("mnist")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    kernex_core.base.errors.InvalidInputError: A public data set is one of promoters, colon, ... Found: 'mnist'.
    """
    for entry in PUBLIC_DATASETS:
        if entry.name == name:
            return entry.load(folder, progress=progress)
    names = ", ".join(entry.name for entry in PUBLIC_DATASETS)
    raise InvalidInputError(f"A public data set is one of {names}", repr(name))
