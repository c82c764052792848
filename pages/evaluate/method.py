"""How the page Evaluate works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"f_c(x) = \sum_i \beta_{ci}\, k(x, x_i) + b_c,\qquad \hat y(x) = \arg\max_c f_c(x)",
    r"\min_f \tfrac12 \|f\|_k^2 + C \sum_i \max(0, 1 - y_i f(x_i)),\qquad \lambda_{\mathrm{SVM}} = \tfrac{1}{2nC}",
    r"\min_f \tfrac1n \sum_i \ell(y_i, f(x_i)) + \lambda \|f\|_k^2,\qquad \ell = (y - f)^2 \text{ (ridge), } "
    r"\log(1 + e^{-yf}) \text{ (logistic), } \max(0, |y - f| - \varepsilon) \text{ (regression by vectors)}",
)
ASSUMPTIONS: Final = (
    "One C-SVM a class, or another learner, against all others; the class with the largest decision value is "
    "named (multi-class). "
    "One-vs-rest accuracy asks of every class alone whether its sign is right.",
    "Numbers: the floor is the mean of the training items, on the same folds; R² is of each whole repetition, rank "
    "correlation inside folds. Support vector regression sees targets of variance 1.",
    "Folds are stratified and drawn by the seed; every repetition has its own, which no other seed uses. "
    "Every kernel gets the same folds.",
    "Inductive: every step is fitted on the training fold alone. Transductive: on all items, never with labels. "
    "The tag is computed from the steps that made the kernel.",
    "Repetitions are not independent: they decide on the same items again.",
)
