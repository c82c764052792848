"""Protocols of the tables, words, and what is wrong in the paper's text."""

from typing import Final

from kernex_core.studies.papers.orthogonal.printed import ERRATA
from pages.papers.orthogonal.subject import TABLES
from pages.shared.digits import unbroken

PROTOCOLS: Final = (
    "- Everywhere: empirical kernel map with |x|^*p*, sign kept; SVM with a hard margin (*C* from 10⁶ on, in units of "
    "the mean training diagonal); balanced loss = (FN/P + FP/N)/2; ± as in the paper is the standard deviation over "
    "trials (Table 1) or folds.\n"
    "- **1**: every trial draws 50 strings of 20 letters over an alphabet of 20, 25 of a Markov chain that stays on its "
    "letter with probability .43 and 25 uniform; 25 strings chosen at random train, the others test. Subsequence kernel "
    "of length 3, decay 1/4, not normalised. The paper's 20 trials split one set of strings; 20 *trials a set* do "
    "so here.\n"
    "- **2**: logarithm, every sample and then every gene to mean 0 and variance 1, samples to length 1; "
    "10,000 noise features, of which every sample has 100, drawn anew: uniform in [0, 1]; linear kernel; ten folds.\n"
    "- **3**: ten variables with mean ±.5 by class and ten with mean 0, of variance 1; kernel (h'h + 1)⁴; ten folds.\n"
    "- **4**: eight folds with classes in proportion. **5**: ten times ten folds, samples to length 1, linear kernel; "
    "unknown entries filled inside the fold by default. **6**: the visitor's training and test items, asymmetric.\n"
    f"- {TABLES[1].paper.source}."
)
WORDS: Final = (
    "- **Balanced loss**: mean of the shares of the two classes that are missed; guessing loses 50\u00a0%. "
    "**Hard margin**: "
    "no training item may be wrong; coefficients stay below *C*.\n"
    "- **sd**: how much folds or trials differ. **SE**: how much a mean would differ if all were done again; its unit "
    "is what is drawn anew. For what the paper prints that is its one set of data, not its splits. A "
    "difference above 2 SE is *outside*.\n"
    "- **1-NN**: class of the nearest training item. **Kernel principal components**: coordinates of items along "
    "which the kernel spreads them most.\n"
    "- **ROC score**: chance that an item of the family is ranked above another. **Median RFP**: share of the other "
    "items that are ranked above the median item of the family."
)
ERRATA_FOUND: Final = "\n".join(f"- {unbroken(erratum)}" for erratum in ERRATA)
