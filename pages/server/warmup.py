"""What is done once when the server starts, before and beside the first visit.

check_settings()         settings of the environment that do not fit are refused
limit_blas_threads()     one BLAS thread: several sessions with several threads each starve one another
import_slowly()          slow imports and compiled code
set_apart()              what never goes away is not looked through when Python collects garbage
prepare(pages)           all that is slow, and what the pages bring
SERVING                  whether there is a server
start(pages)             all of it in the background: the port answers first
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

SLOW_IMPORTS: Final = ("sklearn.svm",)
SERVING: Final = threading.Event()
"""Set as long as a server answers; scripts and tests have none."""


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
    """Do what is slow, first what a first view needs, and set apart what stays."""
    limit_blas_threads()
    pages()
    import_slowly()
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


def start(pages: Callable[[], None]) -> threading.Thread:
    """Prepare the process and what `pages` prepares, in the background: the thread that does so."""
    thread = threading.Thread(target=prepare, args=(pages,), name="kernex-warm-up", daemon=True)
    thread.start()
    return thread
