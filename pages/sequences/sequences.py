"""The page Sequences: choose a string kernel, and see what makes one similarity of two sequences."""

from pages.shared.frame import formula_expander, need_data, open_page
from pages.shared.views import sequence_pair

open_page("Sequences", "Why are these two sequences similar?")
dataset = need_data()
sequence_pair.show(dataset)
formula_expander(
    [
        r"\text{spectrum, mismatch: } K(s,t) = \sum_{u,v} \#_u(s)\,\#_v(t)\,I(d(u,v))",
        r"\text{subsequence: } K(s,t) = \sum_u \Big(\sum_{i:\,s[i]=u} \lambda^{\mathrm{span}(i)}\Big)"
        r"\Big(\sum_{j:\,t[j]=u} \lambda^{\mathrm{span}(j)}\Big)",
        r"\text{local alignment: } \tfrac{1}{\beta}\log K = \text{best score} + \text{what all others add}",
        r"\text{cosine: } \frac{K(s,t)}{\sqrt{K(s,s)\,K(t,t)}}",
    ],
    [
        "The parts are those of the similarity before any normalisation. *I*(*d*) counts the features that two k-mers "
        "share that differ at *d* positions; for the spectrum kernel it is 1 at *d* = 0 and 0 otherwise.",
        "Only similarities with the first sequence are computed here, not the whole matrix. The page Kernels builds, "
        "repairs, judges and keeps the matrix.",
        "Letters outside the alphabet are skipped by kernels on k-mers; positions are counted from 1 in the sequence "
        "as it was given.",
    ],
)
