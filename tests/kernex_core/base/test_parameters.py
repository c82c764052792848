from dataclasses import dataclass

import numpy as np
import pytest

from kernex_core.base.errors import InvalidInputError
from kernex_core.base.parameters import check_parameters, check_range, parameter, parameters


@dataclass(frozen=True)
class Config:
    p: float = parameter(0.5, help="Power.", symbol="p", low=0.0, high=1.0, open_low=True)
    k: int = parameter(3, help="Length.", low=1, high=10)
    width: float | None = parameter(None, help="Width.", low=0.0, open_low=True, optional=True)
    method: str = parameter("clip", help="Repair.", choices=("clip", "flip"))
    exact: bool = parameter(True, help="Exact.")
    shift: float = parameter(0.0, help="Any number.")
    note: str = "free"

    def __post_init__(self):
        check_parameters(self)


def test_descriptions_come_in_order_and_without_other_fields():
    assert list(parameters(Config)) == ["p", "k", "width", "method", "exact", "shift"]
    assert parameters(Config(p=1.0))["p"].symbol == "p"


@pytest.mark.parametrize(
    "wrong",
    [
        {"p": 0.0},
        {"p": 1.0001},
        {"p": float("nan")},
        {"p": float("inf")},
        {"p": "0.5"},
        {"p": True},
        {"p": None},
        {"shift": float("nan")},
        {"shift": float("inf")},
        {"shift": "0.5"},
        {"shift": None},
        {"k": 0},
        {"k": 2.0},
        {"k": True},
        {"width": 0.0},
        {"method": "shift"},
        {"exact": 1},
    ],
    ids=str,
)
def test_values_outside_are_refused_by_name(wrong):
    with pytest.raises(InvalidInputError, match=next(iter(wrong))):
        Config(**wrong)


@pytest.mark.parametrize(
    "right", [{"p": 1.0}, {"p": np.float64(0.1)}, {"k": np.int64(10)}, {"width": None}, {"width": 2}]
)
def test_values_inside_are_kept(right):
    assert Config(**right)


def test_the_message_says_range_and_value():
    with pytest.raises(InvalidInputError, match=r"at least 0 and below 1.*1\.5"):
        check_range("λ", 1.5, 0.0, 1.0, open_high=True)
