"""REFERENCES: what Kernex's methods were published in, once; and which of them a script draws on.

references_of(script) -> tuple of Reference      in the order of their years
"""

from __future__ import annotations

import platform
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Final


@dataclass(frozen=True)
class Reference:
    """A publication, and the functions and classes of Kernex that are made after it.

    Attributes
    ----------
    key : str
        As it is cited in a sentence: "Vishwanathan et al. 2006".
    text : str
        As it stands in a list of references.
    used_by : tuple of str
        Names of functions and classes.
    """

    key: str
    text: str
    used_by: tuple[str, ...] = ()

    @property
    def year(self) -> int:
        """Year of the publication."""
        return int(self.key.rsplit(" ", 1)[1])


REFERENCES: Final = (
    Reference(
        "Vishwanathan et al. 2006",
        "S. V. N. Vishwanathan, K. M. Borgwardt, O. Guttman, A. J. Smola: Kernel extrapolation. Neurocomputing "
        "69 (2006).",
        (
            *("Complete", "extrapolate", "Extrapolation"),
            *("joint_kernel", "extend_kernel", "reduced_set", "sweeping"),
        ),
    ),
    Reference(
        "Borgwardt et al. 2005",
        "K. M. Borgwardt, O. Guttman, S. V. N. Vishwanathan, A. J. Smola: Joint regularization. ESANN (2005).",
        ("joint_regularize", "joint_path", "judging_combinations", "node_kernels", "graph_kernel"),
    ),
    Reference(
        "Yamanishi et al. 2004",
        "Y. Yamanishi, J.-P. Vert, M. Kanehisa: Protein network inference from multiple genomic data: a supervised "
        "approach. Bioinformatics 20 (2004).",
    ),
    Reference(
        "Schölkopf et al. 2002",
        "B. Schölkopf, J. Weston, E. Eskin, C. Leslie, W. S. Noble: A kernel approach for learning from almost "
        "orthogonal patterns. ECML (2002).",
        (
            "EmpiricalMap",
            "StandardisedMap",
            "SquareRootMap",
            "SpectralMap",
            "SignedPower",
            "SignedLog",
            "shrunk_kernel",
        ),
    ),
    Reference(
        "Schölkopf et al. 1998",
        "B. Schölkopf, A. Smola, K.-R. Müller: Nonlinear component analysis as a kernel eigenvalue problem. "
        "Neural Computation 10 (1998).",
        ("kernel_pca", "prepare_map"),
    ),
    Reference(
        "Roweis and Saul 2000",
        "S. T. Roweis, L. K. Saul: Nonlinear dimensionality reduction by locally linear embedding. Science 290 (2000).",
        ("lle_kernel", "map_kernel"),
    ),
    Reference(
        "Belkin and Niyogi 2003",
        "M. Belkin, P. Niyogi: Laplacian eigenmaps for dimensionality reduction and data representation. Neural "
        "Computation 15 "
        "(2003).",
        ("kept_by_maps",),
    ),
    Reference(
        "Maaten and Hinton 2008",
        "L. van der Maaten, G. Hinton: Visualizing data using t-SNE. Journal of Machine Learning Research 9 (2008).",
        ("kept_by_maps",),
    ),
    Reference(
        "Kruskal 1964",
        "J. B. Kruskal: Nonmetric multidimensional scaling: a numerical method. Psychometrika 29 (1964).",
        ("kept_by_maps",),
    ),
    Reference(
        "Rousseeuw 1987",
        "P. J. Rousseeuw: Silhouettes: a graphical aid to the interpretation and validation of cluster analysis. Journal of "
        "Computational and Applied Mathematics 20 (1987).",
        ("find_groups",),
    ),
    Reference(
        "Hubert and Arabie 1985",
        "L. Hubert, P. Arabie: Comparing partitions. Journal of Classification 2 (1985).",
        ("adjusted_rand", "find_groups", "group_stability"),
    ),
    Reference(
        "Ng et al. 2001",
        "A. Y. Ng, M. I. Jordan, Y. Weiss: On spectral clustering: analysis and an algorithm. NIPS 2001.",
        ("find_groups",),
    ),
    Reference(
        "Schölkopf et al. 2001",
        "B. Schölkopf, J. C. Platt, J. Shawe-Taylor, A. J. Smola, R. C. Williamson: Estimating the support of a "
        "high-dimensional distribution. Neural Computation 13 (2001).",
        ("find_outliers",),
    ),
    Reference(
        "Cortes and Vapnik 1995",
        "C. Cortes, V. Vapnik: Support-vector networks. Machine Learning 20 (1995).",
        (
            *("judge", "sweeping", "evaluating", "string_table"),
            *("sweeping_network", "judging_combinations", "classes_of"),
        ),
    ),
    Reference(
        "Higham 1988",
        "N. J. Higham: Computing a nearest symmetric positive semidefinite matrix. Linear Algebra and its "
        "Applications 103 (1988).",
        ("Clip",),
    ),
    Reference(
        "Graepel et al. 1999",
        "T. Graepel, R. Herbrich, P. Bollmann-Sdorra, K. Obermayer: Classification on pairwise proximity data. "
        "NIPS 11 (1999).",
        ("Flip",),
    ),
    Reference(
        "Roth et al. 2003",
        "V. Roth, J. Laub, M. Kawanabe, J. M. Buhmann: Optimal cluster preserving embedding of nonmetric "
        "proximity data. IEEE TPAMI 25 (2003).",
        ("Shift",),
    ),
    Reference(
        "Chen et al. 2009",
        "Y. Chen, E. K. Garcia, M. R. Gupta, A. Rahimi, L. Cazzanti: Similarity-based classification: concepts "
        "and algorithms. JMLR 10 (2009).",
        ("Flip", "Square"),
    ),
    Reference(
        "Jaakkola and Haussler 1999",
        "T. S. Jaakkola, D. Haussler: Exploiting generative models in discriminative classifiers. NIPS 11 (1999).",
        ("MarkovFisher", "fit_markov_chain"),
    ),
    Reference(
        "Troyanskaya et al. 2001",
        "O. Troyanskaya and others: Missing value estimation methods for DNA microarrays. Bioinformatics 17 (2001).",
        ("NearestRows",),
    ),
    Reference(
        "Gärtner et al. 2003",
        "T. Gärtner, P. Flach, S. Wrobel: On graph kernels: hardness results and efficient alternatives. COLT (2003).",
        ("WalkOfOrder", "GeometricWalk"),
    ),
    Reference(
        "Kashima et al. 2003",
        "H. Kashima, K. Tsuda, A. Inokuchi: Marginalized kernels between labeled graphs. ICML 20 (2003).",
        ("RandomWalk",),
    ),
    Reference(
        "Leslie et al. 2002",
        "C. Leslie, E. Eskin, W. S. Noble: The spectrum kernel: a string kernel for SVM protein classification. "
        "PSB 7 (2002).",
        ("Spectrum", "SpectrumSum"),
    ),
    Reference(
        "Leslie et al. 2003",
        "C. Leslie, E. Eskin, J. Weston, W. S. Noble: Mismatch string kernels for SVM protein classification. "
        "NIPS 15 (2003).",
        ("Mismatch",),
    ),
    Reference(
        "Lodhi et al. 2002",
        "H. Lodhi, C. Saunders, J. Shawe-Taylor, N. Cristianini, C. Watkins: Text classification using string "
        "kernels. JMLR 2 (2002).",
        ("Subsequence",),
    ),
    Reference(
        "Saigo et al. 2004",
        "H. Saigo, J.-P. Vert, N. Ueda, T. Akutsu: Protein homology detection using string alignment kernels. "
        "Bioinformatics 20 (2004).",
        ("LocalAlignment",),
    ),
    Reference(
        "Smith and Waterman 1981",
        "T. F. Smith, M. S. Waterman: Identification of common molecular subsequences. Journal of Molecular "
        "Biology 147 (1981).",
        ("SmithWaterman",),
    ),
    Reference(
        "Kondor and Lafferty 2002",
        "R. I. Kondor, J. Lafferty: Diffusion kernels on graphs and other discrete input spaces. ICML (2002).",
        ("Diffusion",),
    ),
    Reference(
        "Smola and Kondor 2003",
        "A. J. Smola, R. Kondor: Kernels and regularization on graphs. COLT (2003).",
        ("RegularizedLaplacian",),
    ),
    Reference(
        "Fouss et al. 2007",
        "F. Fouss, A. Pirotte, J.-M. Renders, M. Saerens: Random-walk computation of similarities between nodes "
        "of a graph. IEEE TKDE 19 (2007).",
        ("LaplacianPseudoinverse",),
    ),
    Reference(
        "Rapaport et al. 2007",
        "F. Rapaport, A. Zinovyev, M. Dutreix, E. Barillot, J.-P. Vert: Classification of microarray data using gene "
        "networks. BMC Bioinformatics 8 (2007).",
        ("node_weights",),
    ),
    Reference(
        "Jacob et al. 2009",
        "L. Jacob, G. Obozinski, J.-P. Vert: Group lasso with overlap and graph lasso. ICML (2009).",
        ("judging_lasso", "graph_lasso"),
    ),
    Reference(
        "Kandola et al. 2003",
        "J. Kandola, J. Shawe-Taylor, N. Cristianini: Learning semantic similarity. NIPS 15 (2003).",
        ("Exponential", "VonNeumann"),
    ),
    Reference(
        "Shawe-Taylor and Cristianini 2004",
        "J. Shawe-Taylor, N. Cristianini: Kernel Methods for Pattern Analysis. Cambridge University Press (2004).",
        ("CosineNormalize", "Center", "Cosine", "AllSubsets", "Anova", "Gaussian", "Polynomial"),
    ),
    Reference(
        "Borgwardt and Kriegel 2005",
        "K. M. Borgwardt, H.-P. Kriegel: Shortest-path kernels on graphs. ICDM (2005).",
        ("ShortestPath",),
    ),
    Reference(
        "Shervashidze et al. 2009",
        "N. Shervashidze, S. V. N. Vishwanathan, T. Petri, K. Mehlhorn, K. M. Borgwardt: Efficient graphlet kernels "
        "for large graph comparison. AISTATS (2009).",
        ("Graphlet",),
    ),
    Reference(
        "Mahé and Vert 2009",
        "P. Mahé, J.-P. Vert: Graph kernels based on tree patterns for molecules. Machine Learning 75 (2009).",
        ("TreePattern",),
    ),
    Reference(
        "Shervashidze et al. 2011",
        "N. Shervashidze, P. Schweitzer, E. J. van Leeuwen, K. Mehlhorn, K. M. Borgwardt: Weisfeiler-Lehman graph "
        "kernels. JMLR 12 (2011).",
        ("WeisfeilerLehman",),
    ),
)
"""In no order that matters: lists are sorted by year."""


