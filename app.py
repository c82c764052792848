"""Kernex. Start it with `streamlit run app.py`, or with `streamlit run app.py -- FILE ...`, as `kernex FILE ...` does."""

from __future__ import annotations

import importlib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.middleware import Middleware

from kernex_core.base.errors import KernexError
from kernex_core.runtime import workers
from pages.server import failures, headers, health, token, uploads, warmup
from pages.server.navigation import PAGES
from pages.server.visitors import contents as start_files
from pages.server.visitors import limits

warmup.use_few_arenas()  # before there are threads
try:
    warmup.check_settings()
except KernexError as error:
    raise SystemExit(str(error)) from None  # for whoever starts the server: one sentence, exit code 1


def prepare() -> None:
    """Make the pictures of the demos, and import what each page shows, before the first visit."""
    from pages.server.readers import pool  # slow: a server that starts does not wait for it
    from pages.start import start

    for entry in PAGES:
        importlib.import_module(entry.module)
    pool.warm()  # a process of its own, ready when the pictures are
    list(start.pictures())


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Prepare the process before the first visit, and look after the workspaces from then on."""
    token.allow_long_headers()
    headers.leave_dense_messages()
    uploads.drop_unfit()
    uploads.bind_media()
    limits.take_large_workspaces()
    start_files.take(sys.argv[1:])
    failures.configure()
    warmup.SERVING.set()
    warmup.start(prepare)
    try:
        async with health.upkeep():
            yield
    finally:
        importlib.import_module("pages.server.readers.pool").close()
        workers.close()


# The script lives in pages/: with a folder pages/ beside it, Streamlit would show each file in there as a page of
# its own, without the frame, to everybody who comes by a deep link.
app = st.App(
    "pages/main.py",
    lifespan=lifespan,
    middleware=[
        Middleware(each)
        for each in (
            headers.Headers,
            token.Visitors,
            token.Door,
            uploads.Uploads,
            health.Health,
            headers.Addresses,
            headers.Style,
        )
    ],
    on_script_error=failures.report,
)
