"""Three small networks that everybody knows, as networkx brings them: karate club, Les Misérables, Florentine families."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kernex_core.base.parameters import check_seed
from kernex_core.inputs.dataset import DataSet, Defaults
from kernex_core.inputs.networks.network import Network, structure_notes
from kernex_core.inputs.samples import Labels, Note
from kernex_core.kernels.networks.diffusion import Diffusion

_KARATE = (
    "Real: 34 members of a karate club and who met whom outside it, weighted by the number of occasions, in the two years "
    "before it split (Zachary 1977). The classes are the clubs that they joined: Mr. Hi's or the officer's."
)
_MISERABLES = (
    "Real: 77 characters of Hugo's novel, joined by the number of chapters in which they appear together (Knuth 1993). "
    "The classes are communities that were found in the network itself by greedy modularity (Clauset, Newman and Moore "
    "2004): how well a kernel names them tells how the two methods agree, and nothing about the novel."
)
_FLORENCE = (
    "Real: 15 families of Renaissance Florence, joined by marriage (Padgett 1994, as in Breiger and Pattison 1986). There "
    "are no classes."
)
_CIRCULAR = Note(
    "The classes were computed from the network itself.",
    "Accuracy on them tells how two methods agree, not how well something unknown is predicted.",
    "Bring labels of your own.",
    "warning",
)


def karate_club(seed: int = 0) -> DataSet:
    """Zachary's karate club with the faction of each member, and its diffusion kernel at τ = 1.

    Parameters
    ----------
    seed : int
        Without effect: the data are real.

    Returns
    -------
    DataSet
        Samples "network", kernel "diffusion".

    Raises
    ------
    InvalidInputError
        A bad seed.
    """
    check_seed(seed)
    import networkx  # slow to import

    graph = networkx.karate_club_graph()
    faction = ["Mr. Hi" if graph.nodes[k]["club"] == "Mr. Hi" else "officer" for k in graph]
    return _data("Karate club", graph, [f"member {k + 1}" for k in graph], faction, _KARATE)


def les_miserables(seed: int = 0) -> DataSet:
    """Characters of Les Misérables with communities as classes, and their diffusion kernel at τ = 1; see `karate_club`."""
    check_seed(seed)
    import networkx

    graph = networkx.les_miserables_graph()
    found = networkx.community.greedy_modularity_communities(graph, weight="weight")
    community = {name: f"community {k}" for k, names in enumerate(found, 1) for name in names}
    names = list(graph)
    return _data("Les Misérables", graph, names, [community[n] for n in names], _MISERABLES, (_CIRCULAR,))


def florentine_families(seed: int = 0) -> DataSet:
    """Marriages of Florentine families, without classes, and their diffusion kernel at τ = 1; see `karate_club`."""
    check_seed(seed)
    import networkx

    graph = networkx.florentine_families_graph()
    return _data("Florentine families", graph, list(graph), None, _FLORENCE)


def _data(
    name: str,
    graph: Any,
    ids: Sequence[str],
    classes: Sequence[str] | None,
    description: str,
    notes: tuple[Note, ...] = (),
) -> DataSet:
    import networkx

    nodes = tuple(ids)
    labels = None if classes is None else Labels(nodes, np.array(classes, dtype=np.str_))
    B = networkx.to_scipy_sparse_array(graph, dtype=np.float64, format="csr")
    bare = Network(nodes, B, labels)
    network = Network(nodes, B, labels, None, structure_notes(bare.adjacency, nodes))
    return DataSet(
        name=name,
        ids=nodes,
        labels=labels,
        samples={"network": network},
        kernels={"diffusion": Diffusion(tau=1.0).similarities(network, name="diffusion")},
        description=description,
        target="diffusion",
        defaults=Defaults(C=1.0, folds=5, repeats=5),
        notes=notes,
    )
