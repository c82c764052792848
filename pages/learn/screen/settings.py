"""What can be set in a lesson: the bet, the picture, its controls, and what a visitor draws."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pages.shared.declared.settings import Declared, declared, of, setting
from pages.shared.lessons import lesson

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

BET: Final = "bet"
STEP: Final = "step_"


def settings_of(key: str, owner: type[DataclassInstance], *drawn: str) -> Declared:
    """Declare the settings of a lesson.

    Parameters
    ----------
    key : str
        Of the lesson.
    owner : dataclass
        Its controls.
    drawn : str
        Names of what a visitor draws, kept as text.
    """
    address = lesson(key).address
    return declared(
        setting(BET, "Bet"), setting(f"{STEP}{address.strip('_')}", "Picture"), *of(owner, prefix=address),
        *(setting(f"{address}{name}", name) for name in drawn),
    )  # fmt: skip
