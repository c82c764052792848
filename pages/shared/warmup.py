"""What is done once when the server starts, before and beside the first visit.

limit_blas_threads()     one BLAS thread: several sessions with several threads each starve one another
import_slowly()          slow imports, compiled code and the pictures of the demos
set_apart()              what never goes away is not looked through when Python collects garbage
start()                  the first at once, the others in the background
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import threading
from typing import Final

import threadpoolctl

from kernex_core.threads import thread_count
from pages.shared.item_limit import most_items
from pages.shared.navigation import PAGES

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
    importlib.import_module("kernex_core.learning.svm").warm_up()
    list(importlib.import_module("pages.start.demos").pictures())
    for entry in PAGES:
        view = f"pages.{entry.path.rsplit('/', 1)[0].replace('/', '.')}.view"
        if importlib.util.find_spec(view) is not None:
            importlib.import_module(view)


def set_apart() -> None:
    """Take what is there now, which stays as long as the process, out of every later collection of garbage.

    Half a million objects of libraries: to look through them took as long as a page.
    """
    gc.collect()
    gc.freeze()


def _prepare() -> None:
    import_slowly()
    set_apart()


def start() -> None:
    """Prepare the process; returns at once, and goes on in the background.

    Raises
    ------
    InvalidInputError
        KERNEX_THREADS or KERNEX_MAX_ITEMS is no number that fits: whoever starts the server is told, and not every visitor.
    """
    thread_count()
    most_items()
    limit_blas_threads()
    threading.Thread(target=_prepare, name="kernex-warm-up", daemon=True).start()
