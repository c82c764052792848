"""What a file is taken for, by one number of it: what it settles can be taken back, and what it leaves open is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import streamlit as st

from kernex_core.base.parameters import parameters
from kernex_core.inputs.findings.example import example_of
from kernex_core.inputs.question import Answer, Question
from kernex_core.inputs.similarities.distance import CONVERSIONS
from kernex_core.inputs.upload import Upload
from pages.server import workspace
from pages.server.messages import plain
from pages.ui.files import Outcome, key_of, start, ways
from pages.ui.widget import Change

NAMES: Final[Mapping[str, Change]] = {
    "conversion": {"names": tuple(formula for formula, _ in CONVERSIONS.values())},
    "scale": {"names": ("auto", "as it is", "−log10")},
    "diagonal": {"names": ("found out", "as listed", "the largest of its row", "1", "unknown")},
    "missing_diagonal": {"names": ("found out", "0", "the largest of its row", "unknown")},
    "symmetrise": {"names": ("found out", "mean", "max", "refuse")},
    "ids": {"names": ("found out", "on both sides", "on top", "on the left", "nowhere")},
}


def sentence(file: Upload, made: Outcome) -> str:
    """What a file is taken for, by one number of it and by what settles its meaning, as markdown; "" if there is nothing."""
    assert made.result is not None
    example = example_of(made.result, _column(file, made), made.questions)
    # of what settles it, what the example does not say already
    reasons = [each.text.split(": ")[0] for each in made.questions if each.decided]
    said = ". ".join(plain(each) for each in (example, *reasons) if each)
    return f":small[:gray[{said}.]]" if said else ""


def ways_back(file: Upload, made: Outcome) -> None:
    """Draw a button for what a name, a tool, a diagonal or an answer settled, where anything did."""
    assert made.options is not None
    settled = [each for each in made.questions if each.decided]
    if not settled and not answers_of(file, made.way):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        for question in settled:
            now = getattr(made.options, question.option)
            for other in question.answers:
                if other.value != now:
                    _button(file, made, question, other.value, f"No: {other.effect}", "tertiary")
        for option, value in answers_of(file, made.way).items():
            if option not in [each.option for each in settled]:
                field = parameters(made.options)[option]
                names = dict(
                    zip(
                        field.choices or (),
                        NAMES.get(option, {}).get("names", field.names or ()),
                        strict=False,
                    )
                )
                st.button(
                    plain(f"{field.label}: {names.get(value, value) or 'none'}. Ask again"), type="tertiary",
                    key=f"{key_of(file)}.{option}.again", on_click=_forget, args=(key_of(file), made.way, option),
                )  # fmt: skip


def is_open(made: Outcome) -> bool:
    """Whether a file waits for an answer."""
    return made.result is None and not all(each.decided for each in made.questions)


def ask(file: Upload, made: Outcome) -> bool:
    """Ask what a file leaves open, with the effect of each answer on an example of it; whether anything is open."""
    question = next((each for each in made.questions if not each.decided), None)
    if question is None:
        return False
    st.markdown(f":orange[:material/help:] **{plain(question.text)}.** {plain(question.example)}")
    with st.container(horizontal=True, gap="small"):
        for each in question.answers:
            _button(file, made, question, each.value, _words(question, each), "secondary")
        other = question.instead
        way = "" if other is None else next(iter(_ways_of(file, other.value)), "")
        if other is not None and way:
            st.button(
                plain(other.effect), key=f"{key_of(file)}.instead.{other.value}",
                on_click=workspace.show_in, args=(way_key(file), way),
            )  # fmt: skip
    return True


def way_key(file: Upload) -> str:
    """Key of the choice of the format that a file is read in."""
    return f"{key_of(file)}.way"


def _ways_of(file: Upload, kind: str) -> list[str]:
    """Formats of a kind that a file may have, likeliest first."""
    return [way.format.name for way in ways(file) if way.format.kind == kind and way.confidence > 0.0]


def _words(question: Question, answer: Answer) -> str:
    """The effect of an answer; names of columns and attributes before it."""
    named = question.option.endswith(("_column", "_attribute")) and answer.value
    return f"{answer.value}: {answer.effect}" if named else answer.effect


def _button(
    file: Upload,
    made: Outcome,
    question: Question,
    value: str,
    label: str,
    kind: Literal["secondary", "tertiary"],
) -> None:
    st.button(
        plain(label), type=kind, key=f"{key_of(file)}.{question.option}.is.{value}",
        on_click=_answer, args=(key_of(file), made.way, question.option, value),
    )  # fmt: skip


def _column(file: Upload, made: Outcome) -> str:
    """Name of the column that the numbers come from, where there are columns."""
    if getattr(made.options, "weights", "") == "ignore":
        return ""
    for field in ("score_column", "weight_column", "label_column"):
        if name := getattr(made.options, field, ""):
            return str(name)
    beginning = start(file, made.way)
    return "" if beginning is None else beginning.column


def answers_of(file: Upload, way: str) -> Mapping[str, str]:
    """What was answered about a file that is read in this way, by option."""
    return _answers(key_of(file), way)


def _answers(key: str, way: str) -> Mapping[str, str]:
    nothing: Mapping[str, str] = {}
    return workspace.recall(f"{key}.{way}.answers", nothing)


def _answer(key: str, way: str, option: str, value: str) -> None:
    workspace.remember(f"{key}.{way}.answers", {**_answers(key, way), option: value})


def _forget(key: str, way: str, option: str) -> None:
    left = {name: value for name, value in _answers(key, way).items() if name != option}
    workspace.remember(f"{key}.{way}.answers", left)
