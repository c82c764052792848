"""How the page Kernels works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"x \mapsto \operatorname{sgn}(x)\,|x|^p \quad\text{or}\quad \operatorname{sgn}(x)\log(1+|x|)",
    r"\text{cosine: } \frac{K_{ij}}{\sqrt{K_{ii}K_{jj}}}\qquad "
    r"\text{centre: } HKH,\; H = I - \tfrac{1}{n}\mathbf{1}\mathbf{1}^\top",
    r"K = \sum_i \lambda_i u_i u_i^\top:\quad \text{clip } \max(\lambda_i, 0),\;\; \text{flip } |\lambda_i|,"
    r"\;\; \text{shift } \lambda_i + |\lambda_{\min}|,\;\; \text{square } \lambda_i^2",
    r"\text{negative mass} = \frac{\sum_{\lambda_i<0}|\lambda_i|}{\sum_i|\lambda_i|}\qquad "
    r"\text{distance} = \frac{\lVert K' - K\rVert_F}{\lVert K\rVert_F}",
)
ASSUMPTIONS: Final = (
    "Order: map of entries, normalisation, repair; after a repair a cosine-normalised kernel is normalised again.",
    "*Power p* maps entries, here and on the part of that name, which makes a kernel of the result by a scheme: with its "
    "scheme *clip* and with *clip* as the repair here, both are the same kernel.",
    "A kernel is positive semidefinite: no eigenvalue below −*n* ε λ_max. Up to that rounding clip, flip and shift "
    "leave it exactly as it is.",
    "Of a partly unknown kernel the largest set of items whose pairs are all known (greedy) is looked at, repaired "
    "and judged; everything else stays unknown, hatched.",
    "Power, log1p and cosine look at a pair and its two diagonals only: inductive. Centring and repairs look at all "
    "rows: transductive, unless they are fitted on the training items of every fold (*Inductive*).",
    "The map is kernel PCA of the centred kernel; of an indefinite similarity it shows the positive part.",
    "Repairs: Higham 1988 (clip), Graepel et al. 1999 and Chen et al. 2009 (flip), Roth et al. 2003 (shift), "
    "empirical kernel map (square).",
)
