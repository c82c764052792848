"""What is done once when the server starts, before and beside the first visit.

check_settings()         settings of the environment that do not fit are refused
limit_blas_threads()     one BLAS thread: several sessions with several threads each starve one another
import_slowly()          slow imports and compiled code
set_apart()              what never goes away is not looked through when Python collects garbage
prepare(pages)           all that is slow, and what the pages bring
start(pages)             one BLAS thread at once, the rest in the background
"""

from __future__ import annotations

import gc
import importlib
import threading
from collections.abc import Callable
from typing import Final

import threadpoolctl

from kernex_core.runtime.executors import thread_count
from pages.server.item_limit import most_items
from pages.server.visitors import limits
from pages.server.visitors import store as identity

SLOW_IMPORTS: Final = ("plotly.graph_objects", "sklearn.svm", "sklearn.model_selection", "sklearn.metrics")


def limit_blas_threads() -> None:
    """Set one thread for every BLAS that numpy and scipy bring."""
    # a library that is loaded later keeps its own number of threads
    importlib.import_module("scipy.linalg")
    threadpoolctl.threadpool_limits(limits=1, user_api="blas")


def import_slowly() -> None:
    """Import, and compile, what the first study would otherwise wait for."""
    for name in SLOW_IMPORTS:
        importlib.import_module(name)
    importlib.import_module("kernex_core.learning.machine").warm_up()


def set_apart() -> None:
    """Take what is there now, which stays as long as the process, out of every later collection of garbage.

    Half a million objects of libraries: to look through them took as long as a page.
    """
    gc.collect()
    gc.freeze()


def prepare(pages: Callable[[], None]) -> None:
    """Do what is slow, for the libraries and for the pages, and set apart what stays."""
    import_slowly()
    pages()
    set_apart()


def check_settings() -> None:
    """Read the settings of the environment, so that whoever starts the server is told, and not every visitor.

    Raises
    ------
    InvalidInputError
        KERNEX_THREADS, KERNEX_MAX_ITEMS or one of those in pages.server.visitors.limits is not what it has to be.
    """
    thread_count()
    most_items()
    for limit in (
        limits.cache_bytes,
        limits.workspace_bytes,
        limits.most_visitors,
        limits.idle_hours,
        limits.make_keep_folder,
        limits.token,
        identity.new_cookie,
    ):
        limit()


def start(pages: Callable[[], None]) -> None:
    """Prepare the process and what `pages` prepares; returns at once, and goes on in the background."""
    limit_blas_threads()
    threading.Thread(target=prepare, args=(pages,), name="kernex-warm-up", daemon=True).start()
