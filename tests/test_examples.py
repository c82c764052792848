"""Every public function and every kernel shows an example, and every example in a docstring is right.

Studies are left out: what a page does has the page's script for an example, which tests run.
"""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import kernex_core
from kernex_core.kernels.catalogue import KERNELS

PARSER = doctest.DocTestParser()
MODULES = tuple(module.name for module in pkgutil.walk_packages(kernex_core.__path__, "kernex_core."))


def test_no_public_function_and_no_kernel_is_without_an_example():
    public = [
        each
        for name in kernex_core.__all__
        if inspect.isfunction(each := getattr(kernex_core, name))
        and not each.__module__.startswith("kernex_core.studies")
    ]
    assert len(public) > 40
    assert not [each.__name__ for each in (*public, *KERNELS) if not PARSER.get_examples(each.__doc__ or "")]


@pytest.mark.parametrize("name", MODULES)
def test_examples_are_right(name):
    found = doctest.testmod(importlib.import_module(name))
    assert found.failed == 0
