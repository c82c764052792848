"""What is done once when the server starts, before and beside the first visit.

limit_blas_threads()     one BLAS thread: several sessions with several threads each starve one another
import_slowly()          slow imports, compiled code and the pictures of the demos
start()                  the first at once, the second in the background
"""

from __future__ import annotations

import importlib
import threading
from typing import Final

import threadpoolctl

from kernex_core.threads import thread_count
from pages.shared.item_limit import most_items

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
    threading.Thread(target=import_slowly, name="kernex-warm-up", daemon=True).start()
