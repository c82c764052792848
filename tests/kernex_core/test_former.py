import importlib

import pytest

from kernex_core.former import FORMER


@pytest.mark.parametrize("name", FORMER)
def test_a_former_name_is_the_present_module(name):
    assert importlib.import_module(name) is importlib.import_module(FORMER[name])


def test_names_that_never_were_stay_unknown():
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("kernex_core.inputs.never_there")
