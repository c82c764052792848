"""How the page Combine works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"K_{\mathrm{joint}}(\lambda) = \left(\lambda (K_1+\rho I)^{-1} + (1-\lambda)(K_2+\rho I)^{-1}\right)^{-1}",
    r"K_{\mathrm{sum}}(\lambda) = \lambda K_1 + (1-\lambda) K_2,\qquad K_{\mathrm{product}} = K_1 \circ K_2",
)
ASSUMPTIONS: Final = (
    "The joint kernel is a weighted *harmonic* mean: smooth is what both kernels find smooth. It is no weighted sum.",
    "*λ* weights the first kernel. At 0 the joint kernel is the second one, at 1 the first, each with the nugget *ρ* "
    "on its diagonal. Kernels alone, sums and products have no nugget, here and on the page Evaluate: under Accuracy "
    "stands what the nugget alone does to either kernel.",
    "All kernels of a chart are judged on the same folds, with the same *C*. What is kept is what was judged.",
    "One decomposition serves every *λ*.",
    "Borgwardt, Guttman, Vishwanathan, Smola, Joint regularization, 2005; Kernel extrapolation, 2006, section 3.",
)