def references_of(script: str) -> tuple[Reference, ...]:
    """Publications behind the functions and classes that a script names, by year and name.

    Parameters
    ----------
    script : str
        Python source.

    Examples
    --------
    >>> [each.key for each in references_of("from kernex_core.conditioning.repairs import Clip\\nx = K.then(Clip())")]
    ['Higham 1988']
    """
    code = "\n".join(line for line in script.splitlines() if not line.startswith("#"))
    # a long text inside a script is data, and may say anything
    names = set(re.findall(r"[A-Za-z_]\w*", re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", "", code)))
    return by_year(each for each in REFERENCES if names.intersection(each.used_by))


def by_year(found: Iterable[Reference]) -> tuple[Reference, ...]:
    """Put publications in the order of their years, each once."""
    return tuple(sorted(dict.fromkeys(found), key=lambda each: (each.year, each.key)))


# Which Kernex this is, and on what it computes: files and reports name both.

KERNEX_VERSION: Final = "0.1.0"
"""The wheel takes its version from here: the app also runs from a folder that nobody has installed."""
COMPUTES_WITH: Final = ("numpy", "scipy", "scikit-learn", "numba")


def versions() -> dict[str, str]:
    """Versions of Kernex, of Python, and of what the numbers are computed with.

    Examples
    --------
    >>> from kernex_core.base.references import versions
    >>> sorted(versions())
    ['kernex', 'numba', 'numpy', 'python', 'scikit-learn', 'scipy']
    """
    return {
        "kernex": KERNEX_VERSION,
        "python": platform.python_version(),
        **{name: _installed(name) for name in COMPUTES_WITH},
    }


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"
