"""The bundled data sets: one line each; all of them are made by our own code or come with scikit-learn."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from kernex_core.datasets.protein_world import protein_world
from kernex_core.datasets.seeds import check_seed
from kernex_core.errors import InvalidInputError
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.recipe import Recipe, call
from kernex_core.inputs.dataset import DataSet


@dataclass(frozen=True)
class BundledDataSet:
    """A data set that is one click away.

    Attributes
    ----------
    name : str
        What `load_dataset` calls it.
    title : str
        What pages call it.
    question : str
        The question that it lets a visitor answer.
    page : {"complete", "kernels"}
        The page that it opens on.
    make : callable
        Seed -> DataSet.
    """

    name: str
    title: str
    question: str
    page: Literal["complete", "kernels"]
    make: Callable[[int], DataSet]

    def load(self, seed: int = 0) -> DataSet:
        """Make the data set; the same seed gives the same data.

        Parameters
        ----------
        seed : int
            At least 0.

        Returns
        -------
        DataSet
            Its labels, samples and kernels know the call that makes them again.
        """
        check_seed(seed)
        origin = call(
            "data", "load_dataset", self.name, seed=seed, imports=("from kernex_core import load_dataset",)
        )
        return _recorded(self.make(seed), origin)


DATASETS: tuple[BundledDataSet, ...] = (
    BundledDataSet(
        "protein_world",
        "Simulated protein world",
        "Structures are known for some proteins only: how much do their sequences tell about the rest?",
        "complete",
        protein_world,
    ),
)
"""All bundled data sets, in the order in which the start page shows them."""


def load_dataset(name: str, seed: int = 0) -> DataSet:
    """Make a bundled data set.

    Parameters
    ----------
    name : str
        One of the names in DATASETS.
    seed : int
        At least 0; the same seed gives the same data.

    Raises
    ------
    InvalidInputError
        If there is no data set of that name, or the seed is no whole number of at least 0.
    """
    for entry in DATASETS:
        if entry.name == name:
            return entry.load(seed)
    names = ", ".join(entry.name for entry in DATASETS)
    raise InvalidInputError(f"A bundled data set is one of {names}", repr(name))


def _recorded(data: DataSet, origin: Recipe) -> DataSet:
    """Tell every part of a data set how it can be made again."""

    def part(name: str, expression: str) -> Recipe:
        return Recipe(name, f"$0.{expression}", (origin,))

    samples = {
        name: replace(value, recipe=part(name, f"samples[{name!r}]")) for name, value in data.samples.items()
    }
    kernels = {
        name: GramMatrix(K.values, K.ids, K.name, part(name, f"kernels[{name!r}]"))
        for name, K in data.kernels.items()
    }
    labels = data.labels and replace(data.labels, recipe=part("labels", "labels"))
    return replace(data, samples=samples, kernels=kernels, labels=labels)
