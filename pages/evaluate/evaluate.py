"""The page Evaluate: cross-validated accuracy of kernels on the same folds."""

from pages.evaluate import view
from pages.shared.frame import formula_expander, need_data, open_page
from pages.shared.messages import guard

page = open_page(
    "Evaluate", "How well do these kernels tell the classes apart, and is one of them really better?"
)
dataset = need_data()
with guard():
    view.show(page, dataset)
formula_expander(
    [
        r"f_c(x) = \sum_i \beta_{ci}\, k(x, x_i) + b_c,\qquad \hat y(x) = \arg\max_c f_c(x)",
        r"\min_f \tfrac12 \|f\|_k^2 + C \sum_i \max(0, 1 - y_i f(x_i)),\qquad \lambda_{\mathrm{SVM}} = \tfrac{1}{2nC}",
    ],
    [
        "One C-SVM a class against all others; the class with the largest decision value is named (multi-class). "
        "One-vs-rest accuracy asks of every class alone whether its sign is right.",
        "Folds are stratified and drawn by the seed; every repetition has its own, which no other seed uses. "
        "Every kernel gets the same folds.",
        "Inductive: every step is fitted on the training fold alone. Transductive: on all items, never with labels. "
        "The tag is computed from the steps that made the kernel.",
        "Repetitions are not independent: they decide on the same items again.",
    ],
)
