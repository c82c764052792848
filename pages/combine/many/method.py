"""How the page Many kernels works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"K_\eta = \sum_m \eta_m K_m,\qquad \eta_m \geq 0,\ \sum_m \eta_m = 1",
    r"\text{MKL: } \min_\eta \max_{0 \leq \alpha \leq C,\ y^\top\alpha = 0} 1^\top\alpha - \tfrac12 "
    r"\sum_m \eta_m (y\alpha)^\top K_m (y\alpha)",
    r"\text{joint: } J = \Big(\sum_m \eta_m (K_m + \rho I)^{-1}\Big)^{-1},\qquad "
    r"\text{new items: } k(x, \cdot) = k_\eta(x)^\top (K_\eta + \rho I)^{-1} J",
)
ASSUMPTIONS: Final = (
    "Only items that all kernels have are weighed and judged; kernels that lack items can be completed together first.",
    "By hand: moving one weight moves the others in proportion, for their sum stays 1.",
    "The duality gap of multiple kernel learning says how far the objective may be above the least, as a share of it. "
    "Of equal kernels only the summed weight is certain.",
    "Under Accuracy everything that looks at more than a pair is made inside the fold: scale, weights, the joint kernel "
    "(which test items reach by the last formula), and with a choice inside the folds both C. A product needs no fold.",
    "Weights that were learned here have seen all labels. A kernel that is made with them and kept says leak wherever "
    "it is judged.",
    "Bach, Lanckriet and Jordan, ICML 2004. "
    "Rakotomamonjy et al., JMLR 2008. Cortes, Mohri and Rostamizadeh, JMLR 2012. Borgwardt, Guttman, Vishwanathan "
    "and Smola, Joint regularization, 2005.",
)
