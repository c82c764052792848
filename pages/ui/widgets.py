"""Widgets of declared settings: the only place, beside uploads, searches and editors, where a page draws any.

    name = choose("target", names, default=first)        select box
    what = pick("measure", MEASURES, default="AUC")      segmented control
    some = several("kernels", names, default=names[:6])  several of a list
    share = stop("hidden", stops, default=0.2)           slider with stops of its own
    lam = slide("lam", 0.0, 1.0, 0.05, default=0.25)     slider
    begin, end = between("positions", 1, 80, default=(1, 80))
    rank = number("rank", 1, n, 1, default=1)            number; empty=True: it may stay so, which is None
    on = switch("inductive", default=False)
    text = typed("pattern", default="")
    folders = tabs("tab", titles)
    changed()                                            what differs behind the button Settings

All take `label` where the declared one is not to be shown, and `look`: what Streamlit's widget takes besides (help, width,
placeholder, label_visibility). A value that is none of the choices, or not a number between the ends, is the default: it may
come from an address or a file of anybody. A value that lies between two stops is the nearest one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar, cast
from urllib.parse import quote, unquote

import streamlit as st

from pages.server import workspace
from pages.ui import settings as held
from pages.ui import shown as registry

T = TypeVar("T")
N = TypeVar("N", int, float)
Read: TypeAlias = Callable[[str], Any]
Look: TypeAlias = Any

LONGEST_NUMBER: Final = 400
"""Characters of a number; Python takes its time for longer ones."""
EMPTY: Final = ","
"""Of a list, that none is chosen."""
LARGEST: Final = 2**53 - 1
"""Whole numbers that a browser can say."""
NOT: Final = object()
"""What no text says."""
DRAWN: Final = "settings.drawn"


def choose(
    name: str,
    options: Sequence[T],
    *,
    default: T | None = None,
    said: Callable[[T], str] = str,
    key: str | None = None,
    own: bool = False,
    **look: Look,
) -> T:
    """Draw a select box; `default` is the first option where it is none. `own`: what is typed counts as well."""
    first = options[0] if default not in options else default
    read = _one_of(options, said)
    return cast("T", _drawn(
        _of(name, key, first, look),
        fits=lambda value: value in options or (own and isinstance(value, str)),
        read=(lambda text: text if (found := read(text)) is NOT else found) if own else read,
        said=said,
        begins=lambda value: {"index": options.index(value) if value in options else None},
        draw=lambda given: st.selectbox(
            options=options, format_func=said, accept_new_options=own, **given, **look
        ),
    ))  # fmt: skip


def pick(
    name: str,
    options: Sequence[T],
    *,
    default: T | None = None,
    said: Callable[[T], str] = str,
    key: str | None = None,
    **look: Look,
) -> T:
    """Draw a segmented control, of which one part is always chosen."""
    first = options[0] if default not in options else default
    return cast("T", _drawn(
        _of(name, key, first, look),
        fits=lambda value: value in options,
        read=_one_of(options, said),
        said=said,
        begins=lambda value: {"default": value},
        draw=lambda given: st.segmented_control(
            options=options, format_func=said, required=True, **given, **look
        ),
    ))  # fmt: skip


def several(
    name: str,
    options: Sequence[T],
    *,
    default: Sequence[T] = (),
    said: Callable[[T], str] = str,
    key: str | None = None,
    **look: Look,
) -> list[T]:
    """Draw a list of which several may be chosen; options are texts, or positions."""
    first = [each for each in default if each in options]

    def read(text: str) -> object:
        offered = {_plain(option): option for option in options}
        asked = dict.fromkeys(unquote(part) for part in text.split(","))
        found = [offered[each] for each in asked if each in offered]
        return found if found or text == EMPTY else NOT

    return cast("list[T]", _drawn(
        _of(name, key, first, look),
        fits=lambda value: isinstance(value, list) and all(each in options for each in value),
        read=read,
        said=lambda value: ", ".join(map(said, value)) or "none",
        written=lambda value: ",".join(quote(_plain(each), safe=" ") for each in value) or EMPTY,
        begins=lambda value: {"default": value},
        draw=lambda given: st.multiselect(options=options, format_func=said, **given, **look),
    ))  # fmt: skip


def stop(
    name: str,
    options: Sequence[T],
    *,
    default: T,
    said: Callable[[T], str] = str,
    key: str | None = None,
    **look: Look,
) -> T:
    """Draw a slider that stops at these values, which rise; `default` is one of them."""
    one_of = _one_of(options, said)

    def read(text: str) -> object:
        found = one_of(text)
        return _nearest(options, _number(text)) if found is NOT else found

    return cast("T", _drawn(
        _of(name, key, default, look),
        fits=lambda value: value in options,
        read=read,
        said=said,
        draw=lambda given: st.select_slider(options=options, format_func=said, **given, **look),
    ))  # fmt: skip


def slide(
    name: str,
    low: N,
    high: N,
    step: N,
    *,
    default: N,
    key: str | None = None,
    **look: Look,
) -> N:
    """Draw a slider."""
    kind = type(default)
    return cast("N", _drawn(
        _of(name, key, default, look),
        fits=lambda value: _lies(value, low, high),
        read=lambda text: _within(_number(text), low, high, kind),
        said=_short,
        draw=lambda given: kind(
            st.slider(min_value=kind(low), max_value=kind(high), step=kind(step), **given, **look)
        ),
    ))  # fmt: skip


def between(
    name: str,
    low: N,
    high: N,
    *,
    default: tuple[N, N],
    key: str | None = None,
    **look: Look,
) -> tuple[N, N]:
    """Draw a slider with two ends."""
    kind = type(low)

    def fits(value: object) -> bool:
        ends = value if isinstance(value, tuple | list) else ()
        return len(ends) == 2 and all(_lies(end, low, high) for end in ends) and ends[0] <= ends[1]

    def read(text: str) -> object:
        ends = tuple(_within(_number(part), low, high, kind) for part in text.split(",")[:3])
        return ends if fits(ends) else NOT

    return cast("tuple[N, N]", _drawn(
        _of(name, key, default, look),
        fits=fits,
        read=read,
        said=lambda ends: f"{_short(ends[0])} to {_short(ends[1])}",
        written=lambda ends: ",".join(map(_short, ends)),
        draw=lambda given: st.slider(min_value=low, max_value=high, **given, **look),
    ))  # fmt: skip


def number(
    name: str,
    low: float | None,
    high: float | None,
    step: float,
    *,
    default: float | None,
    empty: bool = False,
    auto: str = "",
    key: str | None = None,
    **look: Look,
) -> float | None:
    """Draw a number; whole where its step is. Where it may stay `empty`, `auto` says what that means."""
    whole = isinstance(step, int)
    kind: type[float] = int if whole else float

    def draw(given: dict[str, Any]) -> object:
        more: dict[str, Any] = {"placeholder": auto or "auto"} if empty else {}
        if empty and "value" not in given:
            more["value"] = None  # what the box says where it is emptied
        made = st.number_input(
            min_value=None if low is None else kind(low), max_value=None if high is None else kind(high),
            step=kind(step), **more, **given, **look,
        )  # fmt: skip
        return math.floor(made + 0.5) if whole and made is not None else made

    return cast("float | None", _drawn(
        _of(name, key, default if default is None else kind(default), look),
        fits=lambda value: (empty and value is None) or _lies(value, low, high),
        read=lambda text: _within(_number(text), low, high, kind),
        said=lambda value: (auto or "auto") if value is None else _short(value),
        draw=draw,
    ))  # fmt: skip


def switch(name: str, *, default: bool = False, key: str | None = None, **look: Look) -> bool:
    """Draw a switch."""
    return cast("bool", _drawn(
        _of(name, key, default, look),
        fits=lambda value: isinstance(value, bool),
        read=lambda text: {"true": True, "false": False}.get(text.lower(), NOT),
        said=lambda on: "yes" if on else "no",
        written=lambda on: "true" if on else "false",
        draw=lambda given: st.toggle(**given, **look),
    ))  # fmt: skip


def typed(name: str, *, default: str = "", key: str | None = None, **look: Look) -> str:
    """Draw a line of text."""
    return cast("str", _drawn(
        _of(name, key, default, look),
        fits=lambda value: isinstance(value, str),
        read=lambda text: text,
        said=str,
        draw=lambda given: st.text_input(**given, **look),
    ))  # fmt: skip


def tabs(name: str, titles: Sequence[str], *, key: str | None = None) -> Sequence[Any]:
    """Draw parts of a page of which one is open."""
    made: list[Any] = []

    def draw(given: dict[str, Any]) -> str:
        # with another default they would be other tabs to Streamlit: what is open is said by their state alone
        if "value" in given and given["value"] != workspace.widget_says(given["key"], titles[0]):
            workspace.show_in(given["key"], given["value"])
        made[:] = st.tabs(list(titles), key=given["key"], on_change="rerun")
        return next((title for title, each in zip(titles, made, strict=True) if each.open), titles[0])

    _drawn(
        _of(name, key, titles[0], {}),
        fits=lambda value: value in titles,
        read=_one_of(titles, str),
        said=str,
        draw=draw,
    )  # fmt: skip
    return made


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A widget that the page has drawn: its key and default, what it takes, how a value is said, and in which run."""

    key: str
    default: Any
    fits: Callable[[Any], bool]
    read: Read
    said: Callable[[Any], str]
    page: object


