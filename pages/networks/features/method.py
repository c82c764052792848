"""How the page Features on a network works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"k(x, x') = x^\top K_G\, x',\qquad K_G = e^{-\tau L}\ (\tau = 2t),\quad (c\,I + L)^{-1},\quad L^{+}",
    r"\text{plain: } K_G = I",
    r"f(x) = \beta^\top x + b,\qquad \beta = K_G X^\top \alpha,\qquad \text{roughness: } "
    r"\frac{\beta^\top L \beta}{\beta^\top \beta}",
    r"\text{graph lasso: } \min_\beta \tfrac{1}{n}\lVert y - X\beta\rVert^2 + \lambda\,\Omega(\beta)^2",
    r"\Omega(\beta) = \min_{\sum_e v_e = \beta} \sum_e \lVert v_e \rVert,\quad v_e \text{ on both ends of } e",
    r"K_e = x_i x_i^\top + x_j x_j^\top:\quad \min_{\eta \geq 0,\ \sum \eta_e = 1} "
    r"\lambda\, y^\top \Big(\sum_e \eta_e K_e + n \lambda I\Big)^{-1} y",
)
ASSUMPTIONS: Final = (
    "Columns of the vectors are matched with nodes by id. *x* holds a column at its node and 0 at nodes that were not "
    "measured; *L* is the Laplacian of the whole network, which is decomposed once for every value of the parameter.",
    "Columns are centred by the mean over the training items of each fold, and standardised, where asked for, by their "
    "standard deviation; unknown entries become that mean. The plain kernel *x'x'* has exactly the same columns, "
    "scaling, folds and cost *C*. Every kernel is divided by its mean self-similarity over the training items.",
    "Inductive: nothing of a tested profile is seen in training. The network says which columns are joined, and "
    "nothing of the items.",
    "Weights are drawn of a classifier that was trained on all labelled items: they are for looking. What the kernel is "
    "worth is said by cross-validation, and a parameter that was chosen for its accuracy by nested cross-validation.",
    "The highest of several values is too optimistic: it was chosen on the same folds that it is reported on.",
    "Graph lasso: one kernel of rank 2 an edge, one of rank 1 for a node without an edge, square loss on ±1, an "
    "intercept; weights by projected gradients until the duality gap is 10⁻³ of the objective. An edge of weight 10⁻⁶ "
    "or more is selected.",
    "Rapaport, Zinovyev, Dutreix, Barillot and Vert, Classification of microarray data using gene networks, BMC "
    "Bioinformatics 2007. Jacob, Obozinski and Vert, Group lasso with overlap and graph lasso, ICML 2009. Bach, "
    "Lanckriet and Jordan, ICML 2004.",
)
