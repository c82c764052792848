"""Eigenvectors on pages with several kernels: those of NumPy, and with what is chosen."""

import dataclasses

import numpy as np
import pytest

from kernex_core.gram.matrix import GramMatrix
from kernex_core.inputs.names import counted
from pages.server.digits import number
from pages.ui import chosen
from pages.ui.panels import inspection as eigenvectors

PAGES = {"complete": "complete/complete.py", "combine": "combine/combine.py"}
TABS = {"complete": "Spectrum", "combine": "Eigenvectors"}


@pytest.mark.no_cover
@pytest.mark.parametrize("page", PAGES)
def test_the_first_eigenvector_of_the_joint_kernel_stands_below_it(
    open_page_test, small_dataset, page, monkeypatch
):
    source = small_dataset.kernels["source"]
    target = GramMatrix(source.values + np.eye(30), source.ids, "target")
    dataset = dataclasses.replace(small_dataset.with_kernel("target", target), name=page)
    asked = []
    monkeypatch.setattr(
        eigenvectors, "decompose", lambda K, made=eigenvectors.decompose: asked.append(K) or made(K)
    )
    monkeypatch.setattr(chosen, "chosen", lambda ids: (3, 7) if len(ids) == 30 else ())
    at = open_page_test(PAGES[page], dataset)
    assert not asked
    at.session_state[f"{page}.tab"] = TABS[page]
    at.session_state[f"{page}.eigenvector.open"] = True
    at.run()
    assert not at.exception
    (K,) = asked
    values, U = np.linalg.eigh(K)
    squared = np.sort(U[:, -1] ** 2)[::-1].cumsum()
    carry = int(np.searchsorted(squared, 0.5) + 1)
    (said,) = [m.value for m in at.markdown if "half of its squared length" in m.value]
    assert f"{counted(carry, 'item')} of 30 carr" in said
    assert any(f"joint, no. 1 of 30, eigenvalue {number(values[-1])}" in m.value for m in at.markdown)
    (chart,) = [
        each.proto for each in at.get("plotly_chart") if f"{page}.eigenvector" in each.proto.id
    ]  # fmt: skip
    assert "selectedpoints" in (chart.spec or chart.figure.spec)
