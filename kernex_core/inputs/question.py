"""What a file leaves open, as a question with its answers: nobody but the file's owner knows."""

from __future__ import annotations

from dataclasses import dataclass

from kernex_core.base.errors import InvalidInputError


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
