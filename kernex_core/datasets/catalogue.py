"""The bundled data sets: one line each; made by our own code, or brought by scikit-learn and networkx."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import check_seed
from kernex_core.datasets.genes import (
    expression_on_a_network,
    interacting_genes,
    planted_regulator,
    unlike_partners,
)
from kernex_core.datasets.graphs import like_beside_like, structure_graphs
from kernex_core.datasets.markov_strings import almost_orthogonal_strings
from kernex_core.datasets.protein_world import (
    gapped_matrix,
    indefinite_similarities,
    protein_world,
    structure_hits,
)
from kernex_core.datasets.social import blocks, florentine_families, karate_club, les_miserables
from kernex_core.datasets.vectors import digits_in_five_views, half_seen_digits, swiss_roll, three_sources
from kernex_core.gram.matrix import GramMatrix
from kernex_core.gram.provenance import Call, call, part
from kernex_core.inputs.dataset import DataSet

# Data sets whose parts know how they can be made again.


def recorded(data: DataSet, origin: Call) -> DataSet:
    """Give labels, samples and kernels the call of "that part of the data set made by `origin`".

    Parameters
    ----------
    data : DataSet
    origin : Call
        How the whole data set is made.
    """

    samples = {
        name: replace(value, recipe=part(origin, "samples", name)) for name, value in data.samples.items()
    }
    kernels = {
        name: GramMatrix(K.values, K.ids, K.name, part(origin, "kernels", name), K.has_seen())
        for name, K in data.kernels.items()
    }
    networks = {
        name: replace(value, recipe=part(origin, "feature_networks", name))
        for name, value in data.feature_networks.items()
    }
    labels = data.labels and replace(data.labels, recipe=part(origin, "labels"))
    return replace(data, samples=samples, kernels=kernels, labels=labels, feature_networks=networks)


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
    about : {"completion", "repair", "diagonal", "network", "features", "map", "graphs", "many", "views", "edges"}
        What it is an example of: a kernel to be completed, a similarity that is no kernel, a large diagonal, a network,
        vectors whose columns are nodes of a network, items to be laid flat, whole graphs, several kernels to be weighed,
        kernels of which each lacks items, edges that several kernels tell.
    make : callable
        Seed -> DataSet.
    """

    name: str
    title: str
    question: str
    about: Literal[
        "completion", "repair", "diagonal", "network", "features", "map", "graphs", "many", "views", "edges"
    ]
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
        origin = call("data", "load_dataset", self.name, seed=seed)
        return recorded(self.make(seed), origin)


DATASETS: tuple[BundledDataSet, ...] = (
    BundledDataSet(
        "protein_world",
        "Protein world",
        "206 simulated proteins. How much structure can be hidden before sequence fails?",
        "completion",
        protein_world,
    ),
    BundledDataSet(
        "structure_hits",
        "Hits only",
        "A search tool reported 15 % of the pairs: what should stand for the rest?",
        "repair",
        structure_hits,
    ),
    BundledDataSet(
        "gapped_matrix",
        "A gapped matrix",
        "Two pairs in three were never measured. What are they, how sure, and which one next?",
        "completion",
        gapped_matrix,
    ),
    BundledDataSet(
        "half_seen_digits",
        "Handwritten digits",
        "Half the pixels are cheap, all are dear. Can the dear kernel be rebuilt?",
        "completion",
        half_seen_digits,
    ),
    BundledDataSet(
        "indefinite_similarities",
        "An indefinite matrix",
        "Many eigenvalues are negative, so this is no kernel. What does each repair cost?",
        "repair",
        indefinite_similarities,
    ),
    BundledDataSet(
        "almost_orthogonal_strings",
        "Almost orthogonal strings",
        "Each of 50 strings resembles only itself. Which power brings the classes out?",
        "diagonal",
        almost_orthogonal_strings,
    ),
    BundledDataSet(
        "blocks",
        "Blocks",
        "Six blocks of nodes in two classes. How far should heat spread to tell them apart?",
        "network",
        blocks,
    ),
    BundledDataSet(
        "karate_club",
        "Karate club",
        "A club is about to split. Does who meets whom foretell who goes with whom?",
        "network",
        karate_club,
    ),
    BundledDataSet(
        "les_miserables",
        "Les Misérables",
        "77 characters of a novel. Do kernels on nodes find its communities?",
        "network",
        les_miserables,
    ),
    BundledDataSet(
        "florentine_families",
        "Florentine families",
        "15 families joined by marriage. Which of them are near one another?",
        "network",
        florentine_families,
    ),
    BundledDataSet(
        "expression_on_a_network",
        "Expression on a network",
        "Genes that are joined change together. Does it help to know which are?",
        "features",
        expression_on_a_network,
    ),
    BundledDataSet(
        "planted_regulator",
        "A planted regulator",
        "One gene and its targets decide. Which edges of the network find them?",
        "features",
        planted_regulator,
    ),
    BundledDataSet(
        "swiss_roll",
        "Swiss roll",
        "A sheet is rolled up in space. What unrolls it, and where do new points belong?",
        "map",
        swiss_roll,
    ),
    BundledDataSet(
        "like_beside_like",
        "Like beside like",
        "100 graphs in two classes, with the same labels. Does it tell which of them are neighbours?",
        "graphs",
        like_beside_like,
    ),
    BundledDataSet(
        "structure_graphs",
        "Structure graphs",
        "Vertices with measurements and counts. Do both kinds of attributes together tell two folds apart?",
        "graphs",
        structure_graphs,
    ),
    BundledDataSet(
        "three_sources",
        "Three sources",
        "One kernel knows the classes, one less well, one nothing. Which weights should they get?",
        "many",
        three_sources,
    ),
    BundledDataSet(
        "digits_in_five_views",
        "Digits in five views",
        "Each of five kernels lacks two digits in five. Can they complete each other?",
        "views",
        digits_in_five_views,
    ),
    BundledDataSet(
        "interacting_genes",
        "Interacting genes",
        "Four kernels of genes, one of noise. Which edges has a new gene?",
        "edges",
        interacting_genes,
    ),
    BundledDataSet(
        "unlike_partners",
        "Unlike partners",
        "Genes of unlike type interact. Which method finds partners that are not alike?",
        "edges",
        unlike_partners,
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

    Examples
    --------
    >>> from kernex_core import load_dataset
    >>> data = load_dataset("protein_world")
    >>> data.n, data.source, data.target
    (206, 'sequence', 'structure')
    """
    for entry in DATASETS:
        if entry.name == name:
            return entry.load(seed)
    names = ", ".join(entry.name for entry in DATASETS)
    raise InvalidInputError(f"A bundled data set is one of {names}", repr(name))
