"""The page Papers / Almost orthogonal patterns: Table 1 measured live beside what is printed, and the toy."""

import streamlit as st

from kernex_core.studies.published import ORTHOGONAL_ERRATA
from pages.shared.frame import open_page
from pages.shared.messages import guard
from pages.shared.views import papers_orthogonal, papers_toy

page = open_page(
    "Almost orthogonal patterns",
    "Table 1 of the paper: does a smaller *p* help on strings that are like nothing but themselves, as published?",
)
with guard():
    papers_orthogonal.show(page)
st.divider()
with guard():
    papers_toy.show()
with st.expander("The protocol, and what was assumed"):
    st.markdown(
        "- Every trial draws 50 strings of 20 letters over an alphabet of 20: 25 of a Markov chain that stays on its "
        "letter with probability .43, 25 uniform; 25 strings chosen at random train, the others test.\n"
        "- Subsequence kernel of length 3 with decay 1/4, not normalised; empirical kernel map with |x|^*p*; SVM with a "
        "hard margin (*C* from 1e6 on, in units of the mean diagonal).\n"
        "- The paper has 20 trials. Whether each drew new strings is not said; here each does, so that trials are "
        "independent and the standard errors mean what they say.\n"
        "- Balanced loss = (FN/P + FP/N)/2. ± is the standard deviation over trials.\n"
        "- Schoelkopf, Weston, Eskin, Leslie, Noble, A kernel approach for learning from almost orthogonal patterns, "
        "ECML 2002."
    )
with st.expander("Errata found by computation"):
    st.markdown("\n".join(f"- {erratum}" for erratum in ORTHOGONAL_ERRATA))
