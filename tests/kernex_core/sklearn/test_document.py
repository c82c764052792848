"""The examples of docs/scikit_learn.md run, and print what stands there: two numbers, of scikit-learn and of `judge`."""

import re

import pytest

from tests.conftest import REPOSITORY

BLOCKS = re.findall(
    r"```python\n(.*?)```", (REPOSITORY / "docs" / "scikit_learn.md").read_text(encoding="utf-8"), re.DOTALL
)


def test_there_are_three():
    assert len(BLOCKS) == 3


@pytest.mark.parametrize("block", BLOCKS)
def test_an_example_gives_the_number_of_the_page(block, capsys):
    exec(block, {})
    printed = capsys.readouterr().out.splitlines()
    assert printed == re.findall(r"^# (.*)$", block, re.MULTILINE)
    assert len(set(printed[0].split())) == 1
