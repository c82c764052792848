"""Public data sets, fetched from their public homes when asked for; nothing is bundled.

A data set is listed only if the SHA-256 of the file at its address is known. That is so for the promoters, a file that
is kept unchanged at a fixed commit. It is not so for the SCOPe40 sequences and 3Di strings, the TIM barrels, the colon
data and the lymphoma data: the copies at hand are excerpts or conversions of the public files. Those are uploaded
like any other file.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from kernex_core.datasets.download import PublicFile, fetch, is_cached
from kernex_core.datasets.promoters import read_promoters
from kernex_core.datasets.recorded import recorded
from kernex_core.errors import InvalidInputError
from kernex_core.gram.recipe import call
from kernex_core.inputs.dataset import DataSet
from kernex_core.kernels.base import Progress, no_progress


@dataclass(frozen=True)
class PublicDataSet:
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
        Content of the file -> DataSet.
    """

    name: str
    title: str
    question: str
    home: str
    licence: str
    file: PublicFile
    read: Callable[[bytes], DataSet]

    @property
    def size(self) -> int:
        """Bytes to download."""
        return self.file.size

    def cached(self, folder: str | Path | None = None) -> bool:
        """Whether nothing would be downloaded."""
        return is_cached(self.file, folder)

    def load(self, folder: str | Path | None = None, *, progress: Progress = no_progress) -> DataSet:
        """Return the data set, downloading its file unless it is here already; see `download.fetch` for errors."""
        path = fetch(self.file, folder, progress=progress)
        origin = call("data", "fetch_dataset", self.name, imports=("from kernex_core import fetch_dataset",))
        return recorded(replace(self.read(path.read_bytes()), name=self.title), origin)


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
)
"""All public data sets that can be fetched."""


def fetch_dataset(name: str, folder: str | Path | None = None) -> DataSet:
    """Fetch a public data set.

    Parameters
    ----------
    name : str
        One of the names in PUBLIC_DATASETS.
    folder : str or Path, optional
        Where downloaded files are kept; by default the environment variable KERNEX_DATA, else ~/kernex_data.

    Raises
    ------
    InvalidInputError
        No data set of that name, or another file than expected at its address.
    KernexError
        No connection.
    """
    for entry in PUBLIC_DATASETS:
        if entry.name == name:
            return entry.load(folder)
    names = ", ".join(entry.name for entry in PUBLIC_DATASETS)
    raise InvalidInputError(f"A public data set is one of {names}", repr(name))
