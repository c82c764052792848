"""How the page Networks works, in formulas and sentences."""

from typing import Final

FORMULAS: Final = (
    r"L = \operatorname{diag}(1[d_i > 0]) - D^{-1/2} B D^{-1/2} \quad\text{(normalised)}",
    r"L = D - B \quad\text{(not normalised)}",
    r"\text{diffusion: } K = e^{-\tau L}\qquad \text{regularised Laplacian: } K = (c\,I + L)^{-1}",
    r"\text{pseudo-inverse: } K = L^{+}",
    r"\text{exponential: } K = e^{\lambda B}\qquad \text{von Neumann: } K = (I - \lambda B)^{-1},\; "
    r"\lambda < 1/\rho(B)",
    r"\text{common neighbours: } K = B^2",
    r"L = U \operatorname{diag}(x)\, U^\top \;\Rightarrow\; K = U \operatorname{diag}(f(x))\, U^\top",
    r"\text{new nodes: } k_Q(x, x') = \varphi(x)^\top Q\, \varphi(x'),\quad \varphi(x) = -\frac{t(x) - E[t]}{sd(t)} "
    r"\text{ and ones}",
    r"Q = (\Phi^{+})^\top K\, \Phi^{+} \text{ (free) or } "
    r"(\Phi K^{-1} \Phi^\top)^{-1} \text{ (shear)}",
    r"\text{reduced set } S\text{: } \Phi = K_{S \cdot} \;\Rightarrow\; K_Q = K_{\cdot S} K_{SS}^{-1} K_{S \cdot} "
    r"\text{ (shear: Nyström)}",
)
ASSUMPTIONS: Final = (
    "*B* holds the weights of the edges, *D* the degrees *d*. Edges have no direction; self loops are dropped.",
    "A network is decomposed once; every value of every parameter of that matrix follows by one product.",
    "Between components every similarity is 0; a node without an edge is similar to itself alone.",
    "Accuracy: the kernel, divided by its mean self-similarity, in a support vector machine, on the same folds at every "
    "value. Transductive: the kernel is made of the whole network, tested nodes included, never of their labels.",
    "The highest of several values is too optimistic: it was chosen on the same folds that it is reported "
    "on. What the choice is "
    "worth is said beside it, by nested cross-validation.",
    "Places of the nodes are drawn by springs and mean nothing beyond what is joined. Colours end at the most similar "
    "other node, so that the chosen node itself does not take them all.",
    "New nodes: attributes enter as Fisher scores of a distribution (Gaussian, Bernoulli, Poisson, multinomial), with "
    "mean and deviation of the known nodes alone. The kernel was made of the whole network, so its known part has felt "
    "the edges of nodes that are hidden afterwards. Free: least error in the Frobenius norm. Shear: what is left of the "
    "kernel is a kernel, and the trace that is kept is small where attributes are few.",
    "New nodes and reduced sets: Vishwanathan, Borgwardt, Guttman and Smola, Neurocomputing 2006, sections 2, 4.1, 4.2.",
    "Diffusion: Kondor and Lafferty, ICML 2002. Regularised Laplacian: Smola and Kondor, COLT 2003. Pseudo-inverse: "
    "Fouss, Pirotte, Renders and Saerens, IEEE TKDE 2007. Exponential and von Neumann: Kandola, Shawe-Taylor and "
    "Cristianini, NIPS 2003.",
)
