"""What this server keeps for its visitors at most, and whom it answers: settings of the environment, read when asked.

cache_bytes()        results of all visitors together        KERNEX_CACHE_MB, 2,000
workspace_bytes()    workspaces of all visitors together     KERNEX_WORKSPACES_MB, 2,000
most_visitors()      workspaces                              KERNEX_VISITORS, 200
idle_hours()         until an unused workspace is let go     KERNEX_IDLE_HOURS, 12
answers_alone()      whether only this machine reaches the server, as far as it knows
came_from(address)   somebody has come, by way of a proxy, too
"""

from __future__ import annotations

import os
from ipaddress import ip_address
from pathlib import Path
from typing import Final

import streamlit as st
from streamlit import config

from kernex_core.base.errors import InvalidInputError
from kernex_core.inputs.names import counted

CACHE: Final = "KERNEX_CACHE_MB"
WORKSPACES: Final = "KERNEX_WORKSPACES_MB"
VISITORS: Final = "KERNEX_VISITORS"
IDLE: Final = "KERNEX_IDLE_HOURS"
KEEP: Final = "KERNEX_KEEP"
TOKEN: Final = "KERNEX_TOKEN"
SHORTEST_TOKEN: Final = 8
ALONE: Final = ("localhost", "127.0.0.1", "::1")
"""Addresses at which a server answers its own machine only."""
MEGABYTE: Final = 1_000_000
_by_proxy = False
_upload_size = 50
LARGEST_WORKSPACE: Final = 400
"""Megabytes of a workspace file that is opened where the server answers its own machine alone."""


def cache_bytes() -> int:
    """Bytes of the results that are kept for all visitors together."""
    return MEGABYTE * whole_number(CACHE, 2_000, 50, 1_000_000, "the megabytes of results kept at most")


def workspace_bytes() -> int:
    """Bytes of the workspaces of all visitors together."""
    return MEGABYTE * whole_number(
        WORKSPACES, 2_000, 50, 1_000_000, "the megabytes of all workspaces at most"
    )


def most_visitors() -> int:
    """Number of workspaces that are kept at the same time."""
    return whole_number(VISITORS, 200, 1, 100_000, "the number of workspaces kept at most")


def idle_hours() -> int:
    """Hours after which a workspace that nobody uses is let go."""
    return whole_number(
        IDLE, 720 if is_set(KEEP) else 12, 1, 100_000, "the hours after which an unused workspace is let go"
    )


def idle_time() -> str:
    """The same in words."""
    hours = idle_hours()
    return f"{hours // 24} days" if hours >= 48 and hours % 24 == 0 else counted(hours, "hour")


def keep_folder() -> Path | None:
    """Folder in which workspaces are kept, or None. Asked in every request: the disk is not."""
    return Path(os.environ[KEEP].strip()).expanduser().absolute() if is_set(KEEP) else None


def make_keep_folder() -> None:
    """Make that folder where there is none, for its owner alone; once, when the server starts.

    Raises
    ------
    InvalidInputError
        Nothing can be written there.
    """
    folder = keep_folder()
    if folder is None:
        return
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            return
        problem = "not ours to write"
    except (OSError, ValueError) as error:
        problem = str(error)
    raise InvalidInputError(
        f"The environment variable {KEEP} has to name a folder in which workspaces can be kept",
        f"{str(folder)[:100]!r}: {problem[:100]}",
        "Name another one, or leave it out: then nothing is kept on disk",
    )


def token() -> str:
    """What every new visitor has to say once; "" where nobody is asked.

    Raises
    ------
    InvalidInputError
        It is so short that it could be guessed.
    """
    given = os.environ.get(TOKEN, "").strip()
    if given and len(given) < SHORTEST_TOKEN:
        raise InvalidInputError(
            f"The environment variable {TOKEN} has to have at least {SHORTEST_TOKEN} characters",
            f"{len(given)}",
            "Set a longer one, or leave it out: then nobody is asked",
        )
    return given


def is_open_to_all() -> bool:
    """Whether others reach this server and nobody is asked for a token."""
    return not answers_alone() and not token()


def answers_alone() -> bool:
    """Whether this server answers its own machine only: nobody came by way of a proxy, either."""
    return not _by_proxy and st.get_option("server.address") in ALONE


def came_from(address: str) -> None:
    """Note whose request it is: who reaches a server of this machine alone from elsewhere comes by way of a proxy."""
    global _by_proxy
    if _by_proxy or is_of_this_machine(address):
        return
    _by_proxy = True
    if st.get_option("server.address") in ALONE:
        config.set_option("server.maxUploadSize", _upload_size)


def is_of_this_machine(address: str) -> bool:
    """Whether an address is one by which a machine calls itself; what is no address may be."""
    try:
        found = ip_address(address)
    except ValueError:
        return True
    inside = found.ipv4_mapped if found.version == 6 else None
    return (inside or found).is_loopback


def take_large_workspaces() -> None:
    """Let the server take them: what a page says of its own uploads is the browser's affair alone."""
    global _upload_size
    if answers_alone():
        _upload_size = int(st.get_option("server.maxUploadSize"))
        config.set_option("server.maxUploadSize", LARGEST_WORKSPACE)


def is_set(name: str) -> bool:
    """Whether whoever started the server has said so."""
    return bool(os.environ.get(name, "").strip())


def whole_number(name: str, default: int, low: int, high: int, what: str) -> int:
    """Read a whole number from the environment.

    Raises
    ------
    InvalidInputError
        It is no whole number from `low` to `high`.
    """
    given = os.environ.get(name, "").strip()
    if not given:
        return default
    # more digits than any limit has are never read: int() refuses thousands of them in words of its own
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and low <= int(given) <= high):
        raise InvalidInputError(
            f"The environment variable {name} has to be a whole number from {low:,} to {high:,}",
            repr(given[:40]),
            f"Set it to {what}, or leave it out: {default:,}",
        )
    return int(given)
