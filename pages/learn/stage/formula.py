r"""Formulas whose symbols are bound to controls, in a line of text.

    parts("k = e^{−[tau|τ]L}")

`[name|text]` is a symbol bound to the control of that name, `^{…}` and `_{…}` stand above and below. Single letters are
italic, as in print; words of several letters (det, log) are not.
"""

from __future__ import annotations

import re
from typing import Final, TypedDict

_TOKENS: Final = re.compile(
    r"\[(?P<name>[A-Za-z_0-9.]+)\|(?P<text>[^\]]+)\]|(?P<open>[\^_]\{)|(?P<close>\})"
    r"|(?P<letters>[^\W\d_]+)|(?P<other>[^\[\^_}]|\^|_)"
)


class Part(TypedDict):
    """A piece of a formula: its text, how it stands ("", "sup" or "sub", after "i" where italic), and its control."""

    text: str
    style: str
    symbol: str


def parts(formula: str) -> list[Part]:
    """Return the pieces of a formula.

    Raises
    ------
    ValueError
        A brace that does not close, or closes nothing.
    """
    found: list[Part] = []
    level: list[str] = []
    raised = formula.replace("′", "'")  # the font's own prime is a slash where it is not set above the line
    for token in _TOKENS.finditer(raised):
        if token["open"]:
            level.append("sup" if token["open"][0] == "^" else "sub")
        elif token["close"]:
            if not level:
                raise ValueError(f"a brace closes nothing in {formula!r}")
            level.pop()
        else:
            found.append(_part(token, level[-1] if level else ""))
    if level:
        raise ValueError(f"a brace does not close in {formula!r}")
    return found


def _part(token: re.Match[str], place: str) -> Part:
    if token["name"]:
        return {"text": token["text"], "style": place, "symbol": token["name"]}
    said = token["letters"] or token["other"]
    italic = bool(token["letters"]) and len(said) == 1
    return {"text": said, "style": f"i {place}".strip() if italic else place, "symbol": ""}