def changed() -> list[tuple[str, str]]:
    """Return label and words of every setting behind the button Settings that differs from its default, as of this run.

    A widget that was moved just now has not been drawn yet: what it says counts, not what its setting still is.
    """
    before, now = _drawn_widgets()
    found = []
    for name, each in registry.current().declared.items():
        drawn = now.get(name, before.get(name))
        if each.in_view or (drawn is None and before):
            continue  # no widget of the page as it stands: a parameter of another kernel
        text = held.text_of(name)
        if drawn is None:
            if text is not None:
                found.append((each.label, {"true": "yes", "false": "no"}.get(text, text)))
            continue
        says = workspace.widget_says(drawn.key, NOT)
        value = NOT if text is None else drawn.read(text)
        if says is not NOT and says != workspace.tab().widgets.get(drawn.key, NOT):
            value = says if says != drawn.default and drawn.fits(says) else NOT
        if value is not NOT:
            found.append((each.label, drawn.said(value)))
    return found


def _drawn_widgets() -> tuple[dict[str, _Drawn], dict[str, _Drawn]]:
    """Widgets of this page in its last run, and so far in this one; none where another page was open."""
    nothing: tuple[str, dict[str, _Drawn], dict[str, _Drawn]] = ("", {}, {})
    of, before, now = workspace.recall(DRAWN, nothing)
    if of != workspace.tab().page:
        return {}, {}
    page = registry.current()
    return (before, now) if all(each.page is page for each in now.values()) else (now, {})


