"""What is said about columns that tell the class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from kernex_core.inputs.findings.telltale import Kind, Telltale
from kernex_core.inputs.names import listed
from kernex_core.inputs.samples import Note

MOST_NAMES = 8
_NOTHING: Final = "would be worth nothing: the answer is among the features"

_SAID: Final[Mapping[Kind, tuple[str, str, str, str]]] = {
    "code": (
        "This column says the class: {}.",
        "These columns say the class: {}.",
        f"Accuracies with {{}} {_NOTHING}.",
        "Leave {} out, unless it really was measured.",
    ),
    "doubt": (
        "Does this column say the class in other words? {}.",
        "Do these columns say the class in other words? {}.",
        f"If so, accuracies with {{}} {_NOTHING}.",
        "Leave {} out then; what was measured stays.",
    ),
    "order": (
        "Was this column measured? {}.",
        "Were these columns measured? {}.",
        "A strong measurement does this, but so do a row number of sorted items and a score made from the class: "
        "accuracies with {} would then be worth nothing.",
        "Leave {} out then; what was measured stays.",
    ),
}


def telltale_groups(found: Sequence[Telltale]) -> tuple[tuple[Kind, tuple[Telltale, ...]], ...]:
    """Columns by kind, the surest first; kinds without any are left out."""
    groups = [(kind, tuple(each for each in found if each.kind == kind)) for kind in _SAID]
    return tuple((kind, members) for kind, members in groups if members)


def telltale_note(kind: Kind, found: Sequence[Telltale]) -> Note:
    """One finding about columns of one kind: a statement about codes, a question about the others."""
    one, many, action, choice = _SAID[kind]
    named = [f"{_short(each.name)} ({each.how})" for each in found[:MOST_NAMES]]
    more = f" and {len(found) - MOST_NAMES:,} more" if len(found) > MOST_NAMES else ""
    it = "it" if len(found) == 1 else "them"
    text = (one if len(found) == 1 else many).format(", ".join(named) + more)
    said = choice.format(it)
    return Note(
        text,
        action.format(it),
        said if len(found) == 1 else said.replace("unless it really was", "unless they really were"),
        "note" if kind == "order" else "warning",
    )


def telltale_warnings(found: Sequence[Telltale]) -> tuple[Note, ...]:
    """Return one note a kind, the surest first."""
    return tuple(telltale_note(kind, members) for kind, members in telltale_groups(found))


def _short(name: str) -> str:
    return listed([name])
