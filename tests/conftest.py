import gc
import os
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from _pytest.runner import runtestprotocol
from hypothesis import HealthCheck, settings

import kernex_core
from kernex_core.base.digests import digest
from kernex_core.datasets import protein_world
from kernex_core.gram import provenance
from kernex_core.kernels.sequences.smith_waterman import SmithWaterman
from pages.server import warmup
from tests import sharing
from tests.dearest import Dearest

STARTED = pytest.StashKey[float]()
REPOSITORY = Path(__file__).resolve().parent.parent

# how fast a machine draws examples says nothing about the code
FEW = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=25)
settings.register_profile("few", FEW)
settings.register_profile(
    "many", FEW, max_examples=200
)  # of `make science`: other examples are drawn each time
settings.load_profile("few")


@pytest.fixture(scope="session", autouse=True)
def _one_blas_thread():
    """As in the app: two test processes with two threads each starve one another."""
    warmup.limit_blas_threads()


@pytest.fixture(scope="session", autouse=True)
def _the_protein_world_is_aligned_once():
    """Dozens of tests open the three demos made of it: .37 s of a processor each. Its strings are drawn each time."""
    kept = {}

    def aligning(**parameters):
        kernel = SmithWaterman(**parameters)

        def gram(strings, **_):
            key = digest(kernel, strings)
            if key not in kept:
                kept[key] = SmithWaterman.gram(kernel, strings)
            return kept[key].copy()

        object.__setattr__(kernel, "gram", gram)
        return kernel

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(protein_world, "SmithWaterman", aligning)
        yield


@pytest.fixture(scope="session", autouse=True)
def _scripts_import_public_names_alone():
    """Whatever a test has written into a script: the name of a setting that is not public shows nowhere else."""
    imports = provenance._Script.imports

    def checked(script):
        if others := {name for name in script._public if not hasattr(kernex_core, name)}:
            # tests of the writing itself call functions that are none
            assert not (others & _classes()), f"not public, and yet in a script: {sorted(others)}"
        return imports(script)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provenance._Script, "imports", checked)
        yield


def _classes():
    """Names of all classes of the core that are loaded."""
    modules = [module for name, module in sys.modules.items() if name.startswith("kernex_core.")]
    return {name for module in modules for name, found in vars(module).items() if isinstance(found, type)}


@pytest.fixture
def rng():
    return np.random.default_rng(20061123)


@pytest.fixture(scope="session")
def shared():
    """Folder with real data, beside the repository or where KERNEX_SHARED says; not part of the project."""
    folder = Path(os.environ.get("KERNEX_SHARED", REPOSITORY.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip(f"there are no public data sets in {folder}")
    return folder


def pytest_make_parametrize_id(config, val, argname):
    """Call bytes that are no text by their length: archives hold the time at which they were made, and a test that
    is called otherwise in every process cannot be shared among several.
    """
    return f"{argname}-{len(val)}-bytes" if isinstance(val, bytes) and not val.isascii() else None


def pytest_collection_modifyitems(config, items):
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: sharing.place(item.nodeid))


UNSAID = 0.005
"""Seconds below which `--durations` says nothing of a part of a test."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    """Tell the process that gathers reports only those that it says something of: not that there was nothing to set up."""
    if not hasattr(item.config, "workerinput") or item.config.getoption("dearest"):
        return None
    for report in runtestprotocol(item, log=False, nextitem=nextitem):
        if report.when == "call" or not report.passed or report.duration >= UNSAID:
            item.ihook.pytest_runtest_logreport(report=report)
    return True


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = (
        False  # by the number of tests in a file, which says little of their time
    )
    return sharing.Sharing(config, log)


def pytest_addoption(parser):
    parser.addoption(
        "--dearest", type=int, metavar="N", help="tell which N tests, and folders, used most processor time"
    )


def pytest_configure(config):
    if config.getoption("dearest"):
        config.pluginmanager.register(Dearest(config.getoption("dearest")))


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Collect tests without rounds for garbage: what comes then stays until the end, and no later round looks through it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_sessionstart(session):
    session.config.stash[STARTED] = time.monotonic()


def pytest_sessionfinish(session):
    """Write down how long a run of the whole suite took; `make house` prints it."""
    whole = not hasattr(session.config, "workerinput") and session.config.args == session.config.getini(
        "testpaths"
    )
    cache = getattr(session.config, "cache", None)
    if whole and cache is not None:
        cache.set("kernex/seconds", round(time.monotonic() - session.config.stash[STARTED]))


def pytest_terminal_summary(terminalreporter):
    """One line for all tests that were left out, by reason, in place of one each."""
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") for report in terminalreporter.stats.get("skipped", [])
    )
    if reasons:
        told = "; ".join(f"{count} because {reason}" for reason, count in reasons.most_common())
        terminalreporter.write_line(f"Left out: {told}")
