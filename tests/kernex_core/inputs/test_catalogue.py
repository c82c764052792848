import dataclasses

import pytest

from kernex_core import FORMATS
from kernex_core.parameters import parameters


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_every_format_is_described(form):
    assert form.kind in {"similarity", "sequences", "vectors"}
    assert form.title
    assert form.extensions
    assert all(extension == extension.lower().strip(".") for extension in form.extensions)
    options = form.options()
    described = parameters(options)
    assert {field.name for field in dataclasses.fields(options)} == set(described)
    assert all(description.help.endswith(".") for description in described.values())


def test_names_are_distinct():
    assert len({form.name for form in FORMATS}) == len(FORMATS)
