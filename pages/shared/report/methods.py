"""What each page does, in words for the methods of a paper; publications are those of kernex_core.base.references.

METHODS: one entry a page, by its title: a paragraph, and the keys of what it cites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from kernex_core.base.references import REFERENCES, Reference, by_year, references_of

JUDGED: Final = (
    "Accuracies are those of one support vector machine a class against all others (Cortes and Vapnik 1995) "
    "under repeated, stratified cross-validation, on the same folds for everything that is compared; repetitions "
    "judge the same items again and are not independent."
)


@dataclass(frozen=True)
class Method:
    """A paragraph, and the keys of the publications that it cites."""

    text: str
    cites: tuple[str, ...] = ()


METHODS: Final = {
    "Kernels": Method(
        "Similarities were looked at as a kernel: its eigenvalues, how far it is from positive semidefinite, and "
        "what each repair of that changes. Of a partly known matrix this is about a largest set of items whose "
        "pairs are all known."
    ),
    "Strings": Method(
        "Sequences were compared by a string kernel. What makes one similarity is added up over the features "
        "that two sequences share; new sequences get the row that they would have had inside the matrix."
    ),
    "Power p": Method(
        "A kernel with a large diagonal, under which every item resembles itself alone, was shrunk by a map of "
        "its entries and made a kernel again (Schölkopf et al. 2002); losses were measured on the same folds for "
        "every strength of the map.",
        ("Schölkopf et al. 2002",),
    ),
    "Complete": Method(
        "A target kernel that is known for some of the items was extrapolated to all of them from a source "
        "kernel that is known everywhere, with affine weights on the known items (Lemma 1), and weighed against "
        f"it by joint regularisation (Vishwanathan et al. 2006). {JUDGED}",
        ("Vishwanathan et al. 2006", "Cortes and Vapnik 1995"),
    ),
    "Combine": Method(
        "Two kernels of the same items were combined by joint regularisation, a weighted harmonic mean "
        f"(Borgwardt et al. 2005), beside their weighted sum and their entrywise product. {JUDGED}",
        ("Borgwardt et al. 2005", "Vishwanathan et al. 2006", "Cortes and Vapnik 1995"),
    ),
    "Many kernels": Method(
        "Kernels were put on one scale, and weighed by hand, by alignment or by "
        "multiple kernel learning, then made one as a sum, a product or a joint kernel (Borgwardt et al. 2005). "
        f"{JUDGED} Weights that were learned from labels were made anew inside every training fold.",
        ("Borgwardt et al. 2005", "Cortes and Vapnik 1995"),
    ),
    "Complete together": Method(
        "Kernels that lack some items were completed from each other by turns, until their common objective stood still. "
        "What a kernel had stayed as it came; labels were not looked at."
    ),
    "Networks": Method(
        "Nodes of a network were compared by a kernel that follows from one decomposition of its matrix. "
        f"{JUDGED} Edges of tested nodes were seen.",
        ("Cortes and Vapnik 1995",),
    ),
    "Features on a network": Method(
        "Vectors whose columns are nodes of a network were compared by a kernel on the network of their columns "
        "(Rapaport et al. 2007), beside the plain kernel of the same columns, scaling and folds; edges were "
        f"selected by the graph lasso (Jacob et al. 2009). {JUDGED} Nothing of a tested profile was seen in training.",
        ("Rapaport et al. 2007", "Jacob et al. 2009", "Cortes and Vapnik 1995"),
    ),
    "Edges of new nodes": Method(
        "Edges of nodes that a network does not have were predicted from kernels of the nodes, by a supervised approach "
        "(Yamanishi et al. 2004), by learning on the other nodes and their edges (Vert and Yamanishi 2004; Bleakley et al. "
        "2007). Folds are of nodes; everything, weights of the kernels too, is fitted on training nodes. Pairs of a known "
        "and a new node and of two new ones were judged apart, beside the degree of the known node; folds were averaged, "
        "never pooled.",
        ("Yamanishi et al. 2004",),
    ),
    "Graphs": Method(
        "Graphs were compared by what two of them have in common: walks, paths, small subgraphs or subtrees with equal "
        f"labels, cosine-normalised where nothing else is said. {JUDGED}",
        ("Cortes and Vapnik 1995",),
    ),
    "Map": Method(
        "Items were laid out by the leading components of a centred kernel (Schölkopf et al. 1998) or by locally "
        "linear embedding (Roweis and Saul 2000); held-out items were placed without moving the others.",
        ("Schölkopf et al. 1998", "Roweis and Saul 2000"),
    ),
    "Evaluate": Method(
        "Kernels were judged under one protocol, by the learner that is named beside the numbers; labels that are numbers "
        "were predicted, with the mean of the training items as the floor. Where no learner is named: "
        f"{JUDGED[0].lower()}{JUDGED[1:]} The highest of several accuracies is too optimistic: "
        "it was chosen on the folds that it is reported on.",
        ("Cortes and Vapnik 1995",),
    ),
    "Kernel extrapolation": Method(
        "Published tables (Vishwanathan et al. 2006) were computed again, on data of one's own or on generated ones.",
        ("Vishwanathan et al. 2006", "Cortes and Vapnik 1995"),
    ),
    "Joint regularization": Method(
        "A figure of the third paper (Borgwardt et al. 2005) was computed again, on a stand-in for its data or on generated "
        f"graphs: a joint kernel for several λ, beside each kernel alone, their sum and their product. {JUDGED}",
        ("Borgwardt et al. 2005", "Cortes and Vapnik 1995"),
    ),
    "Almost orthogonal patterns": Method(
        "Published tables (Schölkopf et al. 2002) were computed again, on public or generated data.",
        ("Schölkopf et al. 2002", "Cortes and Vapnik 1995"),
    ),
}


def cited(page: str, scripts: Sequence[str]) -> tuple[Reference, ...]:
    """Publications that the method of a page cites, and those behind what its scripts call."""
    keys = METHODS[page].cites if page in METHODS else ()
    named = [each for each in REFERENCES if each.key in keys]
    return by_year([*named, *(each for script in scripts for each in references_of(script))])
