"""How the page Graphs works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"A_\times\text{: pairs of vertices with equal labels, joined by pairs of edges with equal labels}",
    r"\text{walks of } n \text{ edges: } \mathbf 1^\top A_\times^{\,n}\,\mathbf 1\qquad"
    r"\text{geometric: } \mathbf 1^\top (I - \beta A_\times)^{-1}\,\mathbf 1",
    r"\text{random: } s_\times^\top (I - T_\times)^{-1} q_\times,\quad T_\times = (1-q)^2 A_\times / (d\,d')",
    r"\text{shortest paths: } \sum_{(i,j),(i',j')} [\text{equal labels at both ends}]\,[d_{ij} = d'_{i'j'}]",
    r"\text{Weisfeiler-Lehman: } \sum_{i=0}^{h}\sum_{l} \#_l(G)\,\#_l(G')\qquad"
    r"\text{graphlets: } \sum_g \#_g(G)\,\#_g(G')",
    r"\text{tree patterns: } k_h(u,v) = \lambda\,\delta(u,v) \sum_{R \neq \emptyset}\, \prod_{(a,b)\in R} k_{h-1}(a,b)",
    r"\text{cosine: } \frac{K(G,G')}{\sqrt{K(G,G)\,K(G',G')}}",
)

ASSUMPTIONS: Final = (
    "Graphs have no direction, no loops and no double edges. The length of a walk is its number of edges; a walk may come "
    "back to where it was, a path may not.",
    "A graph without vertices is similar to nothing, itself included. A vertex without edges counts in walks of length 0 "
    "alone.",
    "Cosine normalisation is where the page starts: without it large graphs are similar to everything.",
    "Geometric walks converge while β is below 1 / max ρ(A×(G, G)) over all graphs. Beyond it a solve would still return "
    "numbers, which mean nothing, so it is refused. Slides on graph kernels weight a walk by β^length in each graph: their "
    "β squared is the one here.",
    "Tree patterns sum over matchings *R* of the neighbours: no neighbour is used twice. The formula that slides often "
    "show, over any subset *B* of pairs of neighbours, is not a kernel: for two labelled trees it gives *K*(1,2)² = 38.4 · "
    "*K*(1,1) *K*(2,2), where a kernel gives at most 1. So it is not offered.",
    "Accuracy is transductive where a repair or a centring has seen all graphs; the kernel itself of two graphs depends on "
    "these two alone, but for parameters that are set from all of them (the bound of β).",
    "Gärtner, Flach and Wrobel, COLT 2003 (walks). Kashima, Tsuda and Inokuchi, ICML 2003 (random walks). Borgwardt and "
    "Kriegel, ICDM 2005 (shortest paths). Shervashidze and others, JMLR 2011 (Weisfeiler-Lehman); AISTATS 2009 (graphlets). "
    "Mahé and Vert, Machine Learning 2009 (tree patterns).",
)