def _note_drawn(name: str, drawn: _Drawn) -> None:
    before, now = _drawn_widgets()
    workspace.remember(DRAWN, (workspace.tab().page, before, {**now, name: drawn}))


@dataclass(frozen=True, eq=False)
class _Of:
    """Which setting a widget is of, its key, its label where that is another than the declared one, and its default."""

    name: str
    key: str
    label: str | None
    default: Any


def _of(name: str, key: str | None, default: Any, look: Look) -> _Of:
    page = registry.current()
    if page.in_first_row and (hint := look.pop("help", None)):
        # each hint is a stop of the Tab key on the way to the picture: there is one for the row
        page.hints[look.get("label") or held.declared_as(name).label] = hint
    return _Of(name, key or name, look.pop("label", None), default)


def _drawn(
    of: _Of,
    *,
    fits: Callable[[Any], bool],
    read: Read,
    said: Callable[[Any], str],
    draw: Callable[[dict[str, Any]], Any],
    begins: Callable[[Any], dict[str, Any]] = lambda value: {"value": value},
    written: Callable[[Any], str] | None = None,
) -> Any:
    """Draw a widget that shows what its setting is, and let the setting be what the widget says.

    A widget that says something else than it did when it was drawn last has been moved, by the visitor or by a picture,
    and what it says counts. Else it shows the setting, which an address, a file or another widget may have changed. Without
    a name it is no setting, but what a button takes: nothing but this tab knows of it.
    """
    write = written or (lambda value: value if isinstance(value, str) else _text(value, said))
    name, key, default, shown = of.name, of.key, of.default, workspace.tab().widgets
    text = held.text_of(name) if name else None
    value = (default if name else shown.get(key, default)) if text is None else read(text)
    if value is NOT or not fits(value):
        value = default
    says = workspace.widget_says(key, NOT)
    if isinstance(says, str) and not fits(says):  # a lesson or a link has put there what an address would say
        workspace.show_in(key, says := read(says))
    still = says == shown.get(key, NOT)
    called = held.declared_as(name).label if name else ""
    given: dict[str, Any] = {"key": key, "label": called if of.label is None else of.label}
    if says is not NOT and (not fits(says) or (still and says != value)):
        workspace.show_in(key, value)
    elif says is NOT or still:  # to Streamlit it may be another widget: of another page, or with other ends
        given |= begins(value)
    made = draw(given)
    if made is None and not fits(None):
        made = default  # an empty box
    shown[key] = made
    if not name:
        return made
    _note_drawn(name, _Drawn(key, default, fits, read, said, registry.current()))
    now = None if made == default else write(made)
    if now != text:
        held.say(name, now)
    registry.current().settings[name] = called, said(made)
    return made


