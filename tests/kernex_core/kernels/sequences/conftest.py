from __future__ import annotations

import pytest


@pytest.fixture(params=["compiled", "numpy"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the engine compiled by Numba, and with the NumPy form."""
    if request.param == "compiled":
        pytest.importorskip("numba")
    monkeypatch.setenv("KERNEX_NUMBA", "1" if request.param == "compiled" else "0")
    return str(request.param)
