"""How the page Edges of new nodes works, in formulas and sentences."""

from typing import Final

from kernex_core.learning.edges.methods import EDGE_METHODS

FORMULAS: Final = (
    r"K = \sum_m \eta_m K_m,\quad \eta \geq 0,\ \sum \eta_m = 1,\qquad "
    r"K_m \text{ centred and divided by its mean diagonal, both over the training nodes } T",
    *(rf"\text{{{kind.title}: }} {kind.formula}" for kind in EDGE_METHODS),
    r"\text{weights by alignment: } \min_{\eta \geq 0} \Big\lVert G - \sum_m \eta_m K_m \Big\rVert_F,\qquad "
    r"G = H e^{-\tau L} H \text{ on } T,\ \tau = 10",
    r"\text{by MKL: } \min_{\eta} \lambda\, \mathrm{tr}\big((K_\eta + |T| \lambda I)^{-1} G\big),\quad |T| \lambda = 10",
)
ASSUMPTIONS: Final = (
    "Folds are of nodes: all edges of a test node are hidden, from weights and parameters too. Pairs of two training "
    "nodes are fitted and never scored. Were pairs divided at random instead, both nodes' other edges would be "
    "known, and counting common neighbours would do well without any kernel.",
    "That is what missing edges among known nodes are about, and they stand apart: each pair of nodes, edge or not, is "
    "hidden in one fold over pairs, counts as no edge for weights, methods and baselines alike, and is then ranked. "
    "Common neighbours and the product of degrees are ranked on the same pairs (Liben-Nowell and Kleinberg, The "
    "link-prediction problem for social networks, JASIST 2007).",
    "Local models score two known nodes by the mean of both nodes' machines; each was trained without the pair and a "
    "fifth of the node's other pairs, because a machine says back what it was told of a pair.",
    "Parameters are the usual ones, or chosen inside every fold: three inner folds over its training nodes, or over its "
    "pairs that are not hidden, with weights learned anew in each; the setting of the best mean AUC is fitted on the "
    "whole training part.",
    "Pairs of a known and a new node, and of two new nodes, are judged apart: the latter are harder. AUC and average "
    "precision are computed within a fold, then averaged; scores of different folds are never pooled.",
    "Degree alone scores a pair by how many edges its known node has. It needs no kernel, and a method that is not "
    "above it has found out who has many partners, not whose. AUC within a known node leaves that out: there degree "
    "gets 0.5.",
    "A similarity that is no kernel (indefinite) is repaired: the repair is fitted on the training nodes of each split, "
    "and new nodes follow by the eigenvectors that it found there. What is a kernel is left as it is.",
    "No edge means that none is known: a pair that scores high without one may be an edge that nobody has looked for.",
    "Edges count as 0 or 1, without weight and direction; an edge of a node to itself is left out.",
    "Yamanishi, Vert and Kanehisa, Protein network inference from multiple genomic data: a supervised approach, "
    "Bioinformatics 2004. Vert and Yamanishi, Supervised graph inference, NIPS 2004. Bleakley, Biau and Vert, "
    "Supervised reconstruction of biological networks with local models, Bioinformatics 2007. Pairwise machine: "
    "Vert, Qiu and Noble, A new pairwise kernel for biological network inference with support vector machines, BMC "
    "Bioinformatics 2007. Two-step ridge: "
    "Stock, Pahikkala, Airola, De Baets and Waegeman 2018.",
)