def _one_of(options: Sequence[T], said: Callable[[T], str]) -> Read:
    """Read an option by what it is called, or by what it is."""

    def read(text: str) -> object:
        return next((option for way in (said, _plain) for option in options if way(option) == text), NOT)

    return read


def _text(value: object, said: Callable[[Any], str]) -> str:
    """Text of a value: numbers in full, all else by its name."""
    return _plain(value) if isinstance(value, int | float) else said(value)


def _plain(value: object) -> str:
    return _short(value) if isinstance(value, int | float) else str(value)


def _short(value: float) -> str:
    text = repr(float(value)) if isinstance(value, float) else str(value)
    return text.removesuffix(".0")


def _number(text: str) -> float:
    """Return the number that a text says; NaN where it says none."""
    try:
        return float(text) if len(text) <= LONGEST_NUMBER and text.isascii() and "_" not in text else math.nan
    except ValueError:
        return math.nan


def _nearest(options: Sequence[object], wanted: float) -> object:
    """The option that is nearest to a number, which lies between some of them."""
    numbers = [option for option in options if isinstance(option, int | float)]
    if not numbers or not numbers[0] <= wanted <= numbers[-1]:
        return NOT
    return min(numbers, key=lambda option: abs(option - wanted))


def _within(value: float, low: float | None, high: float | None, kind: type[float]) -> object:
    """A number between the ends, of a kind."""
    if not math.isfinite(value):
        return NOT
    made = math.floor(value + 0.5) if kind is int else float(value)
    return made if _lies(made, low, high) else NOT


def _lies(value: object, low: float | None, high: float | None) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return False
    if isinstance(value, int) and abs(value) > LARGEST:
        return False
    return (low is None or value >= low) and (high is None or value <= high)
