"""How the page Power p works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"\varphi(x) = \operatorname{sgn}(x)\,|x|^p \quad\text{or}\quad \operatorname{sgn}(x)\log(1 + s|x|),\; "
    r"s = \frac{\text{scale}}{\text{mean diagonal}}",
    r"\text{empirical map: } G = E E^\top,\; E = \varphi(K_{\cdot B})\qquad "
    r"\text{square root: } G = \varphi(\sqrt{K})^2\qquad \text{clip: } \sum_i \max(\lambda_i, 0)\, u_i u_i^\top "
    r"\text{ of } \varphi(K)",
    r"\text{standardised map: } G = Z Z^\top,\; Z_{\cdot b} = (E_{\cdot b} - m_b) / s_b \text{ with mean } m_b "
    r"\text{ and standard deviation } s_b",
    r"\text{eigenvalues: } G = \sum_i \varphi(\lambda_i)\, u_i u_i^\top,\; K = \sum_i \lambda_i\, u_i u_i^\top",
    r"\text{dominance} = \frac{\text{mean } K_{ii}}{\text{mean } |K_{ij}|}\qquad "
    r"\text{balanced loss} = \frac{1}{c}\sum_{\text{classes}} \text{share that is missed}",
)
ASSUMPTIONS: Final = (
    "*Power p* maps entries, here and on the part *Matrix*; a scheme then makes a kernel of the result. With the scheme "
    "*clip* here, and there *clip* as the repair and no normalisation, both are the same kernel.",
    "Before and after are each divided by their mean diagonal and share one colour scale. After is the map of all points; "
    "in an inductive run every fold has its own. The scheme leaves a kernel, whatever it was given.",
    "0 stays 0 for every *p*; tiny similarities are kept in double precision: at *p* = 0.1 even 4 × 10⁻¹⁹ counts.",
    "Basis of all points: the map has seen similarities of test items, never their labels (transductive). Basis of "
    "training points: a test item is described by its similarities to them alone (inductive).",
    "The paper's text names the training points; its published tables fit only all points with a hard margin.",
    "The square root scheme needs all items at once. It and the scheme *eigenvalues* refuse an indefinite similarity.",
    "The kernel is divided by its mean training diagonal before the SVM (unless that is switched off); *C* is in those "
    "units, and from 10⁶ on the margin counts as hard.",
    "Asymmetric margin: *c* times the share of an item's class is added to its self-similarity, in training only.",
    "1-NN: smallest k(x,x) − 2k(x,x′) + k(x′,x′), ties to the first. Kernel principal components are uncentred "
    "unless that is changed.",
    "A class that a fold does not hold is left out of its loss. All values share the same folds.",
    "Schoelkopf, Weston, Eskin, Leslie, Noble, A kernel approach for learning from almost orthogonal patterns, "
    "ECML 2002.",
)
