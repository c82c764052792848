"""Who a visitor is: 192 random bits in a cookie, signed, so that a cookie that this server has not given names nobody.

cookie_name() -> str                 one a server: servers of one machine share their visitors' cookies
new_cookie() -> str                  a visitor who has not been here
visitor_of(cookie) -> str | None     whom a cookie names; None where this server has not given it
is_former(cookie) -> bool            given by this server before it was started anew
mark_of(visitor) -> str              a visitor in the log: nobody finds the cookie from it
sign(purpose, text) -> str           what only this server can say of a text
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import hmac
import os
import re
import secrets
import threading
from pathlib import Path
from typing import Final

import streamlit as st

from kernex_core.base.errors import InvalidInputError
from pages.shared.visitors import limits

BITS: Final = 192
KEY_BYTES: Final = 32
FORMER: Final = "kernex-former"
"""Cookie that tells a session, and no browser, that the server was started anew while its page was open."""
KEY_FILE: Final = "cookies.key"
_keys: dict[Path | None, bytes] = {}
_lock = threading.Lock()
_COOKIE: Final = re.compile(r"([A-Za-z0-9_-]{32})\.([A-Za-z0-9_-]{22})(?:\.([A-Za-z0-9_-]{22}))?")


def cookie_name() -> str:
    """Name of the cookie; cookies belong to a machine and not to a port, and so the port is part of it."""
    return f"kernex-{st.get_option('server.port')}"


def new_cookie() -> str:
    """Return the cookie of a visitor who has not been here."""
    visitor = secrets.token_urlsafe(BITS // 8)
    return f"{visitor}.{sign('visitor', visitor)}"


def visitor_of(cookie: object) -> str | None:
    """Return the visitor whom a cookie names, or None where this server has not given it."""
    found = _COOKIE.fullmatch(cookie) if isinstance(cookie, str) else None
    if found is None or not hmac.compare_digest(sign("visitor", found[1]), found[2]):
        return None
    return found[1]


def is_former(cookie: object) -> bool:
    """Whether it is a cookie as this server gives them, and another start of it has given this one."""
    return isinstance(cookie, str) and _COOKIE.fullmatch(cookie) is not None and visitor_of(cookie) is None


def mark_of(visitor: str) -> str:
    """Return what stands for a visitor in the log; it tells nobody the cookie."""
    return sign("log", visitor)[:8]


def admitted(cookie: str, token: str) -> str:
    """Return the cookie of the same visitor, once they have said the token."""
    visitor, signature = cookie.split(".")[:2]
    return f"{visitor}.{signature}.{_admission(visitor, token)}"


def is_admitted(cookie: object, token: str) -> bool:
    """Whether the visitor whom a cookie names has said this token."""
    visitor = visitor_of(cookie)
    if visitor is None:
        return False
    said = str(cookie).split(".")[2:]
    return bool(said) and hmac.compare_digest(_admission(visitor, token), said[0])


def _admission(visitor: str, token: str) -> str:
    return sign("admitted", f"{hashlib.sha256(token.encode()).hexdigest()}\n{visitor}")


def sign(purpose: str, text: str) -> str:
    """Return 128 bits that only this server can make of a text for this purpose."""
    made = hmac.digest(_key(limits.keep_folder()), f"{purpose}\n{text}".encode(), hashlib.sha256)
    return base64.urlsafe_b64encode(made[:16]).rstrip(b"=").decode()


def _key(folder: Path | None) -> bytes:
    """The secret: of this process, or where workspaces are kept on disk beside them, so that their cookies hold, too."""
    with _lock:
        if folder not in _keys:
            _keys[folder] = secrets.token_bytes(KEY_BYTES) if folder is None else _kept_key(folder / KEY_FILE)
        return _keys[folder]


def _kept_key(path: Path) -> bytes:
    limits.make_keep_folder()
    with contextlib.suppress(FileExistsError):
        number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)  # for its owner alone
        try:
            with os.fdopen(number, "wb") as file:
                file.write(secrets.token_bytes(KEY_BYTES))
        except OSError:
            path.unlink(missing_ok=True)  # half a key would be refused at every start
            raise
    found = path.read_bytes()
    if len(found) != KEY_BYTES:
        raise InvalidInputError(
            f"The key of the cookies has {KEY_BYTES} bytes", f"{len(found)} in {path}", "Remove that file"
        )
    return found
