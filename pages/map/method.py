"""How the page Map works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"\min_W \sum_i \Big\lVert x_i - \sum_j W_{ij} x_j \Big\rVert^2,\quad \sum_j W_{ij} = 1",
    r"W_{ij} = 0 \text{ unless } j \text{ is one of the } k \text{ nearest of } i",
    r"N = (I - W)^\top (I - W),\qquad K = H\,(aI - N)\,H,\qquad a = \lambda_{\max}(N)",
    r"H = I - \tfrac{1}{n}\mathbf{1}\mathbf{1}^\top",
    r"k(x, \cdot) = \varphi(x)^\top K,\qquad f_c(x) = \frac{\varphi(x)^\top K v_c}{\lambda_c} = \varphi(x)^\top v_c",
    r"\text{paper: } f_c(x) = \varphi(x)^\top W^{-1} v_c \qquad "
    r"\text{Bengio and others: } f_c(x) = \frac{a - 1}{\lambda_c}\,\varphi(x)^\top v_c",
)
ASSUMPTIONS: Final = (
    "LLE: the coordinates are the eigenvectors of the largest eigenvalues of *K*. *φ(x)* are the affine weights of a "
    "new item on its nearest kept ones; 10⁻³ of the trace is added to the diagonal of their local matrix, as in "
    "scikit-learn.",
    "Up is the first coordinate of LLE that is no function of the one across: a long sheet has its length again, as an "
    "arch, before its width (Dsilva and others, 2018). Settings has all coordinates.",
    "By extrapolation a new item lies exactly where scikit-learn's *LocallyLinearEmbedding.transform* puts it; one that "
    "repeats an item lies where that item lies. The paper's form leaves out singular values of *W* below a "
    "tenth of the largest; above 1,200 items of the map it is left out. Bengio and others take *k(x, x)* = 0.",
    "Error bars of new items: nine of ten held-out items lie within them of their place in the map of all items, in "
    "each coordinate by itself, the split-conformal half-width; nine of these are needed. A new item's place would be "
    "in a map made with it, too, so nine in ten is not exact for it: in simulations 85 to 89 % lay within. It has to be "
    "drawn as the held-out ones were; *how far* says whether it is.",
    "A map is made of up to 5,000 items, of all of them, and from 1,200 on with progress and Stop: no landmarks, no "
    "approximation.",
    "Kernel PCA: a new item is placed by its own similarities to the kept ones, or by extrapolation, with weights "
    "alone.",
    "Of vectors the kernel is the linear one, and columns count as they are. A kernel is mapped by its own distances; "
    "negative eigenvalues are clipped.",
    "Error: root mean square distance from where an item lies in the map of all items, over the radius of the map. "
    "Both maps are laid on one another by the kept items. How far these move themselves stands beside it: a map of "
    "fewer items is another map.",
    "Trustworthiness is that of scikit-learn, with the same *k*; of equally near items none counts as farther. It and "
    "the errors are those of the coordinates that are shown.",
    "Vishwanathan, Borgwardt, Guttman, Smola, Kernel extrapolation, 2006, section 4.3; Roweis and Saul, 2000; Bengio "
    "and others, 2003; Venna and Kaski, 2001.",
)
