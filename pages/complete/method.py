"""How the page Complete works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"A = K'_{SS},\quad W = A^{-1} K'_{S\cdot},\quad \hat T = W^\top T\, W",
    r"K_{\mathrm{joint}}(\lambda) = W^\top \left(\lambda A^{-1} + (1-\lambda)\, T'^{-1}\right)^{-1} W",
    r"K' = K + \rho I,\qquad T' = T + \rho I",
)
ASSUMPTIONS: Final = (
    "*S* are the items whose target similarities are known. On them the extrapolated kernel equals the target.",
    "*λ* weights the source: at 0 only the target counts where it is known, at 1 only the source.",
    "Kernels are repaired on what is known, then normalised, then the nugget *ρ* is added to both.",
    "Hidden items are drawn from the known ones by the seed; a larger share hides these and more.",
    "Accuracy is transductive: the kernel is built on all items, the classifier sees the labels of its training "
    "fold only. Every repetition draws other hidden items and other folds, from the seed and its number; a "
    "kept kernel has one "
    "set of hidden items, so the page Evaluate gives another number for it.",
    r"The certificate is the shear constraint of Lemma 1, $\lambda_{\min}(K' - K_Q) \ge 0$ up to rounding.",
    "Vishwanathan, Borgwardt, Guttman, Smola, Kernel extrapolation, Neurocomputing 2006, sections 2, 3 and 5.3.",
)
