"""Whether the open data fit a page, the reason where they do not, and what the page shows where they do.

why_not(address, dataset)      "" = they fit; what the sidebar says on hover, and the empty page in its place
FITS[address]                  what an empty page says, and which demos fit it
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from kernex_core.inputs.dataset import DataSet
from kernex_core.inputs.graphs.graph_set import GraphSet
from kernex_core.inputs.names import counted
from kernex_core.inputs.networks.network import Network
from kernex_core.inputs.samples import Sequences, Vectors


@dataclass(frozen=True)
class Fit:
    """What a page needs.

    Attributes
    ----------
    lacks : callable
        Says of a data set what it lacks; "" = nothing.
    shows : str
        What there would be to see.
    demos : tuple of str
        Titles of demos that fit.
    """

    lacks: Callable[[DataSet], str]
    shows: str
    demos: tuple[str, ...]


def why_not(address: str, dataset: DataSet | None) -> str:
    """Return why a page has nothing to show of the open data; "" where it has, or where nothing is open."""
    fit = FITS.get(address)
    return "" if dataset is None or fit is None else fit.lacks(dataset)


def _has(dataset: DataSet, kind: type) -> bool:
    return any(isinstance(part, kind) for part in dataset.samples.values())


def _a_kernel(dataset: DataSet) -> str:
    if dataset.kernels or dataset.samples:
        return ""
    return "It looks at a kernel, or builds one; these data have neither a matrix nor samples."


def _sequences(dataset: DataSet) -> str:
    return (
        ""
        if _has(dataset, Sequences)
        else "It compares sequences, and these data have none. Bring a FASTA file."
    )


def _two(dataset: DataSet) -> str:
    if len(dataset.kernels) > 1:
        return ""
    found = counted(len(dataset.kernels), "kernel") if dataset.kernels else "none"
    return f"It needs two kernels of the same items; these data have {found}. Bring another, or keep one from Kernels."


def _pair(dataset: DataSet) -> str:
    """A source that is known everywhere, and a target."""
    if lacks := _two(dataset):
        return lacks
    if dataset.all_partly_known:
        return (
            "It needs a source that is known for every pair, and each of these kernels lacks some. They complete each other "
            "on Complete together, under Combine."
        )
    return ""


def _judged_pair(dataset: DataSet) -> str:
    """The same, with classes of items."""
    if lacks := _pair(dataset):
        return lacks
    return (
        ""
        if dataset.judgeable is not None
        else "Its tables need labels of at least two classes. Bring labels."
    )


def _two_whole(dataset: DataSet) -> str:
    """Two that are known everywhere."""
    if lacks := _two(dataset):
        return lacks
    whole = sum(K.unknown.complete for K in dataset.kernels.values())
    if whole > 1:
        return ""
    return (
        f"It needs two kernels that are known for every pair, and of these {'none is' if not whole else 'one is'}. Complete "
        "them first: by each other on Complete together, or from a source on Complete."
    )


def _gaps(dataset: DataSet) -> str:
    """Some of several that lack items."""
    if lacks := _two(dataset):
        return lacks
    if all(K.unknown.complete for K in dataset.kernels.values()):
        return "Each of these kernels has every item: there is nothing to complete."
    return ""


def _network(dataset: DataSet) -> str:
    if _has(dataset, Network) or _has(dataset, Vectors):
        return ""
    return "It looks at a network, and these data have none. Bring a list of edges."


def _columns(dataset: DataSet) -> str:
    if any(isinstance(part, Vectors) and part.columns for part in dataset.samples.values()):
        return ""
    return "It needs vectors whose columns have names, and a network of these columns."


def _nodes(dataset: DataSet) -> str:
    if not _has(dataset, Network):
        return "It needs a network of the items, and these data have none. Bring a list of edges."
    if dataset.kernels or len(dataset.samples) > 1:
        return ""
    return "It needs something measured of the nodes beside their network: a kernel, vectors or sequences."


def _graphs(dataset: DataSet) -> str:
    return (
        ""
        if _has(dataset, GraphSet)
        else "It compares whole graphs with each other, and these data are none."
    )


def _places(dataset: DataSet) -> str:
    if any(K.unknown.complete for K in dataset.kernels.values()) or _has(dataset, Vectors):
        return ""
    if dataset.kernels:
        return "It maps vectors or a kernel that is known for every pair: complete one first (Complete, Complete together)."
    return "It maps vectors or a kernel, and these data have neither yet: build a kernel first."


def _judged(dataset: DataSet) -> str:
    if dataset.judgeable is None:
        found = "no labels" if dataset.labels is None else "one class"
        return f"Accuracy needs labels of at least two classes; these data have {found}. Bring labels."
    if not any(K.unknown.complete for K in dataset.kernels.values()):
        return "It judges kernels that are known for every pair: build one, or complete one (Complete, Complete together)."
    return ""


FITS: Final[Mapping[str, Fit]] = MappingProxyType(
    {
        "kernels": Fit(
            _a_kernel,
            "A kernel as a picture, its spectrum and map, whether it is a kernel at all, and what each repair costs.",
            ("Protein world", "An indefinite matrix", "Hits only"),
        ),
        "strings": Fit(
            _sequences,
            "What a string kernel sees in sequences, which parts make two of them alike, and how well it tells classes.",
            ("Protein world", "Almost orthogonal strings"),
        ),
        "power": Fit(
            _a_kernel,
            "What a power p does to a kernel whose items resemble only themselves, and which p tells the classes apart.",
            ("Almost orthogonal strings", "Protein world"),
        ),
        "complete": Fit(
            _pair,
            "What is known of a target, its completion from a source, and what that is worth on items that were hidden.",
            ("Protein world", "Handwritten digits"),
        ),
        "combine": Fit(
            _two_whole,
            "Whether two kernels know more together than either alone, at which weight, beside their sum and product.",
            ("Protein world", "Handwritten digits"),
        ),
        "many": Fit(
            _two,
            "Which weight each of several kernels deserves, and what all of them are worth together.",
            ("Three sources", "Digits in five views"),
        ),
        "together": Fit(
            _gaps,
            "How kernels that each lack some items complete each other, and how far every item is to be trusted.",
            ("Digits in five views",),
        ),
        "networks": Fit(
            _network,
            "A network with its kernel: how far heat should spread so that the classes of nodes are told apart.",
            ("Blocks", "Karate club", "Les Misérables"),
        ),
        "features": Fit(
            _columns,
            "Whether it helps to know which columns of a table are joined, and which edges make the difference.",
            ("Expression on a network", "A planted regulator"),
        ),
        "edges": Fit(
            _nodes,
            "Which edges a node has that the network has never seen, and how sure that is.",
            ("Interacting genes", "Unlike partners"),
        ),
        "graphs": Fit(
            _graphs,
            "Graphs side by side, which parts make two of them alike, and how well each kernel tells their classes.",
            ("Like beside like", "Structure graphs"),
        ),
        "map": Fit(
            _places,
            "A map of the items, and where items land that the map has not seen.",
            ("Swiss roll", "Protein world"),
        ),
        "evaluate": Fit(
            _judged,
            "How well each kernel tells the classes of held-out items, and which of them are told apart.",
            ("Protein world", "Three sources"),
        ),
        "extrapolation": Fit(
            _judged_pair,
            "The tables of the paper, printed and measured side by side.",
            ("Protein world", "Handwritten digits"),
        ),
    }
)
"""By the address of the page; pages that are not here need no data, or bring their own."""
