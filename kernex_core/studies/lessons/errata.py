"""Errata: statements in print, each with the computation that shows whether it holds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
import scipy

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.frozen import EqualByContent, FloatArray, ReadOnlyArrays
from kernex_core.base.parameters import check_range
from kernex_core.completion.approximation import approximate
from kernex_core.kernels.graphs.shared_walks import product_graph, walk_totals
from kernex_core.kernels.networks.spectrum import NetworkSpectrum, decompose_network
from kernex_core.kernels.networks.walks import VonNeumann
from kernex_core.kernels.sequences.local_alignment import LocalAlignment
from kernex_core.kernels.sequences.substitution import substitution_matrix
from kernex_core.kernels.vectors.coordinates import Sinc
from kernex_core.kernels.vectors.distance import Gaussian, spectral_density
from kernex_core.kernels.vectors.dot_product import AllSubsets, Polynomial, subset_lattice
from kernex_core.kernels.vectors.vector_kernel import VectorKernel
from kernex_core.learning.chance.paired import yates_p
from kernex_core.learning.learners.ridge import kernel_ridge
from kernex_core.learning.machine import FINE_TOLERANCE, fit_one_vs_rest
from kernex_core.studies.lessons.catalogue import Check
from kernex_core.studies.lessons.combining_sources import X as SOURCES
from kernex_core.studies.lessons.combining_sources import Y as TARGETS
from kernex_core.studies.lessons.dynamic_programming import PROTEINS as PROTEINS_of_dynamic_programming
from kernex_core.studies.lessons.dynamic_programming import X, Y, lattice
from kernex_core.studies.lessons.heat_and_walks import FIRST, PATH, trees
from kernex_core.studies.lessons.joint_ellipses import joint_term_on_boundary
from kernex_core.studies.lessons.missing_structures import best_without_constraint
from kernex_core.studies.papers.extrapolation.printed import DECISIONS, SEQUENCE_ALONE, TABLE_2
from kernex_core.studies.papers.orthogonal.toy import TOY_X, toy_lesson

# What a card of the errata holds: a statement, and numbers that it gives beside those that are right.

EXTRAPOLATION: Final = "Vishwanathan and others, Kernel extrapolation, 2006"
JOINT: Final = "Borgwardt and others, Joint regularization, 2005"
ORTHOGONAL: Final = "Schölkopf and others, Almost orthogonal patterns, 2002"
NOTES: Final = "Jordan, Examples of kernels, lecture notes"
SLIDES: Final = "Vert, Kernel methods and computational biology, slides"


@dataclass(frozen=True, eq=False)
class Shown(EqualByContent):
    """One number, as the statement gives it and as it is.

    Attributes
    ----------
    what : str
    printed, right : float
        NaN: it has no such value.
    """

    what: str
    printed: float
    right: float


@dataclass(frozen=True)
class Card:
    """A statement in print.

    Attributes
    ----------
    key, title, source : str
    printed : str
        The statement as it stands, in TeX.
    right : str
        What holds, in TeX; "" where the statement itself does.
    said : str
        What the numbers show, in words.
    compute : function without arguments
        The numbers, computed now.
    lesson : str
        Key of the lesson that explains more; "" = none.
    symbols : str
        What the letters of the statement are, in a sentence.
    """

    key: str
    title: str
    source: str
    printed: str
    right: str
    said: str
    compute: Callable[[], tuple[Shown, ...]]
    lesson: str = ""
    symbols: str = ""

    @property
    def holds(self) -> bool:
        """Whether it is right as printed."""
        return not self.right


def bet_check(card: Card, holds: bool) -> Check:
    """Whether somebody tells rightly if a statement holds as printed."""
    first = card.compute()[0]
    if card.holds:
        assumed = "" if holds else " Not all that is printed is wrong: only the computation tells."
    else:
        assumed = " Whoever trusts print does not compute it once." if holds else ""
    return Check(holds == card.holds, abs(first.printed - first.right), card.said + assumed)


# Cards on slides about machines that learn.

COST: Final = 10.0
PLACES: Final = ((0.0,), (0.5,), (1.0,))
VALUES: Final = (1.0, 0.0, 1.0)
SMALL: Final = 1e-3


def _dual() -> tuple[Shown, ...]:
    """Two items of two classes: β = (−a, a), 0 <= a <= C, and the dual 2a − a²(1 − k)."""
    K, y = Gaussian(sigma=1.0).gram([[-1.0], [1.0]]), np.array([-1.0, 1.0])
    fitted = fit_one_vs_rest(K, [0, 1], 2, C=COST, tolerance=FINE_TOLERANCE)
    beta = fitted.coefficients[1]
    # concave in a: the least value stands at an end of the box
    ends = [(a, 2.0 * a - a * a * (1.0 - float(K[0, 1]))) for a in (0.0, COST)]
    a, least = min(ends, key=lambda end: end[1])
    margins = y * fitted.decide(K)[:, 1]
    primal = 0.5 * float(beta @ K @ beta) + COST * float(np.maximum(0.0, 1.0 - margins).sum())
    largest = float(y @ beta - 0.5 * beta @ K @ beta)
    return (
        Shown("value of the dual, which equals the primal one", least, largest),
        Shown("the primal value", primal, primal),
        Shown("y f(x) of either item", a * (1.0 - float(K[0, 1])), float(margins[1])),
    )


def _targets() -> tuple[Shown, ...]:
    K, x, y = Gaussian(sigma=0.3).gram(PLACES), np.array(PLACES)[:, 0], np.array(VALUES)
    fits = [kernel_ridge(K, target, SMALL).alpha @ K for target in (x, y)]
    errors = [float(np.mean((f - y) ** 2)) for f in fits]
    return (
        Shown("mean squared error, y = (1, 0, 1) at 0, .5, 1", errors[0], errors[1]),
        Shown("f(0), where y is 1", float(fits[0][0]), float(fits[1][0])),
    )


def _dual_ridge() -> tuple[Shown, ...]:
    n, p, lam = *SOURCES.shape, 0.2
    primal = np.linalg.solve(SOURCES.T @ SOURCES + n * lam * np.eye(p), SOURCES.T @ TARGETS)
    dual = SOURCES.T @ kernel_ridge(SOURCES @ SOURCES.T, TARGETS, lam).alpha
    names = ("first", "second", "third")
    return tuple(
        Shown(f"{name} coefficient, from the kernel and from the features", float(a), float(b))
        for name, a, b in zip(names, dual, primal, strict=True)
    )


ON_LEARNING: Final = (
    Card("dual", "Dual of the support vector machine", SLIDES,
         r"\min_{\beta}\ \textstyle\sum_i y_i\beta_i-\tfrac12\beta^\top K\beta",
         r"\max_{\beta}\ \textstyle\sum_i y_i\beta_i-\tfrac12\beta^\top K\beta",
         "The dual is concave. Its least value lies at an end of the box and is no machine; its largest is the primal's "
         "value.", _dual, "what_is_a_kernel",
         "K holds the similarities of all items, y their classes; each yᵢβᵢ lies between 0 and C."),
    Card("targets", "What ridge regression fits", SLIDES, r"\min_f\ \tfrac1n\sum_i(f(x_i)-x_i)^2+\lambda\|f\|^2",
         r"\min_f\ \tfrac1n\sum_i(f(x_i)-y_i)^2+\lambda\|f\|^2", "One letter: as printed, f learns to say x again.",
         _targets, "regularisation",
         "Items are x with labels y; λ is the price of a large norm."),
    Card("dual_ridge", "Ridge by kernel and by features", SLIDES,
         r"X^\top(XX^\top+n\lambda I)^{-1}y=(X^\top X+n\lambda I)^{-1}X^\top y", "",
         "Both sides agree to the last digit: so a kernel is enough.", _dual_ridge, "regularisation",
         "X has an item a row and a feature a column, y the labels; λ is the penalty."),
)  # fmt: skip


# Cards on the three papers that Kernex began with.

PROTEINS: Final = 206
REDUCED_K: Final = ((2.0, 1.0, 0.5), (1.0, 2.0, 1.0), (0.5, 1.0, 2.0))


def _reduced() -> tuple[Shown, ...]:
    """Φ is the first row of K. The residual is Q of the free solution less Q of the constrained one."""
    K = np.array(REDUCED_K)
    shear, free = (approximate(K, K[:1], constraint=each) for each in ("shear", "free"))
    residual = float(free.Q[0, 0] - shear.Q[0, 0])
    return (
        Shown("Φ⁺'PΦ⁺", 0.0, residual),
        Shown("Q, whose right value is 1/K₁₁", float(free.Q[0, 0]), float(shear.Q[0, 0])),
        Shown("least eigenvalue of K − K_Q", free.shear_eigenvalue, shear.shear_eigenvalue),
    )


def _lemma_1() -> tuple[Shown, ...]:
    K = np.array(REDUCED_K)
    made = approximate(K, K[:1], constraint="shear")
    direct = 1.0 / float(K[0] @ np.linalg.inv(K) @ K[0])
    return (Shown("Q, from the core and from (Φ K⁻¹ Φ')⁻¹", direct, float(made.Q[0, 0])),)


def _free() -> tuple[Shown, ...]:
    best = best_without_constraint(0.0)
    return tuple(
        Shown(f"best q in the Schatten norm p = {p}", float(best[1]), float(q))
        for p, q in zip(("1", "2", "∞"), best, strict=True)
    )


def _lemma_6() -> tuple[Shown, ...]:
    least, largest = joint_term_on_boundary(0.5, 1.0)
    said = "w'Q⁻¹w where the larger of both terms is just 2c, in units of c"
    return Shown(f"{said}: least", 2.0, float(least)), Shown(f"{said}: largest", 2.0, float(largest))


def _toy() -> tuple[Shown, ...]:
    """Weights of a hard margin: of the toy whose weights the paper prints, and with pattern 6 in another free column."""
    moved = TOY_X.copy()
    moved[5, [8, 9]] = moved[5, [9, 8]]
    w = [toy_lesson(X=X).response for X in (moved, TOY_X)]
    return tuple(Shown(f"w of column {j + 1}", float(w[0][j]), float(w[1][j])) for j in (8, 9))


def _yates() -> tuple[Shown, ...]:
    sequence = SEQUENCE_ALONE.mean
    return tuple(
        Shown(
            f"p with {share:.0%} hidden: {DECISIONS:,} decisions, {PROTEINS} proteins".replace("%", " %"),
            yates_p(row[0].mean * DECISIONS, sequence * DECISIONS, DECISIONS),
            yates_p(row[0].mean * PROTEINS, sequence * PROTEINS, PROTEINS),
        )
        for share, row in TABLE_2.items()
    )


ON_PAPERS: Final = (
    Card("reduced", "A residual that is not zero", EXTRAPOLATION, r"\Phi^{+\top}P\,\Phi^{+}=0",
         r"Q=(\Phi K^{-1}\Phi^\top)^{-1}\ \text{without it}",
         "K = (2 1 ½; 1 2 1; ½ 1 2), its first row as Φ: the “zero” is a fifth of Q, and with it K − K_Q is no kernel.",
         _reduced, "missing_structures",
         "Φ holds known features of items with kernel K, and Φ⁺ is its pseudoinverse; P is what rebuilding leaves over."),
    Card("lemma_1", "Lemma 1: the metric in closed form", EXTRAPOLATION, r"Q=(\Phi K^{-1}\Phi^\top)^{-1}", "",
         "Two ways to the same number, with the same K and Φ.", _lemma_1, "missing_structures",
         "Φ holds known features; Q is the largest metric for which K − ΦᵀQΦ stays a kernel."),
    Card("free", "Best in every norm at once", EXTRAPOLATION,
         r"Q=\Phi^{+\top}K\Phi^{+}\ \text{is best for all }p", r"\text{best for }p=2\text{ alone}",
         "Without the shear constraint three norms have three different answers; with it one Q is best in all.", _free,
         "missing_structures",
         "Q is to bring ΦᵀQΦ near to K; near is measured by the p-norm of the eigenvalues of the difference."),
    Card("lemma_6", "Two constraints in one", JOINT, r"w^\top Q_i^{-1}w\le 2c\ \forall i\iff w^\top Q^{-1}w\le 2c",
         r"w^\top Q^{-1}w\ \text{lies in}\ [1.0625\,c,\ 2c]\ \text{on that boundary}",
         "The one constraint follows from the two, and does not imply them.", _lemma_6, "joint_ellipses",
         "Q₁ and Q₂ are two kernels, Q is their joint one, w a machine and c a bound."),
    Card("toy", "A large coordinate in another column", ORTHOGONAL,
         r"X\ \text{without a 9 in row 6, column 9, beside}\ w_9=-.1089", r"X_{6,9}=9",
         "Weights follow the coordinates: those that are printed belong to a matrix with the last pattern's 9 in column 9.",
         _toy, "learning_by_heart",
         "X has a pattern a row; w is what a machine without an error weighs each column by."),
    Card("yates", "Five repetitions as five times the proteins", EXTRAPOLATION, r"n=1030=206\cdot5\ \text{decisions}",
         r"n=206\ \text{proteins}", "The same proteins are named five times. Counted once, none of the three differences is "
         "significant at .05.", _yates, "luck_or_skill",
         "n is how many cases a test of the difference of two accuracies takes for independent."),
)  # fmt: skip


# The von Neumann kernel of a path of six nodes, below its bound and beyond, where a solver still returns numbers.

LAMS: Final = tuple(round(0.4 + 0.001 * k, 3) for k in range(601))
NEAR: Final = 0.001


@dataclass(frozen=True, eq=False)
class Solved(ReadOnlyArrays):
    """(I − λB)⁻¹, as a solver returns it.

    Attributes
    ----------
    lam : float
    k11 : float
        Similarity of the end of the path to itself.
    eigenvalues : (6,) float
        Rising; a kernel has none below 0.
    bound : float
        1/ρ(B), which λ has to stay below.
    accepted : bool
        Whether the core makes a kernel of it.
    """

    lam: float
    k11: float
    eigenvalues: FloatArray
    bound: float
    accepted: bool

    @property
    def smallest(self) -> float:
        """The least eigenvalue."""
        return float(self.eigenvalues[0])


def path_spectrum() -> NetworkSpectrum:
    """The path, decomposed."""
    return decompose_network(PATH.adjacency, "adjacency")


def solved(lam: float) -> Solved:
    """Solve the system at any λ, and ask the core whether that is a kernel.

    Raises
    ------
    InvalidInputError
        λ outside 0 to 1, or at which the system is singular.

    Examples
    --------
    >>> from kernex_core.studies.lessons.errata import solved
    >>> made = solved(0.7)
    >>> round(made.k11, 3), round(made.smallest, 3), made.accepted
    (1.887, -3.826, False)
    """
    check_range("λ", lam, 0.0, 1.0)
    spectrum, kernel = path_spectrum(), VonNeumann(lam)
    system = np.eye(spectrum.n) - lam * np.asarray(PATH.adjacency)
    eigenvalues = np.linalg.eigvalsh(system)
    if np.abs(eigenvalues).min() < 1e-12:
        raise InvalidInputError("At its bound the system is singular: there is no inverse", f"λ = {lam:g}")
    try:
        kernel.on(spectrum)
        accepted = True
    except InvalidInputError:
        accepted = False
    K = np.linalg.inv(system)
    return Solved(lam, float(K[0, 0]), np.sort(1.0 / eigenvalues), kernel.bound_on(spectrum), accepted)


def failing_from() -> float:
    """1/ρ: the least λ at which there is no kernel."""
    return VonNeumann().bound_on(path_spectrum())


def bound_check(lam: float) -> Check:
    """Whether λ is the least one that fails, up to 0.001."""
    made = solved(lam)
    right = abs(lam - made.bound) <= NEAR + 1e-9
    if right:
        said = f"The bound is 1/ρ = {made.bound:.5f}: from there on the series of walks has no sum."
    elif made.accepted:
        said = f"At λ = {lam:g} every eigenvalue is above 0: it is a kernel."
    else:
        said = (
            f"At λ = {lam:g} it fails: the least eigenvalue is {made.smallest:.2f}, though k₁₁ = {made.k11:.2f} may look "
            "fine. A smaller λ fails, too."
        )
    return Check(right, made.smallest, said.replace("-", "−"))


# Cards on lecture notes and slides about single kernels.

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
    s, t = PROTEINS_of_dynamic_programming
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
    value, _ = scipy.integrate.quad(
        lambda w: float(spectral_density(kernel, [w])[0] / printed), -high, high, epsabs=1e-10
    )
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


ON_NOTES: Final = (
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


# ERRATA: every card, those that hold among those that do not.

_BY_KEY: Final = {card.key: card for card in (*ON_NOTES, *ON_LEARNING, *ON_PAPERS)}
ORDER: Final = (
    "von_neumann", "squares", "all_subsets", "anova", "alignment", "dual_ridge", "dual", "targets", "walks", "trees",
    "gaussian_density", "sinc_norm", "lemma_1", "reduced", "free", "lemma_6", "toy", "yates",
)  # fmt: skip
ERRATA: Final[tuple[Card, ...]] = tuple(_BY_KEY[key] for key in ORDER)
