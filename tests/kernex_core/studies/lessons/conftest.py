import json

import pytest


@pytest.fixture(scope="session")
def known(shared):
    """Numbers of the specification, by lesson and subject: inputs, expected, tolerance."""
    return json.loads((shared / "vectors" / "lessons.json").read_text(encoding="utf-8"))
