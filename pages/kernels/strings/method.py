"""How the page Strings works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"\text{spectrum, mismatch: } K(s,t) = \sum_{u,v} \#_u(s)\,\#_v(t)\,I(d(u,v))",
    r"\text{subsequence: } K(s,t) = \sum_u \Big(\sum_{i:\,s[i]=u} \lambda^{\mathrm{span}(i)}\Big)"
    r"\Big(\sum_{j:\,t[j]=u} \lambda^{\mathrm{span}(j)}\Big)",
    r"\text{Fisher of a Markov chain: } U_{ab}(s) = n_{ab}(s) - n_a(s)\,P_{ab},\quad "
    r"K(s,t) = \cos\big(U(s),U(t)\big)\ \text{or}\ \sum_{ab} U_{ab}(s)\,U_{ab}(t)/I_{ab}",
    r"\text{local alignment: } \tfrac{1}{\beta}\log K = \text{best score} + \text{what all others add}",
    r"\text{cosine: } \frac{K(s,t)}{\sqrt{K(s,s)\,K(t,t)}}",
)
ASSUMPTIONS: Final = (
    "The parts are those of the similarity before any normalisation. *I*(*d*) counts the features that two k-mers "
    "share that differ at *d* positions; for the spectrum kernel it is 1 at *d* = 0 and 0 otherwise.",
    "Fisher of a Markov chain: *P* is fitted to all sequences, so that accuracies are transductive; its parts are steps "
    "from letter to letter, of either sign, also those that neither sequence takes. A baseline.",
    "Why this class: one C-SVM a class, f(x) = Σ β k(x, x′) + b. On k-mers that is a table of weights w, and "
    "f(x) = Σ w × count + b; the page computes both.",
    "New sequences get the row that they would have had inside the matrix: parameters, repair and normalisation are "
    "those of the data. Carried over: W = A⁻¹ k, then Wᵀ T W and Wᵀ J(λ) W, as on the page Complete.",
    "Why similar and Why this class need a row of the matrix, the others the whole of it.",
    "Letters outside the alphabet are skipped by kernels on k-mers; positions are counted from 1 in the sequence "
    "as it was given.",
)
