"""Cards on the three papers that Kernex began with."""

from __future__ import annotations

from typing import Final

import numpy as np

from kernex_core.extrapolation.approximation import approximate
from kernex_core.learning.chance.tests import yates_p
from kernex_core.studies.lessons.errata.card import EXTRAPOLATION, JOINT, ORTHOGONAL, Card, Shown
from kernex_core.studies.lessons.joint_ellipses.bounds import joint_term_on_boundary
from kernex_core.studies.lessons.missing_structures import best_without_constraint
from kernex_core.studies.papers.extrapolation.printed import DECISIONS, SEQUENCE_ALONE, TABLE_2
from kernex_core.studies.papers.orthogonal.toy import TOY_X, toy_lesson

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


CARDS: Final = (
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
