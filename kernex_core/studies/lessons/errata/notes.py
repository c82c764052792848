"""Cards on lecture notes and slides about single kernels."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from scipy.integrate import quad

from kernex_core.frozen import FloatArray
from kernex_core.kernels.graphs.explained.product_graph import product_graph, walk_totals
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.substitution import substitution_matrix
from kernex_core.kernels.vectors.coordinates import Sinc
from kernex_core.kernels.vectors.distance import Gaussian
from kernex_core.kernels.vectors.dot_product import Polynomial
from kernex_core.kernels.vectors.spectral_density import spectral_density
from kernex_core.kernels.vectors.subsets import AllSubsets, subset_lattice
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.studies.lessons.dynamic_programming.alignments import PROTEINS
from kernex_core.studies.lessons.dynamic_programming.subsets import X, Y, lattice
from kernex_core.studies.lessons.errata.card import NOTES, SLIDES, Card, Shown
from kernex_core.studies.lessons.errata.von_neumann import failing_from, path_spectrum, solved
from kernex_core.studies.lessons.heat_and_walks.trees import trees
from kernex_core.studies.lessons.heat_and_walks.walks import FIRST

BETA, OPEN, EXTEND = 0.1, 2.0, 1.0
NAN: Final = float("nan")


def _anova() -> tuple[Shown, ...]:
    right, printed = (subset_lattice(X, Y, printed=each).values[0, :, -1] for each in (False, True))
    rows = [Shown(f"K_{s}(x, y), subsets of {s}", float(printed[s]), float(right[s])) for s in (1, 2, 3)]
    whole = float(AllSubsets().gram([X, Y])[0, 1])
    return (*rows, Shown("all subsets together, (1+2)(1+2)(1+3)", float(printed.sum()), whole))


def _all_subsets() -> tuple[Shown, ...]:
    listed = 1.0 + sum(subset.product for s in (1, 2, 3) for subset in lattice(s).subsets)
    return (
        Shown(
            "Π (1 + x_i y_i), beside the sum over 8 subsets", float(AllSubsets().gram([X, Y])[0, 1]), listed
        ),
    )


def _squares() -> tuple[Shown, ...]:
    x, y = np.array([1.0, 2.0]), np.array([3.0, 1.0])
    z = x * y
    printed = float(sum(z[i] * z[j] for i in range(2) for j in range(i, 2)))
    return (
        Shown("(x·y)² for x = (1, 2), y = (3, 1)", printed, float(Polynomial(2, 0.0).gram([x, y])[0, 1])),
    )


def _von_neumann() -> tuple[Shown, ...]:
    spectrum, bound = path_spectrum(), failing_from()
    at_bound, below = (1.0 - lam * spectrum.radius for lam in (bound, 0.55))
    beyond, far = solved(0.56), solved(0.7)
    return (
        Shown("least eigenvalue of I − λB at λ = 1/ρ, and at λ = .55", at_bound, below),
        Shown("k₁₁ at λ = .56, and at .55", beyond.k11, solved(0.55).k11),
        Shown("least eigenvalue of the “kernel” at λ = .7, where k₁₁ = 1.89 looks fine", far.smallest, NAN),
    )


def _gaps(s: str, t: str, *, printed: bool) -> float:
    """Sum over all local alignments, by the printed rule of a gap or by the right one."""
    letters = substitution_matrix("BLOSUM62")

    def cost(n: int) -> float:
        return OPEN + EXTEND * (n - 1) if n else 0.0

    def gap(a: int, b: int) -> float:
        return math.exp(BETA * (cost(a) + cost(a)) if printed else -BETA * (cost(a) + cost(b)))

    M: FloatArray = np.zeros((len(s), len(t)))
    for i, j in np.ndindex(*M.shape):
        before = sum(M[a, b] * gap(i - a - 1, j - b - 1) for a in range(i) for b in range(j))
        score = letters.scores[letters.letters.index(s[i])][letters.letters.index(t[j])]
        M[i, j] = np.exp(BETA * score) * (1.0 + before)
    return float(1.0 + M.sum())


def _alignment() -> tuple[Shown, ...]:
    s, t = PROTEINS
    kernel = LocalAlignment(beta=BETA, gap_open=OPEN, gap_extend=EXTEND, matrix="BLOSUM62")
    K = kernel.gram([s, t])
    return (
        Shown(f"K({s}, {t})", _gaps(s, t, printed=True), float(K[0, 1])),
        Shown(f"K({t}, {s})", _gaps(t, s, printed=True), float(K[1, 0])),
        Shown("the right rule, added up alignment by alignment", _gaps(s, t, printed=False), float(K[0, 1])),
    )


def _trees() -> tuple[Shown, ...]:
    made = trees()
    said = "K(a,b)² / (K(a,a) K(b,b)), at most 1 for a kernel"
    return Shown(said, made.ratio, made.matchings), Shown(
        "the same of the roots alone", made.of_roots, made.matchings
    )


def _norm(kernel: VectorKernel, printed: FloatArray | float, high: float, *, factor: float) -> float:
    """factor ∫ |k̂|² / p over −high to high, p = `printed` times the right density: the norm² of k(0, ·)."""
    value, _ = quad(lambda w: float(spectral_density(kernel, [w])[0] / printed), -high, high, epsabs=1e-10)
    return factor * float(value)


def _gaussian_density() -> tuple[Shown, ...]:
    kernel = Gaussian(sigma=1.0)
    # the printed density is the right one without σ √(2π), the printed norm the right one without 1/(2π)
    printed = _norm(kernel, 1.0 / np.sqrt(2.0 * np.pi), 12.0, factor=1.0)
    whole = _norm(kernel, 1.0, 12.0, factor=1.0 / (2.0 * np.pi))
    return (
        Shown("‖k(0, ·)‖², which is k(0, 0) = 1", printed, float(kernel.gram([[0.0]])[0, 0])),
        Shown("the same integral with both factors", whole, float(kernel.gram([[0.0]])[0, 0])),
    )


def _sinc_norm() -> tuple[Shown, ...]:
    kernel = Sinc(omega=3.0)
    printed = _norm(kernel, 1.0, 3.0, factor=1.0)
    return (Shown("‖k(0, ·)‖², which is k(0, 0) = Ω/π", printed, float(kernel.gram([[0.0]])[0, 0])),)


def _walks() -> tuple[Shown, ...]:
    totals = walk_totals(product_graph(FIRST, FIRST).graph, 2)
    return (Shown("1'A²1, said to count shared walks of 2 vertices", float(totals[2]), float(totals[1])),)


CARDS: Final = (
    Card("anova", "Boundary of the ANOVA table", NOTES, r"K_{r+1}^{r}=1", r"K_{s}^{r}=0\ \text{for}\ s>r",
         "No r coordinates have a subset of r + 1. With 1 there, subsets are counted that do not exist.", _anova,
         "dynamic_programming",
         "K with r above and s below adds up products over all subsets of s of the first r coordinates."),
    Card("all_subsets", "All subsets as one product", NOTES, r"\sum_{A}\prod_{i\in A}x_iy_i=\prod_i(1+x_iy_i)", "",
         "Multiplied out, the product has one term a subset: both numbers agree.", _all_subsets, "dynamic_programming",
         "The sum is over all subsets A of the coordinates, the empty one too."),
    Card("squares", "Degree 2 multiplied out", SLIDES, r"(x\cdot y)^2=\sum_{i\le j}x_ix_j\,y_iy_j",
         r"(x\cdot y)^2=\sum_{i,j}x_ix_j\,y_iy_j", "Products of two different coordinates occur twice: hence √2 x₁x₂ in the "
         "feature map.", _squares, "what_is_a_kernel", "x and y are two vectors, i and j their coordinates."),
    Card("von_neumann", "Where the series of walks ends", NOTES, r"K=(I-\lambda B)^{-1},\quad 0\le\lambda\le1/\rho(B)",
         r"0\le\lambda<1/\rho(B)", "The bound is strict: at 1/ρ there is no inverse. Beyond it a solver returns numbers "
         "that look fine and have negative eigenvalues.", _von_neumann, "heat_and_walks",
         "B is the table of edges of a network, ρ(B) its largest eigenvalue, λ the weight of a step."),
    Card("alignment", "Gaps of local alignments", SLIDES, r"\exp\bigl(\beta(g(|x|)+g(|x|))\bigr)",
         r"\exp\bigl(-\beta(g(|x|)+g(|y|))\bigr)", "Taken literally, gaps pay instead of costing, and the second string's "
         "are not seen: the two orders of the words differ.", _alignment, "dynamic_programming",
         "The factor by which a gap counts: x and y are what it leaves out of either string, g the price of so many."),
    Card("trees", "Trees of any neighbours", SLIDES, r"\sum_{R\subseteq N(u)\times N(v)}\prod_{(u',v')\in R}k(u',v')",
         r"R\ \text{a matching}", "A cosine above 1: no features can stand behind it. With matchings, which take none "
         "twice, it is a kernel.", _trees, "heat_and_walks",
         "N(u) are the neighbours of u; R is a set of pairs of neighbours that are matched."),
    Card("gaussian_density", "Frequencies of the Gaussian", SLIDES,
         r"\hat k(\omega)=e^{-\sigma^2\omega^2/2},\quad\|f\|^2=\int\frac{|\hat f|^2}{\hat k}\,d\omega",
         r"\hat k(\omega)=\sigma\sqrt{2\pi}\,e^{-\sigma^2\omega^2/2},\quad"
         r"\|f\|^2=\frac1{2\pi}\int\frac{|\hat f|^2}{\hat k}\,d\omega",
         "The function k(0, ·) has the squared norm k(0, 0) in every kernel's space. Two factors are missing.",
         _gaussian_density, "smoothness",
         "A hat is the Fourier transform: how much of each frequency ω. k is the Gaussian of width σ."),
    Card("sinc_norm", "Norm of the sinc kernel", SLIDES, r"\|f\|^2=\int_{-\Omega}^{\Omega}|\hat f(\omega)|^2\,d\omega",
         r"\|f\|^2=\frac1{2\pi}\int_{-\Omega}^{\Omega}|\hat f(\omega)|^2\,d\omega", "2π too large, for Ω = 3.", _sinc_norm,
         "smoothness",
         "A hat is the Fourier transform: how much of each frequency ω, here none above Ω."),
    Card("walks", "Walks of n vertices, or of n edges", SLIDES,
         r"W_n=\{\text{walks of }n\text{ vertices}\},\quad K=\mathbf 1^\top A^n\mathbf 1",
         r"\mathbf 1^\top A^{n}\mathbf 1\ \text{counts walks of }n+1\text{ vertices}",
         "On a path of four nodes beside itself: A² counts steps, and a walk of two steps has three vertices.", _walks,
         "heat_and_walks",
         "A is the table of edges of a graph, 1 a column of ones."),
)  # fmt: skip
