"""Settings that differ from their defaults: one value a page, in the visitor's contents. Everything derives from it.

    opens(SETTINGS)            a page opens: an address that leads to it says how it is set, else it is as it was left
    text_of(name)              what a setting is, in the words of an address; None = its default
    say(name, text)            it is that from now on: in this tab, in the visitor's contents, and in the address
    differences()              names and texts of all that differ and may be told: the address, what Copy link counts
    say_on(page, texts, named) the same of another page, to which a link leads
    as_usual()                 what stands behind the button Settings is its default again

A value is a text, as in the address, so that one form serves the address, a `.kernex` file and KERNEX_KEEP. Whatever it says
is hostile: `pages.ui.widgets` reads it, within the bounds that the widget has at that moment. What a page
shows is noted for the sheet of settings of a report or a figure (`registry.Page.sheet`).

A tab keeps its own: two tabs may show one page with two settings. What was set last in any tab is in the contents, with
which the next tab begins.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Final, TypeAlias

from pages.server import navigation, workspace
from pages.server.declared import Declared, Setting
from pages.server.visitors.contents import FORMER_PAGES, MOVED_SETTINGS, OF_DATA, OF_PAGES
from pages.server.visitors.tab import LONGEST_SETTING
from pages.ui import shown as registry

Texts: TypeAlias = Mapping[str, str]
Pages: TypeAlias = Mapping[str, Texts]
HELD: Final = "settings.held"
WAITING: Final = "settings.waiting"
NOTHING: Final[tuple[str, Texts]] = ("", {})
USUAL: Final = "settings"
"""Name in an address that says: all that does not stand here is as usual. *Copy link* needs it where nothing differs."""


def opens(declared: Declared) -> None:
    """Say what can be set on the page that is opened; take what its address says."""
    page = registry.current()
    page.declared, page.is_alone = declared, False
    if navigation.is_asked_anew():
        _take_address(declared)
    if workspace.current_name() is not None:
        for name, text in _waiting(workspace.tab().page).items():
            _keep(f"{OF_DATA}{workspace.current_name()}", workspace.tab().page, name, text)
        workspace.remember(WAITING, NOTHING)
    _write()


def text_of(name: str) -> str | None:
    """Return what a setting is, as the address has it; None where it is its default."""
    each = declared_as(name)
    return _texts(*_place(each)).get(name)


def say(name: str, text: str | None) -> None:
    """Let a setting be something else; None = its default."""
    each = declared_as(name)
    key, page = _place(each)
    if _texts(key, page).get(name) == text:
        return
    _keep(key, page, name, text)
    _write()


def declared_as(name: str) -> Setting:
    """Return the declaration of a setting of the open page.

    Raises
    ------
    LookupError
        The page does not declare it: no widget can be drawn for it.
    """
    page = registry.current()
    if name in page.declared:
        return page.declared[name]
    if not page.is_alone:
        raise LookupError(f"{name!r} is no declared setting of the page {page.name!r}")
    page.declared = {**page.declared, name: Setting(name, name.replace("_", " ").capitalize())}
    return page.declared[name]


def hangs_on(name: str, other: str) -> None:
    """Let a setting begin anew where another one, on which its default hangs, has changed."""
    before = workspace.recall(f"{name}.hangs", other)
    workspace.remember(f"{name}.hangs", other)
    if before != other:
        say(name, None)


def differences() -> dict[str, str]:
    """Return the settings of the page that differ from their defaults, as the address has them."""
    return {
        name: text
        for name, each in registry.current().declared.items()
        if each.in_address and (text := _texts(*_place(each)).get(name)) is not None
    }


def as_usual() -> None:
    """Let everything on the page be as usual that stands behind the button Settings."""
    for name, each in registry.current().declared.items():
        if not each.in_view:
            say(name, None)


def say_on(page: str, texts: Texts, named: Texts) -> None:
    """Let another page be set so when it is opened next, and all else on it be as it was left.

    Parameters
    ----------
    page : str
        Its address.
    texts : mapping of str to str
        Settings of the page, by name.
    named : mapping of str to str
        Those that name something in the open data.
    """
    for key, every in ((OF_PAGES, texts), (f"{OF_DATA}{workspace.current_name() or ''}", named)):
        for name, text in every.items():
            _keep(key, page, name, text)


def forget() -> None:
    """Let this tab look at the contents again: a file has put settings there."""
    workspace.remember(HELD, None)


def _take_address(declared: Declared) -> None:
    asked = navigation.address()
    given = {
        name: asked[old]
        for name, each in declared.items()
        for old in (name, each.former)
        if each.in_address and old in asked and len(asked[old]) <= LONGEST_SETTING
    }
    if not given and USUAL not in asked:
        return
    waiting: dict[str, str] = {}
    for name, each in declared.items():
        key, page = _place(each)
        if name not in given and (each.belongs == "everywhere" or not each.in_address):
            continue
        if each.belongs == "data" and workspace.current_name() is None:
            waiting |= {name: given[name]} if name in given else {}
        elif _texts(key, page).get(name) != given.get(name):
            _keep(key, page, name, given.get(name))
    workspace.remember(WAITING, (workspace.tab().page, waiting))


def _waiting(page: str) -> Texts:
    """What an address has said of data that were not open when it led to the page."""
    of, texts = workspace.recall(WAITING, NOTHING)
    return texts if of == page else {}


def _write() -> None:
    """Let the address say what differs, and nothing else of this page."""
    every = registry.current().declared
    former = [each.former for each in every.values() if each.former]
    navigation.write(differences(), (*every, *former, USUAL))


def _place(each: Setting) -> tuple[str, str]:
    """Where a setting is kept: the key of the contents, and the page."""
    if each.belongs == "data":
        return f"{OF_DATA}{workspace.current_name() or ''}", workspace.tab().page
    return OF_PAGES, "" if each.belongs == "everywhere" else workspace.tab().page


def _texts(key: str, page: str) -> Texts:
    return _held(key).get(page, {})


def _held(key: str) -> Pages:
    """What this tab has under a key; where it has not looked yet, what is in the contents."""
    held: dict[str, Pages] | None = workspace.recall(HELD, None)
    if held is None:
        workspace.remember(HELD, held := {})
    if key not in held:
        nothing: Pages = {}
        held[key] = {
            FORMER_PAGES.get(page, page): {
                name: text for name, text in texts.items() if len(text) <= LONGEST_SETTING
            }
            for page, texts in workspace.setting(key, nothing).items()
        }
        for page, (now, names) in MOVED_SETTINGS.items():
            held[key] = _moved(held[key], page, now, names)
    return held[key]


def _moved(pages: Pages, page: str, now: str, names: Container[str]) -> Pages:
    """Give settings of a page to the one that they belong to now, unless it has them."""
    texts = pages.get(page, {})
    gone = {name: text for name, text in texts.items() if name in names}
    if not gone:
        return pages
    left = {name: text for name, text in texts.items() if name not in names}
    return {**pages, page: left, now: {**gone, **pages.get(now, {})}}


def _keep(key: str, page: str, name: str, text: str | None) -> None:
    held: dict[str, Pages] = {key: _with(_held(key), page, name, text)}
    workspace.remember(HELD, {**workspace.recall(HELD, {}), **held})
    nothing: Pages = {}
    workspace.alter(key, lambda before: _with(before, page, name, text), nothing)


def _with(pages: Pages, page: str, name: str, text: str | None) -> Pages:
    texts = {old: said for old, said in pages.get(page, {}).items() if old != name}
    if text is not None:
        texts[name] = text
    rest = {other: said for other, said in pages.items() if other != page}
    return {**rest, page: texts} if texts else rest
