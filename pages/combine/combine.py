"""The page Combine: the joint kernel of two kernels for every λ, beside sum and product on the same folds."""

from pages.combine import view
from pages.combine.settings import SETTINGS
from pages.shared.frame import formula_expander, need_data, open_page
from pages.shared.messages import guard

page = open_page(
    "Combine",
    "Do two kernels of the same items know more together than either alone, and at which weight?",
    SETTINGS,
)
dataset = need_data()
with guard():
    view.show(page, dataset)
formula_expander(
    [
        r"K_{\mathrm{joint}}(\lambda) = \left(\lambda (K_1+\rho I)^{-1} + (1-\lambda)(K_2+\rho I)^{-1}\right)^{-1}",
        r"K_{\mathrm{sum}}(\lambda) = \lambda K_1 + (1-\lambda) K_2,\qquad K_{\mathrm{product}} = K_1 \circ K_2",
    ],
    [
        "The joint kernel is a weighted *harmonic* mean: smooth is what both kernels find smooth. It is no weighted sum.",
        "*λ* weights the first kernel. At 0 the joint kernel is the second one, at 1 the first, each with the nugget *ρ* "
        "on its diagonal. Kernels alone, sums and products have no nugget, here and on the page Evaluate: below the "
        "chart stands what the nugget alone does to either kernel.",
        "All kernels of a chart are judged on the same folds, with the same *C*. What is kept is what was judged.",
        "One decomposition serves every *λ*.",
        "Borgwardt, Guttman, Vishwanathan, Smola, Joint regularization, 2005; Kernel extrapolation, 2006, section 3.",
    ],
)
