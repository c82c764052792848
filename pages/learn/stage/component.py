"""The picture of a lesson on its page.

    follows = (Thumb("tau", "haw_tau", stops, "τ", play=True),)
    stage("heat", heat_picture, setting, follows=follows, formula="k = e^{−[tau|τ]L}")

`draw(setting)` returns a Picture and is cached for all visitors. For each control in `follows` the browser gets the pictures
at all its stops, when somebody comes near it, and shows them while the thumb moves; the server answers once it is let go.
What a visitor does in the picture is told to `on`: ("picked", id), ("placed", x, y), ("moved", id, x, y), ("removed", id).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

import streamlit as st

from kernex_core.base.digests import digest
from pages.learn.stage.formula import parts
from pages.learn.stage.picture import Picture
from pages.shared import workspace

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

S = TypeVar("S", bound="DataclassInstance")
Told = tuple[str | float, ...]
HERE: Final = Path(__file__).parent
ACTS: Final = ("picked", "placed", "moved", "removed")


def _text(*names: str) -> str:
    """Files beside this one; lines around them tell them from a path."""
    return "\n" + "\n".join((HERE / name).read_text("utf-8") for name in names) + "\n"


_stage = st.components.v2.component("kernex_stage", css=_text("stage.css"), js=_text("stage.js", "marks.js"))


Drags = Callable[[S, str], Sequence[Mapping[float, S]]]
"""Setting, and id of an item -> along x and along y, where the item may stop while it is dragged, and the setting then."""


@dataclass(frozen=True)
class Thumb:
    """A slider whose thumb the picture follows: the field of the setting, the widget's key, its stops, and its name.

    A select slider counts its stops (`indexed`), a slider says its value. `play` adds a button that runs through them.
    """

    name: str
    key: str
    stops: tuple[float, ...]
    label: str
    play: bool = False
    indexed: bool = False


def stage(
    key: str,
    draw: Callable[[S], Picture],
    setting: S,
    *,
    follows: Sequence[Thumb] = (),
    formula: str = "",
    address: str = "",
    on: Callable[[str, Told], None] | None = None,
    drags: Drags[S] | None = None,
) -> Picture:
    """Draw the picture of a setting and return it; `address` stands before the names of controls in their keys.

    With `drags` the picture follows an item while it is dragged, as it does a thumb.
    """
    picture = draw(setting)
    sent = picture.sent()
    near: str = workspace.recall(f"{key}.near", "")
    data = {
        "picture": sent,
        "follows": [_follow(thumb, draw, setting, picture, thumb.key == near) for thumb in follows],
        "drags": drags and _drags(drags, draw, setting, picture, workspace.recall(f"{key}.held", "")),
        "formula": [
            {**part, "symbol": part["symbol"] and f"{address}{part['symbol']}"} for part in parts(formula)
        ],
    }
    acts = {f"on_{act}_change": partial(_act, key, act, on) for act in ACTS}
    _stage(
        key=key,
        data={**data, "digest": digest(*(str(part) for part in data.values()))[:16]},
        on_wanted_change=partial(_wanted, key),
        on_held_change=partial(_held, key),
        on_played_change=partial(_played, key, tuple(follows)),
        height="content",
        **acts,  # type: ignore[arg-type]
    )
    return picture


def _follow(
    thumb: Thumb, draw: Callable[[S], Picture], setting: S, base: Picture, wanted: bool
) -> dict[str, object]:
    frames = None
    if wanted:
        frames = [
            draw(dataclasses.replace(setting, **{thumb.name: stop})).frame(base) for stop in thumb.stops
        ]
    return {
        "name": thumb.key, "label": thumb.label, "stops": list(thumb.stops), "frames": frames,
        "play": thumb.play, "indexed": thumb.indexed,
    }  # fmt: skip


def _drags(
    drags: Drags[S], draw: Callable[[S], Picture], setting: S, base: Picture, item: str
) -> dict[str, object]:
    ways = drags(setting, item) if item else ()
    frames = [[draw(there).frame(base) for there in way.values()] for way in ways]
    return {"item": item, "stops": [list(way) for way in ways], "frames": frames}


def _held(key: str) -> None:
    name = workspace.told(key, "held")
    if isinstance(name, str):
        workspace.remember(f"{key}.held", name)


def _wanted(key: str) -> None:
    name = workspace.told(key, "wanted")
    if isinstance(name, str):
        workspace.remember(f"{key}.near", name)


def _played(key: str, follows: tuple[Thumb, ...]) -> None:
    """A play ended, or was stopped: the control takes the stop that is shown."""
    told = workspace.told(key, "played")
    if not (isinstance(told, list) and len(told) == 2 and isinstance(told[1], int)):
        return
    for thumb in follows:
        if thumb.key == told[0] and 0 <= told[1] < len(thumb.stops):
            workspace.show_in(thumb.key, thumb.stops[told[1]])


def _act(key: str, act: str, on: Callable[[str, Told], None] | None) -> None:
    told = workspace.told(key, act)
    if on is None or not isinstance(told, list) or len(told) < 2:
        return
    if all(isinstance(part, str | int | float) for part in told):
        on(act, tuple(told[1:]))
