"""docs/add_a_kernel.md is true: its example fulfils the contract, and what it names is there."""

import re
import sys
import types

import pytest

from tests.conftest import REPOSITORY
from tests.kernex_core.kernels import test_catalogue as contract

TEXT = (REPOSITORY / "docs" / "add_a_kernel.md").read_text(encoding="utf-8")
MODULE = "kernex_core.kernels.vectors.cauchy"


@pytest.fixture
def kernel(monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    module = types.ModuleType(MODULE)
    monkeypatch.setitem(sys.modules, MODULE, module)
    exec(compile(code, "docs/add_a_kernel.md", "exec"), vars(module))
    return module.Cauchy()


@pytest.fixture
def data(kernel, rng):
    return contract.SAMPLES[kernel.data_kind](rng)


def test_the_example_fulfils_the_contract(kernel, data, rng):
    contract.test_symmetric_finite_and_float(kernel, data)
    contract.test_positive_semidefinite_where_it_says_so(kernel, data)
    contract.test_order_of_the_items_does_not_matter(kernel, data, rng)
    contract.test_cross_is_the_block_of_gram(kernel, data)
    contract.test_new_items_one_by_one_get_the_rows_they_would_have_had(kernel, data)
    contract.test_progress_rises_to_one_and_can_cancel(kernel, data)
    contract.test_the_script_computes_the_same(kernel, data)
    contract.test_documentation(kernel)


def test_the_example_is_what_it_says(kernel):
    assert kernel.gram([[0.0], [1.0], [3.0]]).tolist() == [[1.0, 0.5, 0.1], [0.5, 1.0, 0.2], [0.1, 0.2, 1.0]]


def test_every_file_and_name_that_is_mentioned_exists():
    code = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
    mentioned = set(re.findall(r"`([\w/]+(?:\.py|/))`", code)) - {"kernex_core/kernels/vectors/cauchy.py"}
    short = {"spectrum.py", "smith_waterman.py"}
    folders = {name: REPOSITORY / "kernex_core" / "kernels" / "sequences" / name for name in short}
    folders["test_catalogue.py"] = REPOSITORY / "tests" / "kernex_core" / "kernels" / "test_catalogue.py"
    assert len(mentioned) >= 10
    for name in mentioned:
        assert folders.get(name, REPOSITORY / name).exists(), name
    for file, name in re.findall(r"`(\w+)` in `([\w/.]+\.py)`", code):
        assert re.search(rf"^{file}\b", (REPOSITORY / name).read_text(encoding="utf-8"), re.MULTILINE), file
