"""The lessons of Learn, one line each: a line here, and the file `pages/learn/<key>.py`, make a lesson."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True)
class Lesson:
    """What the rest of Kernex knows of a lesson.

    Attributes
    ----------
    key : str
        Name of its file, and its address.
    title, goal : str
        Its name, and in one sentence what one knows after it: said after the bet.
    minutes : int
    asks : str
        What it asks, without the answer: said before it, wherever it is named.
    after : tuple of str
        Keys of lessons that come before it.
    pages : tuple of str
        Addresses of working pages that it explains, and which link it.
    words : tuple of str
        Terms of the glossary that it explains.
    """

    key: str
    title: str
    goal: str
    minutes: int
    asks: str
    after: tuple[str, ...] = ()
    pages: tuple[str, ...] = ()
    words: tuple[str, ...] = ()

    @property
    def number(self) -> int:
        """Its place in the course, from 1."""
        return LESSONS.index(self) + 1

    @property
    def address(self) -> str:
        """What stands before the names of its settings in the address: the initials of its key."""
        return "".join(word[0] for word in self.key.split("_")) + "_"


LESSONS: Final = (
    Lesson(
        "what_is_a_kernel", "What a kernel is", "A kernel machine is a weighted sum of similarities to few items.", 6,
        asks="How many points hold a boundary in its place?",
        pages=("kernels", "edges", "map"),
        words=("Kernel", "Support vector machine", "Support vector", "Margin", "Representer theorem"),
    ),
    Lesson(
        "regularisation", "Regularisation", "λ trades variance for bias, and does not shrink every coefficient.", 8,
        asks="What becomes of each coefficient while the penalty grows?",
        after=("what_is_a_kernel",), pages=("evaluate",),
        words=("Kernel ridge", "Kernel logistic regression", "Loss", "Bias and variance"),
    ),
    Lesson(
        "positive_definiteness", "Positive definiteness",
        "Similarities must fit together: what fits is an interval, then a body.", 7,
        asks="Which similarities can stand together, and which cannot?",
        after=("what_is_a_kernel",), pages=("data", "kernels", "complete"),
        words=("Indefinite", "Smallest eigenvalue", "Eigenvector", "Repair", "Negative mass", "Determinant"),
    ),
    Lesson(
        "smoothness", "Smoothness", "The norm is the price of bending, and the kernel sets the prices.", 7,
        asks="Which curve does a kernel find cheapest?",
        after=("what_is_a_kernel",), pages=("kernels",), words=("Norm", "Spectral density"),
    ),
    Lesson(
        "dynamic_programming", "Kernels by tables", "A table adds up exponentially many features.", 8,
        asks="How does one compare two words by all their parts at once?",
        after=("what_is_a_kernel",), pages=("strings",), words=("Decay", "ANOVA kernel"),
    ),
    Lesson(
        "learning_by_heart", "Learning by heart",
        "A kernel that finds every item like itself alone learns by heart; a small power makes items alike again.", 5,
        asks="What has a machine learnt that is right about every string it has seen?",
        after=("what_is_a_kernel",), pages=("strings", "power", "orthogonal"),
        words=("Diagonal dominance", "Power", "Empirical map"),
    ),
    Lesson(
        "missing_structures", "Missing structures", "What is known allows a section, not a shadow.", 6,
        asks="How much of a kernel may be claimed from what is known of it?",
        after=("positive_definiteness",), pages=("complete", "extrapolation"),
        words=("Shear", "Certificate", "Extrapolation"),
    ),
    Lesson(
        "joint_ellipses", "Joint regularization", "A joint kernel is large only where both kernels are.", 6,
        asks="Two kernels are made one: how large is it, and where?",
        after=("smoothness", "missing_structures"), pages=("combine", "joint"), words=("Joint kernel", "Multiplier"),
    ),
    Lesson(
        "heat_and_walks", "Heat and walks", "τ decides how far similarity travels, and walks are not paths.", 6,
        asks="How far does similarity travel along a network?",
        pages=("networks", "graphs", "features"), words=("Diffusion", "Laplacian", "Walk", "Product graph", "Tree pattern"),
    ),
    Lesson(
        "combining_sources", "Combining sources",
        "To add kernels is ridge regression, to learn their weights is a lasso: it drops what explains too little.", 6,
        asks="Which source gets which weight, and does a useless one get none?",
        pages=("combine", "many", "together"), words=("Multiple kernel learning", "Graph lasso"),
    ),
    Lesson(
        "luck_or_skill", "Luck or skill", "Luck looks like skill until new items come; a leak is found by its tag.", 8,
        asks="How does luck look, how skill, and how a leak?",
        pages=("evaluate",), words=("Floor", "Leak", "Folds"),
    ),
    Lesson(
        "errata", "Errata", "Print is checked by computing: what does not hold falls at the first example.", 8,
        asks="Which printed sentences hold when they are computed?",
        after=("heat_and_walks",), pages=("extrapolation", "orthogonal", "joint"),
    ),
)  # fmt: skip


def lesson(key: str) -> Lesson:
    """Return the lesson of that key.

    Raises
    ------
    KeyError
        There is none.
    """
    for each in LESSONS:
        if each.key == key:
            return each
    raise KeyError(key)


def explaining(url_path: str) -> tuple[Lesson, ...]:
    """Return the lessons that explain a working page, in the order of the course."""
    return tuple(each for each in LESSONS if url_path in each.pages)


NEAREST: Final = MappingProxyType(
    {
        "Kernels and matrices": "positive_definiteness",
        "Completing": "missing_structures",
        "Networks": "heat_and_walks",
        "Many kernels": "combining_sources",
        "Graphs": "heat_and_walks",
        "Learning": "what_is_a_kernel",
        "Judging": "luck_or_skill",
    }
)
"""Subject of the glossary -> the lesson that its words are about, where none explains the word itself."""


def of_word(term: str, subject: str) -> Lesson:
    """Return the lesson that explains a word of the glossary, or else the one that its subject is about."""
    own = next((each for each in LESSONS if term in each.words), None)
    return own or lesson(NEAREST[subject])
