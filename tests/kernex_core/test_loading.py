"""What `import kernex_core` loads: next to nothing; a public name loads what it needs, heavy parts wait for their use."""

import subprocess
import sys

import pytest

import kernex_core
from tests.conftest import REPOSITORY

LIBRARIES = ("numpy", "scipy", "numba", "pandas", "sklearn", "networkx", "Bio", "joblib", "streamlit")
HEAVY = ("scipy.stats", "scipy.integrate", "scipy.optimize", "pandas", "sklearn", "networkx", "joblib")
"""Half a second and more together; none of them is needed before somebody computes."""


def loaded(code, watched):
    """Which of these modules a process of its own has loaded after the code."""
    code = f"import sys\n{code}\nprint([name for name in {watched!r} if name in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return eval(run.stdout)


def test_importing_the_core_loads_no_library():
    assert loaded("import kernex_core", LIBRARIES) == []


def test_all_public_names_together_load_nothing_that_only_some_computations_need():
    code = "import kernex_core\nfor name in kernex_core.__all__: getattr(kernex_core, name)"
    assert loaded(code, HEAVY) == []


def test_no_compiler_is_loaded_before_a_loop_runs():
    code = "import kernex_core\nfor name in kernex_core.__all__: getattr(kernex_core, name)"
    assert loaded(code, ("numba", "llvmlite")) == []
    code = "from kernex_core import ShortestPath, Graph\nShortestPath().gram([Graph(2, [(0, 1)])])"
    assert loaded(code, ("numba",)) == ["numba"]


def test_one_name_loads_what_it_needs_alone():
    watched = ("numpy", "kernex_core.gram.matrix", "kernex_core.learning", "kernex_core.studies", "numba")
    assert loaded("from kernex_core import GramMatrix", watched) == ["numpy", "kernex_core.gram.matrix"]


def test_every_public_name_has_its_home():
    assert set(kernex_core._homes()) == set(kernex_core.__all__)
    assert set(kernex_core.__all__) <= set(dir(kernex_core))
    everything = {}
    exec("from kernex_core import *", everything)
    assert set(kernex_core.__all__) <= set(everything)
    for name, (module, there) in kernex_core._homes().items():
        assert getattr(kernex_core, name) is getattr(sys.modules[module], there), name


def test_what_is_added_to_a_catalogue_is_public_with_its_line_there(monkeypatch):
    class Added:
        """A kernel that somebody has added."""

    with pytest.raises(AttributeError):
        kernex_core.Added  # noqa: B018
    monkeypatch.setitem(vars(kernex_core), "KERNELS", (*kernex_core.KERNELS, Added))
    assert kernex_core.Added is Added
    monkeypatch.delitem(vars(kernex_core), "Added")


def test_no_other_name_is_there():
    with pytest.raises(AttributeError, match="no attribute 'joint_kernels'"):
        kernex_core.joint_kernels  # noqa: B018
    with pytest.raises(ImportError, match="joint_kernels"):
        exec("from kernex_core import joint_kernels")
