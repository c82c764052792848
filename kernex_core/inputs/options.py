"""What a user can choose when a file is read, whatever its format; and what a file leaves open, as a question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import check_parameters, parameter
from kernex_core.base.validation import ITEM_LIMIT, SAMPLE_LIMIT

# What a user can choose when a similarity matrix is read, whatever format it comes in.


@dataclass(frozen=True)
class ReadOptions:
    """Base of all formats' options."""

    limit: int = parameter(
        ITEM_LIMIT, help="Largest number of items that is read.", label="Item limit", low=2, hidden=True
    )

    def __post_init__(self) -> None:
        check_parameters(self)


@dataclass(frozen=True)
class SampleOptions(ReadOptions):
    """Options of every format that holds samples: more are read than a matrix is made of."""

    limit: int = parameter(
        SAMPLE_LIMIT, help="Largest number of samples that is read.", label="Item limit", low=2, hidden=True
    )


@dataclass(frozen=True)
class SimilarityOptions(ReadOptions):
    """Options of every format that holds similarities."""

    meaning: Literal["similarity", "distance"] = parameter(
        "similarity",
        help="What the numbers mean: larger is more alike, or larger is further apart.",
        label="The numbers are",
        choices=("similarity", "distance"),
    )
    conversion: Literal["gaussian", "one_minus", "max_minus", "inverse", "centring"] = parameter(
        "gaussian",
        help="How distances become similarities: exp(−γ d²), 1 − d, max − d, 1/d, or double centring of d².",
        label="Distance to similarity",
        choices=("gaussian", "one_minus", "max_minus", "inverse", "centring"),
    )
    gamma: float | None = parameter(
        None,
        help="Width of exp(−γ d²).",
        label="Width",
        symbol=r"\gamma",
        low=0.0,
        open_low=True,
        optional=True,
        auto="1 / median of d² over all pairs",
        logarithmic=True,
    )
    symmetrise: Literal["auto", "mean", "max", "refuse"] = parameter(
        "auto",
        help="What to take where the entry (i, j) differs from (j, i); auto: the mean, where nothing but similarities "
        "can be meant, and else it is asked.",
        label="Symmetrise by",
        choices=("auto", "mean", "max", "refuse"),
    )


# Options that formats of tables have in common: each is described once, and says how it is found in that format.

HeaderLine: TypeAlias = Literal["auto", "yes", "no"]
"""Whether the first line names the columns; "auto": found out."""
IdsStand: TypeAlias = Literal["auto", "both", "columns", "rows", "none"]
"""Where the ids of a square matrix stand; "auto": found out."""

Commas: TypeAlias = Literal["auto", "decimal", "thousands"]
"""What a comma in numbers is; "auto": found out."""

BY_NAME = "found by its name"


def column_option(of: str, label: str, found: str = BY_NAME, *, hidden: bool = False) -> str:
    """Field of options: name or number of a column, "" = `found`."""
    made: str = parameter(
        "", help=f"Name or number of the column of {of}; empty: {found}.", label=label, hidden=hidden
    )
    return made


def id_option(found: str = f"{BY_NAME}, else the first") -> str:
    """Field of options: the column of ids."""
    return column_option("ids", "Id column", found)


def label_option(found: str = BY_NAME, *, hidden: bool = False) -> str:
    """Field of options: the column of labels."""
    return column_option("labels", "Label column", found, hidden=hidden)


def header_option() -> HeaderLine:
    """Field of options: whether the first line names the columns."""
    made: HeaderLine = parameter(
        "auto",
        help="Whether the first line names the columns.",
        label="Header line",
        choices=("auto", "yes", "no"),
    )
    return made


def comma_option() -> Commas:
    """Field of options: what a comma in numbers is."""
    made: Commas = parameter(
        "auto",
        help="Whether 1,200 is 1.2 or 1200; auto: by numbers that can be read in one way only.",
        label="Commas in numbers",
        choices=("auto", "decimal", "thousands"),
    )
    return made


def ids_option(of: str) -> IdsStand:
    """Field of options: where the ids of the rows and columns of a square matrix stand."""
    made: IdsStand = parameter(
        "auto",
        help=f"Where the ids of the {of} stand: on top and on the left, on top, on the left, or nowhere.",
        label="Ids stand",
        choices=("auto", "both", "columns", "rows", "none"),
    )
    return made


def array_option(found: str) -> str:
    """Field of options: name of an array in a file of several, "" = `found`."""
    made: str = parameter("", help=f"Name of the array in a file of several; empty: {found}.", label="Array")
    return made


MOST_VIEWS: Final = 100
"""Kernels in one array."""


def view_option(shape: str) -> int:
    """Field of options: which of the kernels in an array of this shape."""
    made: int = parameter(
        0,
        help=f"Which kernel of an array {shape}, from 1; 0: all of them.",
        label="Kernel",
        low=0,
        high=MOST_VIEWS,
        hidden=True,
    )
    return made


# What a file leaves open, as a question with its answers: nobody but the file's owner knows.


@dataclass(frozen=True)
class Answer:
    """One of the answers to a question.

    Attributes
    ----------
    value : str
        What the option becomes.
    effect : str
        What the example of the question is then.
    """

    value: str
    effect: str


@dataclass(frozen=True)
class Question:
    """What a file leaves open, or settles by a name, by its tool or by its own diagonal.

    Attributes
    ----------
    option : str
        Name of the option that answers it.
    text : str
        What is open, or what settles it, as a sentence without its end.
    example : str
        A pair, an item or a number of the file.
    answers : tuple of Answer
    decided : str
        Value that the file itself gives; "" = it is open.
    instead : Answer or None
        The kind of data that it may be instead, and what that would mean.
    """

    option: str
    text: str
    example: str
    answers: tuple[Answer, ...]
    decided: str = ""
    instead: Answer | None = None

    def refusal(self, filename: str) -> OpenQuestionError:
        """What is said where nobody can be asked: the example, the answers, and the option that gives one."""
        return OpenQuestionError(self, filename)


class OpenQuestionError(InvalidInputError):
    """A file leaves something open that no guess may decide.

    Parameters
    ----------
    question : Question
    filename : str
    """

    def __init__(self, question: Question, filename: str) -> None:
        ways = ", or ".join(f"{question.option}={each.value!r} ({each.effect})" for each in question.answers)
        if question.instead is not None:
            ways += f", or kind={question.instead.value!r} ({question.instead.effect})"
        super().__init__(question.text, f"{question.example} in {filename}", f"Say {ways}")
        self.question = question
